// The text with its labels. Each sentence is a list box, each word an option; arrows move between words.
import { directionOf, shown as shownText } from "./characters.js";
import { Steady, html, useEffect, useRef, useState } from "./html.js";
import { meaningOf, percent, toneStyle } from "./labels.js";
import { DOUBTFUL, tokenViews } from "./views.js";

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./views.js").TokenView} TokenView
 * @typedef {import("./views.js").Bracket} Bracket
 */

const LONGEST = 24; // characters of a label that are shown at a word; the panel shows all

/** @param {number | undefined} confidence */
function doubtfulShare(confidence) {
  return confidence !== undefined && confidence < DOUBTFUL
    ? html` <span class="share">${percent(confidence)}</span>`
    : null;
}

/** @param {string} label */
function short(label) {
  return shownText(label.length > LONGEST ? `${label.slice(0, LONGEST)}…` : label);
}

/** @param {Bracket} bracket @param {TokenView["outside"]} outside */
function drawBracket(bracket, outside) {
  if (!bracket) {
    const tip = outside && `${outside.label}, ${percent(outside.confidence)} sure`; // the word is underlined: no more ink
    return html`<span class="bracket none" title=${tip}></span>`;
  }
  const ends = `${bracket.first ? "first " : ""}${bracket.last ? "last" : ""}${bracket.proposed ? " proposed" : ""}`;
  return html`<span class="bracket ${ends}" style=${toneStyle(bracket.label)}>
    ${bracket.first && html`<bdi class="name" title=${meaningOf(bracket.label)}>${short(bracket.label)}${doubtfulShare(bracket.confidence)}</bdi>`}
  </span>`;
}

class Token extends Steady {
  render() {
    const { view, sentence, token, selected, entry } = /** @type {{view: TokenView} & Record<string, any>} */ (
      this.props
    );
    const inside = [...view.above].reverse().find(Boolean);
    const classes = [
      "token",
      view.joined && "joined",
      view.runsOn && "runs-on",
      inside && "inside",
      view.fixed && "fixed",
      view.changed && "follows",
    ];
    const style = { ...(inside && toneStyle(inside.label)), ...(view.doubt && { "--doubt": view.doubt.toFixed(2) }) };
    return html`<span
      role="option"
      class=${classes.filter(Boolean).join(" ")}
      id=${`w-${sentence}-${token}`}
      aria-selected=${selected ? "true" : "false"}
      aria-label=${view.spoken}
      tabindex=${entry ? 0 : -1}
      data-sentence=${sentence}
      data-token=${token}
      style=${style}
    >
      ${view.above.map((bracket, i) => drawBracket(bracket, i === view.above.length - 1 ? view.outside : null))}
      <span class=${view.doubt ? "word doubtful" : "word"} dir="auto">${shownText(view.token)}</span>
      ${view.below.map(
        (tag) =>
          html`<span class=${`tag${tag.active ? " active" : ""}${tag.proposed ? " proposed" : ""}`} style=${tag.active ? toneStyle(tag.label) : undefined}
            title=${meaningOf(tag.label)}
            >${short(tag.label)}${doubtfulShare(tag.confidence)}</span
          >`,
      )}
      ${view.note && html`<span class="note">${short(view.note)}</span>`}
    </span>`;
  }
}

/**
 * One sentence. `from` and `to` are the first and the last token that are selected, `entry` is the one that Tab reaches;
 * `drawn`: how many tokens are drawn, if not all.
 */
export class Line extends Steady {
  /** @type {any[]} */
  inputs = [];
  /** @type {TokenView[]} */
  views = [];

  /** The same objects as long as the same is shown, so that tokens are not drawn again. */
  currentViews() {
    const { sentence, shown, followed, pins, other } = this.props;
    const inputs = [sentence, shown, followed, pins, other];
    if (inputs.some((input, i) => input !== this.inputs[i])) {
      const fresh = tokenViews(sentence, shown, followed, pins, other);
      const old = this.views;
      this.views = fresh.map((view, t) => (JSON.stringify(view) === JSON.stringify(old[t]) ? old[t] : view));
      this.inputs = inputs;
    }
    return this.views;
  }

  render() {
    const { sentence, number, name, from, to, entry, several, drawn } = this.props;
    return html`<div
      role="listbox"
      class="sentence"
      dir=${directionOf(sentence.tokens)}
      aria-label=${name}
      aria-multiselectable=${several ? "true" : undefined}
      aria-orientation="horizontal"
    >
      ${runsOf(this.currentViews().slice(0, drawn)).map(
        (run) => html`<span role="none" class="run" key=${run[0].t}>
          ${run.map(
            ({ view, t }) =>
              html`<${Token} key=${t} view=${view} sentence=${number} token=${t}
                selected=${from <= t && t <= to} entry=${t === entry} />`,
          )}
        </span>`,
      )}
    </div>`;
  }
}

/** Tokens that are written together stay on one line. @param {TokenView[]} views */
function runsOf(views) {
  /** @type {{view: TokenView, t: number}[][]} */
  const runs = [];
  views.forEach((view, t) => {
    if (view.joined) runs[runs.length - 1].push({ view, t });
    else runs.push([{ view, t }]);
  });
  return runs;
}

const AT_ONCE = 400; // tokens that are drawn before the browser may do something else

/**
 * How many sentences are drawn. A long text comes in parts, so that the page stays quick; one that has changed a little
 * stays as it is.
 * @param {Sentence[]} sentences
 */
function useCount(sentences) {
  const drawn = useRef(/** @type {{sentences: Sentence[], count: number}} */ ({ sentences: [], count: 0 }));
  const [, redraw] = useState(0);
  const now = drawn.current;
  if (now.sentences !== sentences) {
    const kept = sentences.filter((sentence, s) => sentence === now.sentences[s]).length;
    drawn.current = { sentences, count: kept > sentences.length / 2 ? now.count : 0 };
  }
  let { count } = drawn.current;
  for (let tokens = 0; count < sentences.length && tokens < AT_ONCE; count += 1)
    tokens += sentences[count].tokens.length;
  useEffect(() => {
    drawn.current.count = count;
    if (count >= sentences.length) return undefined;
    const timer = setTimeout(() => redraw((old) => old + 1), 0);
    return () => clearTimeout(timer);
  });
  return count;
}

const NO_PINS = Object.freeze({});
const START = { sentence: 0, token: 0 }; // the word that Tab reaches, if none is chosen

/**
 * @param {{sentences: Sentence[], shown: import("./views.js").Shown, place: Place | null,
 *   followed: Record<number, any>, pins: Record<number, any>, others: string[][] | null,
 *   onPlace: (place: Place) => void, onKey: (key: string, event: KeyboardEvent) => void}} props
 */
export function Sentences({ sentences, shown, place, followed, pins, others, onPlace, onKey }) {
  const choose = (/** @type {MouseEvent | FocusEvent} */ event) => {
    const found = placeOf(event.target);
    if (found && (event.type === "click" || found.sentence !== place?.sentence || found.token !== place?.token))
      onPlace(found);
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const from = placeOf(event.target);
    if (!from || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = moved(event, from, sentences);
    if (to) {
      event.preventDefault();
      focusOn(to);
    } else {
      onKey(event.key, event);
    }
  };
  const count = useCount(sentences);
  return html`<div class="sentences" onClick=${choose} onfocusin=${choose} onKeyDown=${press}>
    ${sentences.slice(0, count).map(
      (sentence, s) =>
        html`<${Line}
          key=${s}
          sentence=${sentence}
          number=${s}
          name=${`Sentence ${s + 1} of ${sentences.length}`}
          shown=${shown}
          from=${place?.sentence === s ? place.token : undefined}
          to=${place?.sentence === s ? place.token : undefined}
          entry=${(place ?? START).sentence === s ? (place ?? START).token : undefined}
          followed=${followed[s] ?? null}
          pins=${pins[s] ?? NO_PINS}
          other=${others?.[s] ?? null}
        />`,
    )}
  </div>`;
}

/** @param {EventTarget | null} target @returns {Place | null} */
function placeOf(target) {
  const token = target instanceof Element ? target.closest("[data-token]") : null;
  if (!(token instanceof HTMLElement)) return null;
  return { sentence: Number(token.dataset.sentence), token: Number(token.dataset.token) };
}

/** @param {Place} place */
export function elementAt(place) {
  return document.getElementById(`w-${place.sentence}-${place.token}`);
}

/** @param {Place} place */
export function focusOn(place) {
  const found = elementAt(place);
  const target = found?.closest("mark") ?? found; // in running text, spans can be reached
  target?.focus();
  if (document.activeElement !== target) target?.scrollIntoView({ block: "nearest" });
}

/**
 * Where a key leads, or null.
 * @param {KeyboardEvent} event @param {Place} from @param {Sentence[]} sentences @returns {Place | null}
 */
function moved(event, from, sentences) {
  const length = sentences[from.sentence].tokens.length;
  const rightToLeft = directionOf(sentences[from.sentence].tokens) === "rtl";
  const forward = rightToLeft ? ["ArrowLeft", "l"] : ["ArrowRight", "l"];
  const back = rightToLeft ? ["ArrowRight", "h"] : ["ArrowLeft", "h"];
  if (forward.includes(event.key)) {
    if (from.token + 1 < length) return { ...from, token: from.token + 1 };
    return from.sentence + 1 < sentences.length ? { sentence: from.sentence + 1, token: 0 } : null;
  }
  if (back.includes(event.key)) {
    if (from.token > 0) return { ...from, token: from.token - 1 };
    if (from.sentence === 0) return null;
    return { sentence: from.sentence - 1, token: sentences[from.sentence - 1].tokens.length - 1 };
  }
  if (event.key === "Home") return { ...from, token: 0 };
  if (event.key === "End") return { ...from, token: length - 1 };
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !sentences[from.sentence + step]) return null;
  const sentence = from.sentence + step;
  return { sentence, token: Math.min(from.token, sentences[sentence].tokens.length - 1) };
}

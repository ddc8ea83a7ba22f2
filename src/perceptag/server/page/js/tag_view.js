// The view "Tag": a text, its labels, and a panel about the word that is chosen.
import { follow, tagAgain, tagInput, useAnswer } from "./asking.js";
import { shown as shownText } from "./characters.js";
import { Composer } from "./composer.js";
import { Copying } from "./copying.js";
import { rowsOf } from "./formats.js";
import { html, useCallback, useEffect, useMemo, useRef, useState } from "./html.js";
import { Panel, tabsOf } from "./panel.js";
import { Problems } from "./problems.js";
import { Sentences, elementAt, focusOn } from "./sentences.js";
import { DOUBTFUL, activeLabels, differences, firstOfInterest } from "./views.js";

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").Input} Input
 * @typedef {import("./types.js").TagReply} TagReply
 * @typedef {import("./asking.js").Work} Work
 */

const BESIDE = "(min-width: 68rem)"; // where the panel does not hide the text
const PAUSE = 180; // milliseconds without a key after which a text is tagged

/** Sentences that are as they were stay the same objects, and are not drawn again. @param {TagReply | null} old @param {TagReply} fresh */
function keepSame(old, fresh) {
  if (!old || old.model.digest !== fresh.model.digest) return fresh;
  const sentences = fresh.sentences.map((sentence, s) => {
    const before = old.sentences[s];
    return before && JSON.stringify(before) === JSON.stringify(sentence) ? before : sentence;
  });
  return { ...fresh, sentences };
}

/**
 * The answer to the text on the page, with the model and the input that it belongs to.
 * @param {Model} model @param {Input} input @param {Model[]} models
 */
function useTagged(model, input, models) {
  const last = useRef(/** @type {TagReply | null} */ (null));
  const blank = input.text.trim() === "";
  const ask = async (/** @type {AbortSignal} */ signal) => {
    const reply = keepSame(last.current, await tagInput(model, input, models, signal));
    last.current = reply;
    return { reply, model, rows: input.kind === "columns" ? rowsOf(input.text, input.names) : null };
  };
  const answer = useAnswer(blank ? null : ask, [model, input], PAUSE);
  return { ...answer, blank };
}

/** Labels that the user has set, and those that follow from them. @param {Work | null} work @param {(message: string) => void} onSay */
function useWhatIf(work, onSay) {
  const [pins, setPins] = useState(/** @type {Record<number, Record<number, string>>} */ ({}));
  const [followed, setFollowed] = useState(/** @type {Record<number, any>} */ ({}));
  const [problem, setProblem] = useState(/** @type {Error | null} */ (null));
  const reset = () => {
    setPins({});
    setFollowed({});
    setProblem(null);
  };
  useEffect(reset, [work]);
  const pin = async (/** @type {Place} */ place, /** @type {string} */ label) => {
    if (!work) return;
    const s = place.sentence;
    const wanted = { ...pins[s], [place.token]: label };
    try {
      const labelled = await follow(work, s, wanted);
      const before = (followed[s] ?? activeLabels(work.reply.sentences[s], shownOf(work, false))).labels;
      const moved = differences(before, labelled.labels).filter((t) => t !== place.token).length;
      setPins({ ...pins, [s]: wanted });
      setFollowed({ ...followed, [s]: labelled });
      setProblem(null);
      onSay(moved ? `${moved} other ${moved === 1 ? "label" : "labels"} followed.` : "No other label followed.");
    } catch (error) {
      setProblem(/** @type {Error} */ (error));
    }
  };
  const release = (/** @type {number} */ s) => {
    const without = (/** @type {Record<number, any>} */ all) => Object.fromEntries(Object.entries(all).filter(([key]) => Number(key) !== s));
    setPins(without(pins));
    setFollowed(without(followed));
    setProblem(null);
    onSay("The labels are those of the model again.");
  };
  return { pins, followed, problem, pin, release };
}

/** @param {Work} work @param {boolean} all */
function shownOf(work, all) {
  return { active: work.layer.name, top: work.model.layers[work.model.layers.length - 1].name, all };
}

/**
 * The labels of another model, once they are there.
 * @param {Work | null} work @param {import("./compare.js").Rival | null} rival
 */
function useCompared(work, rival) {
  const same = rival?.model === work?.model && rival?.layer === work?.layer.name;
  const ask = async (/** @type {AbortSignal} */ signal) => {
    if (!work || !rival) return null;
    const reply = await tagAgain(work, rival.model, rival.layer, signal);
    return { work, labels: reply.sentences.map((/** @type {any} */ one) => one.labels) };
  };
  const answer = useAnswer(work && rival && !same ? ask : null, [work, rival]);
  return { problem: answer.problem, value: answer.value?.work === work ? (answer.value?.labels ?? null) : null };
}

/** What is copied: the labels that are shown. @param {Work} work @param {Record<number, any>} followed @returns {TagReply} */
function replyAsShown(work, followed) {
  const { layer, reply } = work;
  const isTop = layer === work.model.layers[work.model.layers.length - 1];
  const sentences = reply.sentences.map((sentence, s) => {
    if (!followed[s]) return sentence;
    const { labels, spans } = followed[s];
    const own = { labels, ...(spans && { spans }) };
    if (!isTop) return { ...sentence, layers: { ...sentence.layers, [layer.name]: own } };
    const { confidence, ...kept } = sentence;
    return { ...kept, ...own };
  });
  return { ...reply, sentences };
}

/**
 * @param {{models: Model[], model: Model, layer: import("./types.js").Layer, input: Input,
 *   onModel: (name: string) => void, onLayer: (name: string) => void, onInput: (input: Input) => void,
 *   onSay: (message: string) => void}} props
 */
export function TagView({ models, model, layer, input, onModel, onLayer, onInput, onSay }) {
  const tagged = useTagged(model, input, models);
  const value = tagged.blank || tagged.problem ? null : tagged.value;
  const isCurrent = value !== null && value.model === model;
  const work = useMemo(
    () => (isCurrent ? { model, layer, reply: value.reply, rows: value.rows } : null),
    [isCurrent, layer, value?.reply],
  );
  const [all, setAll] = useState(true);
  const [place, setPlace] = useState(/** @type {Place | null} */ (null));
  const [closed, setClosed] = useState(() => !matchMedia(BESIDE).matches);
  const [tab, setTab] = useState("why");
  const [calls, setCalls] = useState(0); // of the film by its key: it takes the focus as soon as it is there
  const [rival, setRival] = useState(/** @type {import("./compare.js").Rival | null} */ (null));
  const whatIf = useWhatIf(work, onSay);
  const shown = useMemo(() => (work ? shownOf(work, all) : null), [work?.layer, work?.model, all]);
  const compared = useCompared(work, rival);
  const there = work && shown && place && work.reply.sentences[place.sentence]?.tokens[place.token] !== undefined ? place : null;
  useEffect(() => {
    if (work && shown && !there) setPlace(work.reply.sentences.length ? firstOfInterest(work.reply.sentences, shown) : null);
  }, [work]);
  useEffect(() => {
    if (there && !closed && !matchMedia(BESIDE).matches) elementAt(there)?.scrollIntoView({ block: "nearest" });
  }, [there?.sentence, there?.token, closed]);
  const choose = useCallback((/** @type {Place} */ next) => {
    setPlace(next);
    setClosed(false);
  }, []);
  const go = (/** @type {Place} */ next) => {
    choose(next);
    focusOn(next);
  };
  const press = (/** @type {string} */ key, /** @type {KeyboardEvent} */ event) => {
    const tabOf = /** @type {Record<string, string>} */ ({ Enter: "why", e: "why", n: "alternatives", g: "film", c: "compare" })[key];
    if (tabOf && tabsOf(layer).some((one) => one.id === tabOf)) {
      event.preventDefault();
      setClosed(false);
      setTab(tabOf);
      if (tabOf === "film") setCalls(calls + 1);
      else requestAnimationFrame(() => document.getElementById("tabpanel")?.focus());
    } else if (key === "w") {
      event.preventDefault();
      document.getElementById("what-if")?.focus();
    } else if (key === "d" && work && shown && there) {
      const next = nextDoubtful(work, shown, there);
      if (next) go(next);
      else onSay("No other word is doubtful.");
    } else if (key === "u" && there) {
      whatIf.release(there.sentence);
    }
  };
  const turnTo = (/** @type {string} */ id) => {
    setCalls(0);
    setTab(id);
  };
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && there) focusOn(there);
  };
  return html`<div class=${there && !closed ? "tag-view with-panel" : "tag-view"}>
    <div class="column">
      <${Composer} models=${models} model=${model} input=${input} onModel=${onModel} onInput=${onInput} onSay=${onSay} />
      <section class="result" aria-label="Labels" aria-busy=${tagged.waiting ? "true" : "false"}>
        ${tagged.problem && html`<${Problems} problem=${tagged.problem} />`}
        ${work && shown && html`
          <div class="bar-of-result">
            ${model.layers.length > 1 && html`<${Layers} model=${model} layer=${layer} all=${all} onLayer=${onLayer} onAll=${setAll} />`}
            <${Copying} reply=${() => replyAsShown(work, whatIf.followed)} work=${work} input=${input} onSay=${onSay} />
          </div>
          <${Sentences} sentences=${work.reply.sentences} shown=${shown} place=${there} followed=${whatIf.followed}
            pins=${whatIf.pins} others=${compared.value} onPlace=${choose} onKey=${press} />
          <${Notes} reply=${work.reply} />`}
        ${tagged.blank && html`<p class="quiet">The labels appear here as you type.</p>`}
      </section>
    </div>
    <div class="side" onKeyDown=${escape}>
      ${work && shown && there && !closed && html`<${Panel} models=${models} work=${work} shown=${shown} place=${there}
        pins=${whatIf.pins} followed=${whatIf.followed} problem=${whatIf.problem} tab=${tab} rival=${rival} answer=${compared}
        calls=${calls} onTab=${turnTo} onPin=${whatIf.pin} onRelease=${whatIf.release} onRival=${setRival} onPlace=${go} onClose=${() => setClosed(true)} />`}
    </div>
  </div>`;
}

/** @param {Work} work @param {import("./views.js").Shown} shown @param {Place} from @returns {Place | null} */
function nextDoubtful(work, shown, from) {
  const { sentences } = work.reply;
  for (let i = 0; i <= sentences.length; i += 1) {
    const s = (from.sentence + i) % sentences.length;
    const sure = activeLabels(sentences[s], shown).confidence ?? [];
    const t = sure.findIndex((share, k) => share < DOUBTFUL && (i > 0 || k > from.token));
    if (t >= 0) return { sentence: s, token: t };
  }
  return null;
}

/** @param {Record<string, any>} props */
function Layers({ model, layer, all, onLayer, onAll }) {
  return html`<div class="layers">
    <fieldset>
      <legend class="heard">Layer</legend>
      ${model.layers.map((/** @type {any} */ one) => html`<label class=${one === layer ? "chosen" : ""}>
        <input type="radio" name="layer" class="heard" checked=${one === layer} onChange=${() => onLayer(one.name)} />${shownText(one.name)}</label>`)}
    </fieldset>
    <label class="check"><input type="checkbox" checked=${all} onChange=${(/** @type {any} */ event) => onAll(event.target.checked)} /> show all</label>
  </div>`;
}

/** @param {{reply: TagReply}} props */
function Notes({ reply }) {
  const { notes, tokenizer, model } = reply;
  const helped = tokenizer && tokenizer !== "own" && tokenizer !== "white-space" ? [`Words are those of the tokeniser of ${tokenizer}.`] : [];
  const listed = [...helped, ...notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`)];
  return html`<div class="notes quiet">${listed.map((note) => html`<p>${shownText(note)}</p>`)}<p>Model ${shownText(model.name)}, <code>${model.digest.replace("sha256:", "").slice(0, 12)}</code></p></div>`;
}

// The view "Tag": a text, its labels, and a panel about the word that is chosen.
import { shown as shownText } from "./characters.js";
import { actOnKey, usePlace, useTab } from "./choosing.js";
import { Composer } from "./composer.js";
import { Copying } from "./copying.js";
import { EVERYTHING, Entities, entitiesOf, passes } from "./entities.js";
import { html, useMemo, useState } from "./html.js";
import { Panel } from "./panel.js";
import { Problems } from "./problems.js";
import { RunningText, piecesOf } from "./running_text.js";
import { Sentences, focusOn } from "./sentences.js";
import { shownOf, useCompared, useTagged } from "./tagging.js";
import { useWhatIf } from "./what_if.js";

/** @typedef {import("./types.js").Changed} Changed */

const ARTICLE = 300; // words: a longer text begins as running text, with one layer

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Layer} Layer
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").Input} Input
 */

/**
 * @param {{models: Model[], model: Model, layer: Layer, input: Input, onModel: (name: string) => void,
 *   onLayer: (name: string) => void, onInput: (input: Input) => void, onExample: (input: Input, layer?: string) => void,
 *   onSay: (message: string) => void}} props
 */
export function TagView({ models, model, layer, input, onModel, onLayer, onInput, onExample, onSay }) {
  const { work, problem, waiting, blank, gone } = useTagged(model, layer, input, models);
  const isLong = (work?.reply.sentences.reduce((sum, one) => sum + one.tokens.length, 0) ?? 0) > ARTICLE;
  const [wanted, want] = useState(/** @type {{all?: boolean, running?: boolean}} */ ({}));
  const all = wanted.all ?? !isLong;
  const [rival, setRival] = useState(/** @type {import("./compare.js").Rival | null} */ (null));
  const shown = useMemo(() => (work ? shownOf(work, all) : null), [work?.layer, work?.model, all]);
  const hasSpans = layer.can.includes("spans");
  const running = hasSpans && (wanted.running ?? isLong);
  const [filter, setFilter] = useState(EVERYTHING);
  const entities = useMemo(() => (work && shown ? entitiesOf(work.reply.sentences, shown) : []), [work, shown]);
  const pieces = useMemo(() => {
    const marked = entities.filter((entity) => passes(entity, filter));
    return work && hasSpans ? piecesOf(work.reply.sentences, work.given.text, marked) : null;
  }, [entities, filter]);
  const { place, open, choose, close } = usePlace(work, shown, input.word);
  const { tab, calls, turnTo, call } = useTab();
  const whatIf = useWhatIf(work, onSay);
  const compared = useCompared(work, rival, models);
  const go = (/** @type {Place} */ next) => {
    choose(next);
    focusOn(next);
  };
  const press = (/** @type {string} */ key, /** @type {KeyboardEvent} */ event) => {
    if (!work || !shown || !place) return;
    const done = actOnKey({ models, work, shown, place, choose, call, release: whatIf.release, onSay }, key);
    if (done) event.preventDefault();
  };
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape" && place) focusOn(place);
  };
  const layers = html`<${Layers} model=${model} layer=${layer} all=${running ? null : all} onLayer=${onLayer}
    onAll=${(/** @type {boolean} */ on) => want({ ...wanted, all: on })} />`;
  const ways = html`<${Ways} running=${running} onRunning=${(/** @type {boolean} */ on) => want({ ...wanted, running: on })} />`;
  const text = () => html`<${Entities} entities=${entities} filter=${filter} onFilter=${setFilter} onPlace=${go} />
    <${RunningText} pieces=${pieces} sentences=${work?.reply.sentences} place=${place} onPlace=${choose} />`;
  const words = () => html`<${Sentences} sentences=${work?.reply.sentences} shown=${shown} place=${place}
    followed=${whatIf.followed} pins=${whatIf.pins} others=${compared.value} onPlace=${choose} onKey=${press} />`;
  const labels = () => html`<div class="bar-of-result">
      ${hasSpans && ways}
      ${model.layers.length > 1 && layers}
      <${Copying} work=${work} input=${input} isSet=${Object.keys(whatIf.pins).length > 0}
        pieces=${pieces} onSay=${onSay} />
    </div>
    ${running ? text() : words()}
    <${Notes} reply=${work?.reply} />`;
  const panel = () => html`<${Panel} models=${models} work=${work} shown=${shown} place=${place} pins=${whatIf.pins}
    followed=${whatIf.followed} problem=${whatIf.problem} tab=${tab} calls=${calls} rival=${rival} answer=${compared}
    onTab=${turnTo} onPin=${whatIf.pin} onRelease=${whatIf.release} onRival=${setRival} onPlace=${go} onClose=${close}
      />`;
  return html`<div class=${open ? "tag-view with-panel" : "tag-view"}>
    <div class="column">
      <${Composer} models=${models} model=${model} input=${input} onModel=${onModel} onInput=${onInput}
        onExample=${onExample} onSay=${onSay} />
      <section class=${gone ? "result old" : "result"} aria-label="Labels" aria-busy=${waiting ? "true" : "false"}>
        ${problem && html`<${Problems} problem=${problem} />`}
        ${gone && work && html`<p class="quiet">These are the last labels. The page asks again by itself.</p>`}
        ${work && shown && labels()}
        ${blank && html`<p class="quiet">The labels appear here as you type.</p>`}
      </section>
    </div>
    <div class="side" onKeyDown=${leave}>${work && shown && open && panel()}</div>
  </div>`;
}

/** The text as it was written, or word by word. @param {{running: boolean, onRunning: (running: boolean) => void}} props */
function Ways({ running, onRunning }) {
  const choice = (/** @type {boolean} */ on, /** @type {string} */ name) =>
    html`<label class=${on === running ? "chosen" : ""}>
    <input type="radio" name="way" class="heard" checked=${on === running} onChange=${() => onRunning(on)} />${name}</label>`;
  return html`<div class="layers">
    <fieldset><legend class="heard">View</legend>${choice(true, "Text")}${choice(false, "Words")}</fieldset>
  </div>`;
}

/** @param {Record<string, any>} props */
function Layers({ model, layer, all, onLayer, onAll }) {
  const choice = (/** @type {Layer} */ one) => html`<label class=${one === layer ? "chosen" : ""}>
    <input type="radio" name="layer" class="heard" checked=${one === layer} onChange=${() => onLayer(one.name)} />
    ${shownText(one.name)}
  </label>`;
  const turn = (/** @type {Changed} */ event) => onAll(event.target.checked);
  return html`<div class="layers">
    <fieldset><legend class="heard">Layer</legend>${model.layers.map(choice)}</fieldset>
    ${all !== null && html`<label class="check"><input type="checkbox" checked=${all} onChange=${turn} /> show all</label>`}
  </div>`;
}

/** @param {{reply: import("./types.js").TagReply}} props */
function Notes({ reply }) {
  const { notes, tokenizer, model } = reply;
  const borrowed = tokenizer && tokenizer !== "own" && tokenizer !== "white-space";
  const listed = [
    ...(borrowed ? [`Words are those of the tokeniser of ${tokenizer}.`] : []),
    ...notes.map((note) => `${note.charAt(0).toUpperCase()}${note.slice(1)}.`),
  ];
  return html`<div class="notes quiet">
    ${listed.map((note) => html`<p>${shownText(note)}</p>`)}
    <p>Model ${shownText(model.name)}</p>
  </div>`;
}

// Two models on the same words: where their labels differ.
import { shown } from "./characters.js";
import { html } from "./html.js";
import { kindOf } from "./labels.js";
import { Problems } from "./problems.js";
import { activeLabels, differences } from "./views.js";

/** @typedef {import("./types.js").Changed} Changed */

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./asking.js").Work} Work
 * @typedef {{model: Model, layer: string}} Rival
 */

/** Kinds of labels without those that say nothing. @param {import("./types.js").Layer} layer */
function kindsOf(layer) {
  return new Set(layer.labels.map(kindOf).filter((kind) => /\w/.test(kind) && kind !== "O"));
}

/** Whether two layers give much the same labels: half of those of the smaller one. @param {any} a @param {any} b */
function shareLabels(a, b) {
  const [mine, theirs] = [kindsOf(a), kindsOf(b)];
  const both = [...mine].filter((kind) => theirs.has(kind)).length;
  const smaller = Math.min(mine.size, theirs.size);
  return smaller === 0 ? mine.size === theirs.size && a.scheme === b.scheme : both >= smaller / 2;
}

/** Layers that give such labels too and read what is there. @param {Model[]} models @param {Work} work @returns {Rival[]} */
export function rivalsOf(models, work) {
  const columns = work.given.rows ? Object.keys(work.given.rows[0]?.[0] ?? {}) : ["form"];
  const readable = models.filter((model) => model.columns.every((column) => columns.includes(column)));
  return readable.flatMap((model) =>
    model.layers
      .filter((layer) => !(model === work.model && layer === work.layer) && shareLabels(layer, work.layer))
      .map((layer) => ({ model, layer: layer.name })),
  );
}

/** @param {Rival} rival */
function nameOf(rival) {
  return rival.model.layers.length > 1 ? `${rival.model.name}, ${rival.layer}` : rival.model.name;
}

/**
 * @param {{models: Model[], work: Work, rival: Rival | null, answer: {value: any, problem: Error | null},
 *   shown: import("./views.js").Shown, onRival: (rival: Rival | null) => void,
 *   onPlace: (place: import("./types.js").Place) => void}} props
 */
export function Compare({ models, work, rival, answer, shown: what, onRival, onPlace }) {
  const rivals = rivalsOf(models, work);
  const found = () =>
    html`<${Found} work=${work} labels=${answer.value} rival=${rival} what=${what} onPlace=${onPlace} />`;
  const chosen = rival ? rivals.findIndex((one) => one.model === rival.model && one.layer === rival.layer) : -1;
  return html`<label class="field">Compare with ${" "}
      <select onChange=${(/** @type {Changed} */ e) => onRival(rivals[Number(e.target.value)] ?? null)}>
        <option value="-1" selected=${chosen < 0}>no other model</option>
        ${rivals.map((one, i) => html`<option value=${i} selected=${i === chosen}>${nameOf(one)}</option>`)}
      </select></label>
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${answer.value && rival && found()}`;
}

const MOST = 200; // differences that are listed

/** @param {{work: Work, labels: string[][], rival: Rival, what: any, onPlace: (place: any) => void}} props */
function Found({ work, labels, rival, what, onPlace }) {
  const { sentences } = work.reply;
  const mine = sentences.map((sentence) => activeLabels(sentence, what).labels);
  const places = sentences.flatMap((_, s) =>
    differences(mine[s], labels[s] ?? []).map((token) => ({ sentence: s, token })),
  );
  const words = sentences.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
  const said = places.length
    ? `${places.length} of ${words} words differ.`
    : `All ${words} words have the same labels.`;
  const row = (/** @type {{sentence: number, token: number}} */ place) => {
    const { sentence, token } = place;
    const word = html`<bdi>${shown(sentences[sentence].tokens[token])}</bdi>`;
    return html`<tr>
      <th scope="row"><button type="button" class="plain" onClick=${() => onPlace(place)}>${word}</button></th>
      <td>${shown(mine[sentence][token])}</td>
      <td>${shown(labels[sentence][token])}</td>
    </tr>`;
  };
  const names = [work.model.name, nameOf(rival)].map((name) => html`<th scope="col">${shown(name)}</th>`);
  const table = () => html`<table class="reasons compared">
    <thead><tr><th scope="col">word</th>${names}</tr></thead>
    <tbody>${places.slice(0, MOST).map(row)}</tbody>
  </table>`;
  return html`<p class="lead" role="status">${said}</p>
    ${places.length > 0 && table()}
    ${places.length > MOST && html`<p class="quiet">The first ${MOST} are listed.</p>`}`;
}

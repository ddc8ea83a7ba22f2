// Two models on the same words: where their labels differ.
import { shown } from "./characters.js";
import { html } from "./html.js";
import { Problems } from "./problems.js";
import { activeLabels, differences } from "./views.js";

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./asking.js").Work} Work
 * @typedef {{model: Model, layer: string}} Rival
 */

/** Every layer of every model but the one that is shown. @param {Model[]} models @param {Work} work @returns {Rival[]} */
export function rivalsOf(models, work) {
  return models.flatMap((model) =>
    model.layers
      .filter((layer) => !(model === work.model && layer === work.layer))
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
  if (!rivals.length) {
    return html`<p>Only one model is served. To compare two, start the server with both:</p>
      <pre>perceptag serve --model a=A.model --model b=B.model</pre>`;
  }
  const chosen = rival ? rivals.findIndex((one) => one.model === rival.model && one.layer === rival.layer) : -1;
  return html`<label class="field">Compare with ${" "}
      <select onChange=${(/** @type {any} */ e) => onRival(rivals[Number(e.target.value)] ?? null)}>
        <option value="-1" selected=${chosen < 0}>no other model</option>
        ${rivals.map((one, i) => html`<option value=${i} selected=${i === chosen}>${nameOf(one)}</option>`)}
      </select></label>
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${answer.value && rival && html`<${Found} work=${work} labels=${answer.value} rival=${rival} what=${what} onPlace=${onPlace} />`}`;
}

const MOST = 200; // differences that are listed

/** @param {{work: Work, labels: string[][], rival: Rival, what: any, onPlace: (place: any) => void}} props */
function Found({ work, labels, rival, what, onPlace }) {
  const { sentences } = work.reply;
  const places = sentences.flatMap((sentence, s) =>
    differences(activeLabels(sentence, what).labels, labels[s] ?? []).map((token) => ({ sentence: s, token })),
  );
  const words = sentences.reduce((sum, sentence) => sum + sentence.tokens.length, 0);
  return html`<p class="lead" role="status">${places.length ? `${places.length} of ${words} words differ.` : `All ${words} words have the same labels.`}</p>
    ${places.length > 0 &&
    html`<table class="reasons compared">
      <thead>
        <tr><th scope="col">word</th><th scope="col">${shown(work.model.name)}</th><th scope="col">${shown(nameOf(rival))}</th></tr>
      </thead>
      <tbody>
        ${places.slice(0, MOST).map(({ sentence, token }) => html`<tr>
          <th scope="row"><button type="button" class="plain" onClick=${() => onPlace({ sentence, token })}><bdi>${shown(sentences[sentence].tokens[token])}</bdi></button></th>
          <td>${shown(activeLabels(sentences[sentence], what).labels[token])}</td>
          <td>${shown(labels[sentence][token])}</td>
        </tr>`)}
      </tbody>
    </table>`}
    ${places.length > MOST && html`<p class="quiet">The first ${MOST} are listed.</p>`}`;
}

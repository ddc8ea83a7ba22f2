// The view "Models": what is served, and what can be asked of it.
import { shown } from "./characters.js";
import { html } from "./html.js";
import { hueStyle, kindOf } from "./labels.js";

/** @typedef {import("./types.js").Model} Model @typedef {import("./types.js").Layer} Layer */

const ABILITIES = [
  ["explain", "say why"],
  ["nbest", "give alternatives"],
  ["order", "show its order"],
  ["given", "follow labels that are set"],
  ["confidence", "say how sure it is"],
];

/** @param {{models: Model[], onModel: (name: string) => void}} props */
export function ModelsView({ models, onModel }) {
  return html`<div class="page">
    <h1>Models</h1>
    ${models.map((model) => html`<section class="model" aria-label=${model.name}>
      <h2>${shown(model.name)} <button type="button" onClick=${() => onModel(model.name)}>Try it</button></h2>
      <p class="quiet">${model.has_tokenizer ? "Takes running text." : `Takes ${model.columns.length > 1 ? `the columns ${model.columns.join(", ")}` : "words"}.`} SHA-256 <code>${model.digest.replace("sha256:", "").slice(0, 16)}</code></p>
      ${model.layers.map((layer) => html`<${LayerCard} layer=${layer} alone=${model.layers.length === 1} />`)}
    </section>`)}
  </div>`;
}

/** @param {{layer: Layer, alone: boolean}} props */
function LayerCard({ layer, alone }) {
  const kinds = [...new Set(layer.labels.map((label) => (layer.scheme === "none" ? label : kindOf(label))))].filter((kind) => kind !== "O");
  return html`<div class="layer-card">
    ${!alone && html`<h3>${shown(layer.name)}</h3>`}
    <dl>
      <dt>Learner</dt><dd>${shown(layer.learner)}, recipe ${shown(layer.recipe)}</dd>
      <dt>Looks at</dt><dd>${layer.columns.map(shown).join(", ")}${layer.looks_at_documents ? ", and at whole documents" : ""}</dd>
      <dt>It can</dt><dd>${ABILITIES.filter(([name]) => layer.can.includes(name)).map(([, words]) => words).join(", ") || "tag"}</dd>
      <dt>${layer.scheme === "none" ? "Labels" : "Spans"}</dt>
      <dd><ul class="label-list">${kinds.map((kind) => html`<li class="label" style=${hueStyle(kind)}>${shown(kind)}</li>`)}</ul></dd>
    </dl>
  </div>`;
}

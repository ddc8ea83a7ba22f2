// The view "Models": what is served, and what can be asked of it.
import { shown } from "./characters.js";
import { html } from "./html.js";
import { toneStyle, kindOf } from "./labels.js";

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
    ${models.map((model) => html`<${ModelCard} model=${model} onModel=${onModel} />`)}
  </div>`;
}

/** @param {{model: Model, onModel: (name: string) => void}} props */
function ModelCard({ model, onModel }) {
  const { name, columns, layers } = model;
  const words = columns.length > 1 ? `the columns ${columns.join(", ")}` : "words";
  const takes = model.has_tokenizer ? "running text" : words;
  return html`<section class="model" aria-label=${name}>
    <h2>${shown(name)} <button type="button" onClick=${() => onModel(name)}>Try it</button></h2>
    <p class="quiet">Takes ${shown(takes)}.</p>
    ${layers.map((layer) => html`<${LayerCard} layer=${layer} alone=${layers.length === 1} />`)}
  </section>`;
}

/** @param {{layer: Layer, alone: boolean}} props */
function LayerCard({ layer, alone }) {
  const { name, learner, recipe, columns, scheme, labels, can } = layer;
  const kinds = new Set(labels.map((label) => (scheme === "none" ? label : kindOf(label))));
  const abilities = ABILITIES.filter(([ability]) => can.includes(ability)).map(([, words]) => words);
  const chip = (/** @type {string} */ kind) => html`<li class="label" style=${toneStyle(kind)}>${shown(kind)}</li>`;
  return html`<div class="layer-card">
    ${!alone && html`<h3>${shown(name)}</h3>`}
    <dl>
      <dt>Learner</dt><dd>${shown(learner)}, recipe ${shown(recipe)}</dd>
      <dt>Looks at</dt>
      <dd>${shown(columns.join(", "))}${layer.looks_at_documents ? ", and at whole documents" : ""}</dd>
      <dt>It can</dt><dd>${abilities.join(", ") || "tag"}</dd>
      <dt>${scheme === "none" ? "Labels" : "Spans"}</dt>
      <dd><ul class="label-list">${[...kinds].filter((kind) => kind !== "O").map(chip)}</ul></dd>
    </dl>
  </div>`;
}

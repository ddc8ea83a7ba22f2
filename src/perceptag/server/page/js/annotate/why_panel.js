// Why the model of the project gives a word its label: the panel of the view "Tag", for the sentence in front.
import { get } from "../api.js";
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useMemo } from "../html.js";
import { Problems } from "../problems.js";
import { Head, Why } from "../why.js";

const NO_PINS = Object.freeze({});

/** @param {{session: import("./project_session.js").ProjectSession, edit: import("./sentence_edit.js").Edit, cursor: number, onClose: () => void}} props */
export function Reasons({ session, edit, cursor, onClose }) {
  const version = session.project.version?.id ?? null;
  const answer = useAnswer(version === null ? null : (signal) => get("v1/models/project", signal), [version]);
  const model = /** @type {import("../types.js").Model | null} */ (answer.value);
  const { item } = edit;
  const work = useMemo(() => model && workOf(model, item), [model, item]);
  const label = item.proposal?.labels[cursor] ?? edit.labels[cursor] ?? "?";
  const sure = item.proposal?.confidence?.[cursor];
  const ruled = item.proposal?.spans?.find((span) => span.rule && span.start <= cursor && cursor < span.end);
  return html`<aside class="panel" aria-label="Why">
    <button type="button" class="close" aria-label="Close" onClick=${onClose}>×</button>
    <${Head} token=${item.tokens[cursor]} label=${label} confidence=${sure} />
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${ruled && html`<p class="rule">Rule <b>${shown(ruled.rule ?? "")}</b> says ${shown(ruled.label)}.</p>`}
    ${version === null && !ruled && html`<p>There is no model yet: label some sentences first.</p>`}
    ${work && html`<${Why} work=${work} place=${{ sentence: 0, token: cursor }} label=${label} pins=${NO_PINS} />`}
  </aside>`;
}

/** The sentence as the view "Tag" would have it. @param {import("../types.js").Model} model @param {import("./types.js").Item} item */
function workOf(model, item) {
  const layer = model.layers[model.layers.length - 1];
  const sentence = { tokens: item.tokens, labels: item.proposal?.labels ?? [] };
  const names = model.columns.filter((name) => item.columns[name]);
  const rows = [
    item.tokens.map((form, t) => Object.fromEntries([["form", form], ...names.map((n) => [n, item.columns[n][t]])])),
  ];
  const reply = {
    model: { name: model.name, digest: model.digest },
    layer: layer.name,
    sentences: [sentence],
    notes: [],
  };
  return { model, layer, reply, given: model.columns.length > 1 ? { rows } : {} };
}

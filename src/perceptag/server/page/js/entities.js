// The spans of a text: which there are and how often, and which of them are shown.
import { shown } from "./characters.js";
import { html, useRef } from "./html.js";
import { meaningOf, percent, toneStyle } from "./labels.js";
import { activeLabels } from "./views.js";

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").Place} Place
 * @typedef {{text: string, label: string, confidence?: number, sentence: number, start: number, end: number}} Entity
 * @typedef {{hidden: string[], least: number}} Filter labels that are not shown, and the least confidence
 */

/** @type {Filter} */
export const EVERYTHING = { hidden: [], least: 0 };
const LEAST = [0, 0.5, 0.8, 0.9, 0.95];

/** All spans of the active layer, in their order. @param {Sentence[]} sentences @param {import("./views.js").Shown} what */
export function entitiesOf(sentences, what) {
  return sentences.flatMap((sentence, s) =>
    (activeLabels(sentence, what).spans ?? []).map((span) => ({
      ...span,
      sentence: s,
      text: span.text ?? sentence.tokens.slice(span.start, span.end).join(" "),
    })),
  );
}

/** @param {Entity} entity @param {Filter} filter */
export function passes(entity, filter) {
  return !filter.hidden.includes(entity.label) && (entity.confidence ?? 1) >= filter.least;
}

/** The same words with the same label, most frequent first. @param {Entity[]} entities @returns {Entity[][]} */
function groupsOf(entities) {
  /** @type {Map<string, Entity[]>} */
  const groups = new Map();
  for (const entity of entities) {
    const key = `${entity.label} ${entity.text}`;
    groups.set(key, [...(groups.get(key) ?? []), entity]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/**
 * @param {{entities: Entity[], filter: Filter, onFilter: (filter: Filter) => void, onPlace: (place: Place) => void}} props
 */
export function Entities({ entities, filter, onFilter, onPlace }) {
  const labels = [...new Set(entities.map((entity) => entity.label))].sort();
  const listed = groupsOf(entities.filter((entity) => passes(entity, filter)));
  const visits = useRef(/** @type {Record<string, number>} */ ({}));
  const visit = (/** @type {Entity[]} */ group) => {
    const key = `${group[0].label} ${group[0].text}`;
    const number = visits.current[key] ?? 0; // each click leads to the next of them
    visits.current[key] = number + 1;
    const { sentence, start } = group[number % group.length];
    onPlace({ sentence, token: start });
  };
  const turn = (/** @type {string} */ label) => {
    const { hidden } = filter;
    onFilter({ ...filter, hidden: hidden.includes(label) ? hidden.filter((l) => l !== label) : [...hidden, label] });
  };
  const toggle = (/** @type {string} */ label) => html`<label class="check" title=${meaningOf(label)}>
    <input type="checkbox" checked=${!filter.hidden.includes(label)} onChange=${() => turn(label)} />
    <span class="label" style=${toneStyle(label)}>${shown(label)}</span>
    <span class="quiet">${entities.filter((entity) => entity.label === label).length}</span>
  </label>`;
  const item = (/** @type {Entity[]} */ group) => html`<li>
    <button type="button" class="plain" onClick=${() => visit(group)}><bdi>${shown(group[0].text)}</bdi></button>
    <span class="label" style=${toneStyle(group[0].label)}>${shown(group[0].label)}</span>
    ${group.length > 1 && html` <span class="quiet">× ${group.length}</span>`}
  </li>`;
  const least = html`<label class="field">Sure, at least
    <select onChange=${(/** @type {any} */ event) => onFilter({ ...filter, least: Number(event.target.value) })}>
      ${LEAST.map((share) => html`<option value=${share} selected=${share === filter.least}>${share ? percent(share) : "any"}</option>`)}
    </select></label>`;
  return html`<section class="entities" aria-label="Entities">
    <div class="filter" role="group" aria-label="Which are shown">
      ${labels.map(toggle)}
      ${entities.some((entity) => entity.confidence !== undefined) && least}
    </div>
    <ul>${listed.map(item)}</ul>
  </section>`;
}

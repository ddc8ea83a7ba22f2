// The view "Sentences": all of them, filtered, ordered, one click from being edited.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { percent } from "../labels.js";
import { Problems } from "../problems.js";
import { read } from "./calls.js";
import { PagedSentences } from "./paged_sentences.js";
import { PlainSentence } from "./plain_sentence.js";
import { drawable } from "./sentence_box.js";
import { useStores } from "./store.js";
import { VirtualList } from "./virtual_list.js";
import { counted } from "./figures.js";

/** @typedef {import("../types.js").Changed} Changed */

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./paged_sentences.js").Filter} Filter
 */

const ROW = 56; // pixels at the usual size of letters
const WORDS = 40;
const PAUSE = 250; // milliseconds
const STATES = [
  ["", "all"],
  ["new", "not labelled"],
  ["labelled", "labelled"],
  ["skipped", "skipped"],
  ["draft", "with marked words"],
];
const ORDERS = [
  ["position", "as in the text"],
  ["confidence", "least sure first"],
  ["recent", "last changed first"],
];
/** @type {Filter} */
const NO_FILTER = {
  status: "",
  flagged: "",
  label: "",
  q: "",
  order: "position",
  who: "",
  commented: "",
  doubtful: "",
};

/** @param {{session: import("./project_session.js").ProjectSession, visit: import("../fragment.js").Fragment | null}} props */
export function SentencesView({ session, visit }) {
  const [filter, setFilter] = useState({ ...NO_FILTER, label: visit?.label ?? "", who: visit?.who ?? "" });
  const [place, setPlace] = useState(0);
  const list = useMemo(() => new PagedSentences(filter), [filter]);
  useStores(list);
  useEffect(() => {
    list.start();
    setPlace(0);
  }, [list]);
  useEffect(() => {
    const isAsked = (visit?.label && visit.label !== filter.label) || (visit?.who && visit.who !== filter.who);
    if (visit && isAsked) setFilter({ ...NO_FILTER, label: visit.label, who: visit.who });
    else if (visit && list.total !== null) list.forget(); // labels may have changed meanwhile
  }, [visit]);
  const height = useRowHeight();
  const { kind } = session.project;
  const open = (/** @type {number} */ i) => {
    const [item] = list.part(i, i + 1);
    if (item) location.hash = `annotate?sentence=${item.id}`;
  };
  return html`<div class="sentences-view">
    <h1>Sentences</h1>
    <${Filters} session=${session} filter=${filter} onFilter=${setFilter} />
    ${list.problem && html`<${Problems} problem=${list.problem} />`}
    <p class="quiet" role="status">${list.total === null ? "…" : counted(list.total, "sentence")}</p>
    ${
      list.total
        ? html`<${VirtualList} total=${list.total} height=${height} name="Sentences" place=${place} onPlace=${setPlace}
      onEnter=${open} rows=${(/** @type {number} */ a, /** @type {number} */ b) => list.part(a, b)}
      draw=${(/** @type {Item | null} */ item) => html`<${Row} item=${item} kind=${kind} />`} />`
        : null
    }
  </div>`;
}

/** Rows grow with the letters. */
function useRowHeight() {
  const [size, setSize] = useState(16);
  useEffect(() => setSize(parseFloat(getComputedStyle(document.documentElement).fontSize) || 16), []);
  return Math.round((ROW * size) / 16);
}

/** @param {{item: Item | null, kind: string}} props */
function Row({ item, kind }) {
  if (!item) return html`<span class="quiet">…</span>`;
  const labels =
    item.labels ?? item.proposal?.labels ?? item.draft ?? item.tokens.map(() => (kind === "spans" ? "O" : "?"));
  const sure = item.why?.confidence ?? weakest(item);
  const state = item.labels ? "labelled" : item.status === "skipped" ? "skipped" : item.proposal ? "proposed" : "";
  return html`<span class="row-number quiet">${item.id}${
    item.flagged
      ? html` <span title="flagged"
    aria-label="flagged">⚑</span>`
      : ""
  }</span>
    <${PlainSentence} sentence=${drawable(item, labels, kind)} most=${WORDS} />
    <span
      class=${`row-state quiet ${state}`}>${state}${!item.labels && sure !== null ? ` ${percent(sure)}` : ""}</span>`;
}

/** @param {Item} item */
function weakest(item) {
  const sure = item.proposal?.confidence;
  return sure?.length ? Math.min(...sure) : null;
}

/** The people who have labelled something, and the one who is chosen. @param {string} chosen */
function usePeople(chosen) {
  const answer = useAnswer((signal) => read("/progress", {}, signal), []);
  const found = /** @type {import("./types.js").Progress | null} */ (answer.value);
  return [...new Set([...(found?.people ?? []).map((one) => one.who), ...(chosen ? [chosen] : [])])];
}

/** @param {{session: import("./project_session.js").ProjectSession, filter: Filter, onFilter: (next: (old: Filter) => Filter) => void}} props */
function Filters({ session, filter, onFilter }) {
  const [text, setText] = useState(filter.q);
  const set = (/** @type {Partial<Filter>} */ part) => onFilter((old) => ({ ...old, ...part })); // what was chosen meanwhile stays
  useEffect(() => {
    if (text === filter.q) return undefined;
    const timer = setTimeout(() => set({ q: text }), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const people = usePeople(filter.who);
  const labels = [["", "any"], ...session.project.labels.map((one) => [one.name, one.name])];
  const choice = (/** @type {string} */ name, /** @type {keyof Filter} */ key, /** @type {string[][]} */ options) =>
    html`<label class="field">${name} <select value=${filter[key]}
      onChange=${(/** @type {Changed} */ event) => set({ [key]: event.target.value })}>
      ${options.map(
        ([value, words]) => html`<option value=${value}
        selected=${value === filter[key]}>${shown(words)}</option>`,
      )}
    </select></label>`;
  const check = (/** @type {string} */ name, /** @type {keyof Filter} */ key) =>
    html`<label class="check"><input type="checkbox" checked=${filter[key] === "1"}
      onChange=${(/** @type {Changed} */ event) => set({ [key]: event.target.checked ? "1" : "" })} /> ${name}</label>`;
  return html`<div class="filters" role="search" aria-label="Sentences">
    <label class="field search-field">Words <input type="text" value=${text} spellcheck=${false}
      onInput=${(/** @type {Changed} */ event) => setText(event.target.value)} /></label>
    ${choice("Status", "status", STATES)} ${choice("Label", "label", labels)} ${choice("Order", "order", ORDERS)}
    ${people.length > 1 && choice("Person", "who", [["", "any"], ...people.map((name) => [name, name])])}
    ${check("flagged", "flagged")} ${check("with comments", "commented")} ${check("model in doubt", "doubtful")}
  </div>`;
}

// The four kinds of issues, and how each is drawn.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html } from "../html.js";
import { hueStyle, percent } from "../labels.js";
import { signed } from "../numbers.js";
import { sentence as fetchSentence } from "./calls.js";
import { PlainSentence } from "./plain_sentence.js";
import { drawable } from "./sentence_box.js";

/** @typedef {Record<string, any>} Issue */
/** @typedef {{take: (issue: Issue, side?: number) => void, leave: (issue: Issue) => void}} Does */

/** @type {Record<string, {name: string, about: string}>} */
export const KINDS = {
  errors: {
    name: "Doubtful labels",
    about: "Labels that models doubt which have not seen them, the most doubtful first. Many of them are wrong.",
  },
  inconsistent: {
    name: "Labelled in two ways",
    about: "The same words with different labels. Sometimes both are right: see what the model goes by on each side.",
  },
  labels: { name: "Misspelt names", about: "Names of labels that occur rarely and look like another one." },
  scheme: { name: "Broken spans", about: "Labels that do not fit together, such as the inside of a span that has not begun." },
};

/** @param {string} kind @param {Issue} issue */
export function nameOfIssue(kind, issue) {
  const { id, start, token, given, suggested, words, name, found } = issue;
  return JSON.stringify([kind, id, start ?? token, given ?? found ?? name, suggested, words].filter((part) => part !== undefined));
}

/** @param {string} label */
function chip(label) {
  return html`<b class="label" style=${hueStyle(label)}>${shown(label)}</b>`;
}

/** @param {Issue} issue @param {any} bench @param {Does} does @param {string} what */
function buttons(issue, bench, does, what) {
  return bench.mayEdit
    ? html`<div class="issue-buttons"><button type="button" onClick=${() => does.take(issue)}>${what} <kbd aria-hidden="true">t</kbd></button>
        <button type="button" onClick=${() => does.leave(issue)}>Dismiss <kbd aria-hidden="true">x</kbd></button></div>`
    : null;
}

/** The sentence of an issue, fetched if it did not come with it. @param {{issue: Issue, bench: any}} props */
function InContext({ issue, bench }) {
  const answer = useAnswer(issue.tokens ? null : (signal) => fetchSentence(issue.id, signal), [issue.id]);
  const item = issue.tokens ? issue : /** @type {any} */ (answer.value);
  if (!item) return html`<p class="plain-sentence quiet">…</p>`;
  const labels = item.given_labels ?? (issue.tokens ? null : item.labels) ?? item.tokens.map(() => (bench.project.kind === "spans" ? "O" : "?"));
  const from = issue.start ?? issue.token ?? 0;
  const mark = { from, to: (issue.end ?? from + 1) - 1 };
  const drawn = drawable({ ...item, labels, proposal: null }, labels, bench.project.kind);
  const plain = issue.tokens && !item.given_labels ? { ...drawn, spans: [] } : drawn;
  return html`<a class="to-sentence" href=${`#annotate?sentence=${issue.id}&word=${from}`}>
    <${PlainSentence} sentence=${plain} mark=${mark} most=${40} /></a>`;
}

/** @param {any} reason what a model goes by, in words or as features */
function reasonWords(reason) {
  if (!reason) return null;
  if (typeof reason === "string") return html`<p class="quiet">${shown(reason)}</p>`;
  const list = Array.isArray(reason) ? reason : [...(reason.for ?? []), ...(reason.against ?? [])];
  return html`<p class="quiet">${list.slice(0, 4).map((/** @type {any} */ one, /** @type {number} */ i) =>
    html`${i ? ", " : ""}<code>${shown(String(one.feature ?? one.name ?? one))}</code>${typeof one.weight === "number" ? ` ${signed(one.weight)}` : ""}`)}</p>`;
}

/** @param {Issue} issue @param {any} bench @param {Does} does */
function doubtful(issue, bench, does) {
  const sure = typeof issue.confidence === "number" ? html` <span class="quiet">${percent(issue.confidence)}</span>` : null;
  return html`<${InContext} issue=${issue} bench=${bench} />
    <p class="turn">${chip(issue.given ?? "O")} → ${chip(issue.suggested ?? "O")}${sure}</p>
    ${reasonWords(issue.reason)} ${buttons(issue, bench, does, "Take it")}`;
}

/** @param {Issue} issue @param {any} bench @param {Does} does */
function inconsistent(issue, bench, does) {
  const words = Array.isArray(issue.words) ? issue.words.join(" ") : issue.words;
  const side = (/** @type {any} */ one, /** @type {number} */ i) => html`<div class="issue-side">
    <p>${chip(one.label)} <span class="quiet">${one.count === 1 ? "once" : `${one.count} times`}</span></p>
    ${reasonWords(one.reasons)}
    <p class="quiet">${one.examples.slice(0, 5).map((/** @type {any} */ e) =>
      html`<a href=${`#annotate?sentence=${e.id}&word=${e.start}`}>sentence ${e.id}</a> `)}</p>
    ${bench.mayEdit && html`<button type="button" onClick=${() => does.take(issue, i)}>All ${shown(one.label)} <kbd aria-hidden="true">${i + 1}</kbd></button>`}
  </div>`;
  return html`<p class="lead"><bdi>${shown(words)}</bdi></p><div class="two">${issue.sides.map(side)}</div>
    ${bench.mayEdit && html`<div class="issue-buttons"><button type="button" onClick=${() => does.leave(issue)}>Dismiss <kbd aria-hidden="true">x</kbd></button></div>`}`;
}

/** @param {Issue} issue @param {any} bench @param {Does} does */
function misspelt(issue, bench, does) {
  return html`<p class="turn">${chip(issue.name)} <span class="quiet">${issue.count === 1 ? "once" : `${issue.count} times`}</span>
      ${issue.meant ? html` → ${chip(issue.meant)}?` : null}</p>
    <p><a href=${`#sentences?label=${encodeURIComponent(issue.name)}`}>Sentences with it</a></p>
    ${buttons(issue, bench, does, "Rename it")}`;
}

/** @param {Issue} issue @param {any} bench @param {Does} does */
function broken(issue, bench, does) {
  return html`<${InContext} issue=${issue} bench=${bench} />
    <p class="turn">found ${chip(String(issue.found))}, expected ${chip(String(issue.expected))}</p>
    ${buttons(issue, bench, does, "Put it right")}`;
}

const DRAW = /** @type {Record<string, (issue: Issue, bench: any, does: Does) => any>} */ ({
  errors: doubtful,
  inconsistent,
  labels: misspelt,
  scheme: broken,
});

/** @param {string} kind @param {Issue} issue @param {any} bench @param {Does} does */
export function drawIssue(kind, issue, bench, does) {
  return DRAW[kind](issue, bench, does);
}

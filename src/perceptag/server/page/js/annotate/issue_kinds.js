// The four kinds of issues, and how each is drawn.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle, percent } from "../labels.js";
import { featureName } from "../reasons.js";
import { sentence as fetchSentence } from "./calls.js";
import { PlainSentence } from "./plain_sentence.js";
import { drawable } from "./sentence_box.js";

/** @typedef {import("./project_session.js").ProjectSession} ProjectSession */
/** @typedef {Record<string, any>} Issue */
/** @typedef {{take: (issue: Issue, side?: number) => void, leave: (issue: Issue) => void}} Does */

const REASONS = 3; // features that are named on each side
const WORDS = 40; // of a sentence

/** @type {Record<string, {name: string, about: string}>} */
export const KINDS = {
  errors: {
    name: "Doubtful labels",
    about:
      "Labels that a model doubts which has not seen them, the most doubtful first. Look at each: some doubts are wrong.",
  },
  inconsistent: {
    name: "Labelled in two ways",
    about: "The same words with different labels. Sometimes both are right: see what the model goes by on each side.",
  },
  labels: { name: "Misspelt names", about: "Names of labels that occur rarely and look like another one." },
  scheme: {
    name: "Broken spans",
    about: "Labels that do not fit together, such as the inside of a span that has not begun.",
  },
};

/** @param {string} kind @param {Issue} issue */
export function nameOfIssue(kind, issue) {
  const { id, start, token, suggested, words, name, found } = issue;
  return JSON.stringify(
    [kind, id, start ?? token, found ?? name, suggested, words].filter((part) => part !== undefined),
  );
}

/** @param {string} label */
function chip(label) {
  return html`<b class="label" style=${toneStyle(label)}>${shown(label)}</b>`;
}

/** @param {Issue} issue @param {ProjectSession} session @param {Does} does @param {string} what */
function buttons(issue, session, does, what) {
  return session.mayEdit
    ? html`<div class="issue-buttons"><button type="button" onClick=${() => does.take(issue)}>${what} <kbd
      aria-hidden="true">t</kbd></button>
        <button type="button" onClick=${() => does.leave(issue)}>Dismiss <kbd aria-hidden="true">x</kbd></button></div>`
    : null;
}

/** The sentence of an issue, with the words that it is about. @param {{issue: Issue, session: ProjectSession}} props */
function Sentence({ issue, session }) {
  if (!issue.tokens) return html`<p class="plain-sentence quiet">…</p>`;
  const nothing = issue.tokens.map(() => (session.project.kind === "spans" ? "O" : "?"));
  const labels = issue.given_labels ?? nothing;
  const from = issue.start ?? issue.token ?? 0;
  const mark = { from, to: Math.max(from, (issue.end ?? from + 1) - 1) };
  const drawn = drawable(
    /** @type {any} */ ({ tokens: issue.tokens, labels, proposal: null }),
    labels,
    session.project.kind,
  );
  return html`<a class="to-sentence" href=${`#annotate?sentence=${issue.id}&word=${from}`}>
    <${PlainSentence} sentence=${drawn} mark=${mark} most=${WORDS} /></a>`;
}

/** What a model goes by. @param {string} name @param {{feature: string, meaning: string, weight: number}[]} listed */
function reasonWords(name, listed = []) {
  if (!listed.length) return null;
  const one = (/** @type {{feature: string, meaning: string}} */ reason, /** @type {number} */ i) =>
    html`${i ? "; " : ""}${featureName(reason)}`;
  return html`<p class="quiet">${name}${listed.slice(0, REASONS).map(one)}</p>`;
}

/** Spans by their labels, and where they are if that differs. @param {unknown[]} spans @param {Issue} issue */
function spanChips(spans, issue) {
  if (!spans.length) return chip("O");
  return spans.map((/** @type {any} */ span) => {
    const isWhole = span.start === issue.start && span.end === issue.end;
    const words = issue.tokens?.slice(span.start, span.end).join(" ");
    return html`${!isWhole && words ? html`<bdi>${shown(words)}</bdi> ` : ""}${chip(span.label)} `;
  });
}

/** @param {{issue: Issue, session: ProjectSession, does: Does}} props */
function Doubtful({ issue, session, does }) {
  const answer = useAnswer(issue.tokens ? null : (signal) => fetchSentence(issue.id, signal), [issue.id]);
  const item = /** @type {any} */ (answer.value);
  const whole = item ? { ...issue, tokens: item.tokens, given_labels: item.labels } : issue;
  const sure =
    typeof issue.confidence === "number" ? html`<span class="quiet">${percent(issue.confidence)} sure</span>` : null;
  return html`<${Sentence} issue=${whole} session=${session} />
    <p class="turn">${spanChips(issue.given, whole)} → ${spanChips(issue.suggested, whole)} ${sure}</p>
    ${reasonWords("for what is suggested: ", issue.reason?.for_suggested)} ${reasonWords("for what is there: ", issue.reason?.for_given)}
    ${buttons(issue, session, does, "Take it")}`;
}

/** @param {Issue} issue @param {ProjectSession} session @param {Does} does */
function inconsistent(issue, session, does) {
  const words = Array.isArray(issue.words) ? issue.words.join(" ") : issue.words;
  const side = (/** @type {any} */ one, /** @type {number} */ i) => html`<div class="issue-side">
    <p>${chip(one.label)} <span class="quiet">${one.count === 1 ? "once" : `${one.count} times`}</span></p>
    ${reasonWords("", one.reasons)}
    <p class="quiet">${one.examples
      .slice(0, 5)
      .map(
        (/** @type {any} */ e) => html`<a href=${`#annotate?sentence=${e.id}&word=${e.start}`}>sentence ${e.id}</a> `,
      )}</p>
    ${
      session.mayEdit &&
      html`<button type="button"
      onClick=${() => does.take(issue, i)}>All ${shown(one.label)} <kbd aria-hidden="true">${i + 1}</kbd></button>`
    }
  </div>`;
  return html`<p class="lead"><bdi>${shown(words)}</bdi></p><div class="two">${issue.sides.map(side)}</div>
    ${
      session.mayEdit &&
      html`<div class="issue-buttons"><button type="button"
      onClick=${() => does.leave(issue)}>Dismiss <kbd aria-hidden="true">x</kbd></button></div>`
    }`;
}

/** @param {Issue} issue @param {ProjectSession} session @param {Does} does */
function misspelt(issue, session, does) {
  return html`<p class="turn">${chip(issue.name)} <span
    class="quiet">${issue.count === 1 ? "once" : `${issue.count} times`}</span>
      ${issue.meant ? html` → ${chip(issue.meant)}?` : null}</p>
    <p><a href=${`#sentences?label=${encodeURIComponent(issue.name)}`}>Sentences with it</a></p>
    ${buttons(issue, session, does, "Rename it")}`;
}

/** @param {{issue: Issue, session: ProjectSession, does: Does}} props */
function Broken({ issue, session, does }) {
  const answer = useAnswer((signal) => fetchSentence(issue.id, signal), [issue.id]);
  const item = /** @type {any} */ (answer.value);
  const whole = item ? { ...issue, tokens: item.tokens, given_labels: item.labels } : issue;
  return html`<${Sentence} issue=${whole} session=${session} />
    <p class="turn">found ${chip(issue.found)}, expected ${chip(issue.expected)} <span
      class="quiet">${shown(issue.fault ?? "")}</span></p>
    ${buttons(issue, session, does, "Put it right")}`;
}

/** @param {string} kind @param {Issue} issue @param {ProjectSession} session @param {Does} does */
export function drawIssue(kind, issue, session, does) {
  const props = { issue, session, does };
  if (kind === "errors") return html`<${Doubtful} ...${props} />`;
  if (kind === "scheme") return html`<${Broken} ...${props} />`;
  return kind === "labels" ? misspelt(issue, session, does) : inconsistent(issue, session, does);
}

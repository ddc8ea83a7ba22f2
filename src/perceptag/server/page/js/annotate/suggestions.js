// Taking what an issue suggests.
import { read, sentence as fetchSentence } from "./calls.js";
import { kindOf } from "../labels.js";
import { piecesOf } from "./spans.js";

/** @typedef {import("./project_session.js").ProjectSession} ProjectSession @typedef {import("./issue_kinds.js").Issue} Issue */

/** @param {ProjectSession} session @param {import("./types.js").Item} item @param {string[]} labels */
function save(session, item, labels) {
  const body = { labels, base_revision: item.revision, seconds: 0, actions: 1, source: "edited" };
  session.outbox.add("PUT", `/sentences/${item.id}/labels`, body, item);
}

/** A label with another name. @param {string} label @param {string} from @param {string} to */
function renamed(label, from, to) {
  if (label === from) return to;
  return kindOf(label) === kindOf(from) ? label.slice(0, label.length - kindOf(from).length) + kindOf(to) : label;
}

/** @param {ProjectSession} session @param {Issue} issue */
async function rename(session, issue) {
  const { sentences } = await read("/sentences", { label: issue.name, limit: 100 });
  const labelled = sentences.filter((/** @type {any} */ one) => one.labels);
  for (const item of labelled)
    save(
      session,
      item,
      item.labels.map((/** @type {string} */ l) => renamed(l, issue.name, issue.meant)),
    );
  return labelled.length;
}

/** @param {ProjectSession} session @param {string} kind @param {Issue} issue @returns {Promise<{done: boolean, text: string}>} */
export async function takeSuggestion(session, kind, issue) {
  try {
    if (kind === "labels") {
      const count = await rename(session, issue);
      return {
        done: count > 0,
        text: `${issue.name} is now ${issue.meant} in ${count === 1 ? "1 sentence" : `${count} sentences`}.`,
      };
    }
    const item = await fetchSentence(issue.id);
    if (issue.given && !isAsFound(item, issue))
      return { done: true, text: `Sentence ${item.id} has changed since. Nothing was done.` };
    const labels = issue.labels ?? withExpected(item, issue);
    if (!labels) return { done: false, text: "There is no labelling to take: open the sentence." };
    save(session, item, labels);
    return { done: true, text: "Taken. Ctrl+Z under Annotate undoes it." };
  } catch (error) {
    return { done: false, text: /** @type {Error} */ (error).message };
  }
}

/** Whether a sentence still has the labels that are doubted. @param {import("./types.js").Item} item @param {Issue} issue */
function isAsFound(item, issue) {
  const now = item.labels ?? [];
  const pieces = piecesOf(now);
  const hasGiven = issue.given.every(
    (/** @type {any} */ span) =>
      pieces.some((one) => one.start === span.start && one.end === span.end && one.label === span.label) ||
      now.slice(span.start, span.end).every((label) => label === span.label),
  );
  return hasGiven && now.every((label, t) => label === issue.labels[t] || (issue.start <= t && t <= issue.end));
}

/** @param {import("./types.js").Item} item @param {Issue} issue */
function withExpected(item, issue) {
  if (!item.labels || typeof issue.expected !== "string" || !/^([BI]-.|O$)/.test(issue.expected)) return null;
  return item.labels.map((label, t) => (t === issue.token ? issue.expected : label));
}

// The pane "Guidelines": how to label, what each label means, with examples. Admins change it; every version is kept.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useState } from "../html.js";
import { toneStyle } from "../labels.js";
import { Problems } from "../problems.js";
import { read, write } from "./calls.js";
import { timeOf } from "./figures.js";
import { Markdown, inline, unmarked } from "./markdown.js";

/**
 * @typedef {import("../types.js").Changed} Changed
 * @typedef {import("./types.js").Guidelines} Guidelines
 * @typedef {import("./types.js").LabelEntry} LabelEntry
 * @typedef {import("./project_session.js").ProjectSession} ProjectSession
 * @typedef {Record<string, {description: string, examples: string}>} LabelTexts examples: one on each line
 * @typedef {{base: number, text: string, labels: LabelTexts}} GuidelinesDraft
 */

/** What a tooltip says of a label: its meaning, and an example on each line. @param {LabelEntry} label */
export function tooltipOf({ description = "", examples = [] }) {
  const lines = [description, ...examples.map((one) => `· ${one}`)].filter(Boolean).map(unmarked);
  return lines.length ? lines.join("\n") : undefined;
}

/** @param {{session: ProjectSession, onClose: () => void}} props */
export function GuidelinesPane({ session, onClose }) {
  const [version, setVersion] = useState("");
  const [asked, setAsked] = useState(0);
  const answer = useAnswer((signal) => read("/guidelines", { version }, signal), [version, session.guidelines, asked]);
  const found = /** @type {Guidelines | null} */ (answer.value);
  const draft = session.guidelinesDraft;
  const keep = (/** @type {GuidelinesDraft | null} */ next) => {
    session.guidelinesDraft = next; // of the session: closing the pane loses nothing
    session.changed();
  };
  const done = () => {
    keep(null);
    setVersion("");
    setAsked(asked + 1);
    session.renew();
  };
  return html`<aside class="panel guidelines" aria-label="Guidelines">
    <button type="button" class="close" aria-label="Close" onClick=${onClose}>×</button>
    <h2>Guidelines</h2>
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${
      draft
        ? html`<${GuidelinesForm} session=${session} draft=${draft} onDraft=${keep} onDone=${done} />`
        : found &&
          html`<${Written} session=${session} found=${found} onVersion=${setVersion}
            onEdit=${() => keep(draftOf(found, session.project.labels))} />`
    }
  </aside>`;
}

/** @param {Guidelines} found @param {LabelEntry[]} labels @returns {GuidelinesDraft} */
function draftOf(found, labels) {
  const one = (/** @type {string} */ name) => {
    const { description = "", examples = [] } = found.labels[name] ?? {};
    return { description, examples: examples.join("\n") };
  };
  return {
    base: found.version,
    text: found.text,
    labels: Object.fromEntries(labels.map(({ name }) => [name, one(name)])),
  };
}

/** @param {{session: ProjectSession, found: Guidelines, onVersion: (version: string) => void, onEdit: () => void}} props */
function Written({ session, found, onVersion, onEdit }) {
  const described = session.project.labels.filter(({ name }) => Object.hasOwn(found.labels, name));
  const newest = found.versions.length;
  const isEmpty = !found.text.trim() && !described.length;
  return html`
    ${isEmpty && html`<p class="quiet">Nothing has been written yet.${session.isAdmin ? "" : " Admins can write guidelines here."}</p>`}
    <${Markdown} text=${found.text} />
    ${described.length > 0 && html`<h3>Labels</h3><dl class="label-meanings">${described.map(({ name }) => meaning(name, found.labels[name]))}</dl>`}
    <div class="options-row">
      ${session.isAdmin && found.version === newest && html`<button type="button" onClick=${onEdit}>${isEmpty ? "Write guidelines" : "Edit"}</button>`}
      ${
        newest > 1 &&
        html`<label class="field">Version <select value=${String(found.version)}
          onChange=${(/** @type {Changed} */ event) => onVersion(event.target.value)}>
          ${[...found.versions].reverse().map(
            (one) => html`<option value=${one.version}
            selected=${one.version === found.version}>${shown(`${one.version} · ${one.who} · ${timeOf(one.at)}`)}</option>`,
          )}
        </select></label>`
      }
    </div>`;
}

/** @param {string} name @param {{description: string, examples: string[]}} one */
function meaning(name, { description, examples }) {
  return html`<div key=${name}><dt><span class="label" style=${toneStyle(name)}>${shown(name)}</span></dt>
    <dd>${inline(description)}${examples.length > 0 && html`<ul class="examples">${examples.map((text) => html`<li>${inline(text)}</li>`)}</ul>`}</dd></div>`;
}

/** @param {{session: ProjectSession, draft: GuidelinesDraft, onDraft: (next: GuidelinesDraft | null) => void, onDone: () => void}} props */
function GuidelinesForm({ session, draft, onDraft, onDone }) {
  const [problem, setProblem] = useState(/** @type {Error | null} */ (null));
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const labels = Object.entries(draft.labels).map(([name, { description, examples }]) => [
      name,
      { description, examples: examples.split("\n").filter((line) => line.trim()) },
    ]);
    try {
      await write("PUT", "/guidelines", {
        text: draft.text,
        labels: Object.fromEntries(labels),
        base_version: draft.base,
      });
      onDone();
    } catch (error) {
      setProblem(conflictOf(/** @type {Error & {status?: number}} */ (error)));
    }
  };
  const change = (/** @type {string} */ name, /** @type {Partial<LabelTexts[string]>} */ part) =>
    onDraft({ ...draft, labels: { ...draft.labels, [name]: { ...draft.labels[name], ...part } } });
  return html`<form onSubmit=${save}>
    <label class="stacked">Text, in Markdown
      <textarea class="long" value=${draft.text}
        onInput=${(/** @type {Changed} */ event) => onDraft({ ...draft, text: event.target.value })}></textarea></label>
    ${session.project.labels.map(
      ({
        name,
      }) => html`<fieldset key=${name}><legend><span class="label" style=${toneStyle(name)}>${shown(name)}</span></legend>
      <label class="stacked">What it means <input type="text" value=${draft.labels[name]?.description ?? ""}
        onInput=${(/** @type {Changed} */ event) => change(name, { description: event.target.value })} /></label>
      <label class="stacked">Examples, one on each line; **words** in bold <textarea rows="2" value=${draft.labels[name]?.examples ?? ""}
        onInput=${(/** @type {Changed} */ event) => change(name, { examples: event.target.value })}></textarea></label></fieldset>`,
    )}
    ${problem && html`<${Problems} problem=${problem} />`}
    <div class="options-row form-end"><button type="submit" class="main">Save</button>
      <button type="button" onClick=${() => onDraft(null)}>Cancel</button></div>
  </form>`;
}

/** @param {Error & {status?: number}} error */
function conflictOf(error) {
  if (error.status !== 409) return error;
  return new Error(
    "Another person has changed the guidelines meanwhile. Copy what you wrote, cancel, and edit their version.",
  );
}

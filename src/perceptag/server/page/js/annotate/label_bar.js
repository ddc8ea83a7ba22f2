// The labels of the project with their keys: next to the sentence, and on a phone at the bottom.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle } from "../labels.js";
import { tooltipOf } from "./guidelines.js";
import { keyName, keyTable, labelKeys } from "./keys.js";
import { pieceAt } from "./spans.js";

/**
 * @typedef {import("./key_commands.js").KeyContext} KeyContext
 * @typedef {import("./types.js").LabelEntry} LabelEntry
 */
const MOST = 60; // labels that have a button; search finds the others

/** The label at the cursor. @param {import("./sentence_edit.js").Edit} edit */
function labelNow(edit) {
  return edit.kind === "spans" ? (pieceAt(edit.labels, edit.cursor)?.label ?? null) : edit.labels[edit.cursor];
}

/** @param {{session: import("./project_session.js").ProjectSession, onLabel: (label: string | null) => void, onSearch: () => void}} props */
export function LabelBar({ session, onLabel, onSearch }) {
  const { labels, kind } = session.project;
  const { edit } = session.editor;
  if (!edit) return null;
  const keys = new Map([...labelKeys(labels)].map(([key, label]) => [label, key]));
  const now = labelNow(edit);
  const button = (
    /** @type {LabelEntry} */ { name, ...rest },
  ) => html`<button type="button" class="label-button" key=${name}
    title=${tooltipOf({ name, ...rest })}
    aria-pressed=${name === now ? "true" : "false"} style=${toneStyle(name)} onClick=${() => onLabel(name)}>
    ${keys.has(name) && html`<kbd aria-hidden="true">${keys.get(name)}</kbd>`} <bdi>${shown(name)}</bdi>
  </button>`;
  return html`<div class="label-bar" role="group" aria-label="Labels">
    ${labels.slice(0, MOST).map(button)}
    ${
      kind === "spans" &&
      html`<button type="button" class="label-button none" onClick=${() => onLabel(null)}>
      <kbd aria-hidden="true">${keyName(keyTable().get("none")?.[0] ?? "")}</kbd> no label</button>`
    }
    ${
      (labels.length > 9 || session.isAdmin) &&
      html`<button type="button" class="label-button none" onClick=${onSearch}>
        <kbd aria-hidden="true">${keyName(keyTable().get("search")?.[0] ?? "")}</kbd> search</button>`
    }
  </div>`;
}

// All keys; each can be replaced by another.
import { html, useState } from "../html.js";
import { Dialog } from "./dialog.js";
import {
  COMMANDS,
  READING,
  chooseKeys,
  commandOf,
  forgetKeys,
  keyName,
  keyOfEvent,
  keyTable,
  labelKeys,
} from "./keys.js";
import { shown } from "../characters.js";

/** The commands that a person may use. @param {boolean} mayEdit */
function commandsFor(mayEdit) {
  return COMMANDS.filter((one) => mayEdit || READING.includes(one.id));
}

/** The most needed keys, always on the screen. @param {{mayEdit: boolean, onKeys: () => void}} props */
export function KeyHints({ mayEdit, onKeys }) {
  const table = keyTable();
  const hint = (/** @type {import("./keys.js").Command} */ one) =>
    html`<span><kbd>${keyName(table.get(one.id)?.[0] ?? "")}</kbd> ${one.short}</span>`;
  const bar = commandsFor(mayEdit).filter(
    (one) =>
      one.short && !["accept", "none", "search", "skip", "flag", "comment", "why", "undo", "keys"].includes(one.id),
  );
  return html`<div class="key-hints quiet">
    ${bar.map(hint)}
    ${
      mayEdit &&
      html`<span><kbd>Shift ←</kbd> <kbd>→</kbd> select</span><span><kbd>Alt 1</kbd>–<kbd>3</kbd> best labellings</span>`
    }
    <button type="button" class="plain"
      onClick=${onKeys}>All keys</button> <kbd>${keyName(table.get("keys")?.[0] ?? "")}</kbd>
  </div>`;
}

/** @param {{session: import("./project_session.js").ProjectSession, onClose: () => void}} props */
export function KeySheet({ session, onClose }) {
  const [asked, setAsked] = useState("");
  const [note, setNote] = useState("");
  const table = keyTable();
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (!asked || event.isComposing || ["Shift", "Control", "Alt", "Meta", "AltGraph"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const key = keyOfEvent(event);
    const taken = commandOf(key);
    if (key === "Escape") setNote("");
    else if (taken && taken.command !== asked) setNote(`${keyName(key)} has another meaning already.`);
    else {
      chooseKeys(asked, [key]);
      setNote("");
    }
    setAsked("");
  };
  const reset = () => {
    forgetKeys();
    setNote("All keys are as they were.");
  };
  const { mayEdit } = session;
  const labels = mayEdit ? [...labelKeys(session.project.labels)] : [];
  return html`<${Dialog} title="Keys" wide onClose=${onClose}>
    <div onKeyDownCapture=${press}>
      <table class="keys">
        <caption class="heard">What each key does</caption>
        <tbody>
          ${commandsFor(mayEdit).map((one) => row(one, table.get(one.id) ?? [], asked === one.id, () => setAsked(one.id)))}
          ${
            mayEdit &&
            html`<tr><th
            scope="row"><kbd>Alt 1</kbd> … <kbd>Alt 3</kbd></th><td>take the best, second or third best labelling</td><td></td></tr>`
          }
          ${labels.map(
            ([key, name]) => html`<tr><th
            scope="row"><kbd>${key}</kbd></th><td>label ${shown(name)}</td><td></td></tr>`,
          )}
        </tbody>
      </table>
      <p role="status" class="quiet">${asked ? "Press the new key; Esc leaves it as it is." : note}</p>
      <button type="button" onClick=${reset}>All keys as they were</button>
    </div>
  <//>`;
}

/** @param {import("./keys.js").Command} one @param {string[]} keys @param {boolean} isAsked @param {() => void} onAsk */
function row(one, keys, isAsked, onAsk) {
  return html`<tr>
    <th scope="row">${keys.map((key) => html`<kbd>${keyName(key)}</kbd> `)}</th>
    <td>${one.name}</td>
    <td><button type="button" class="plain" aria-label=${`Change the key: ${one.name}`}
      aria-pressed=${isAsked ? "true" : "false"} onClick=${onAsk}>change</button></td>
  </tr>`;
}

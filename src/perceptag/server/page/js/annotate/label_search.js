// Labels by the letters of their names, for projects with more labels than keys.
import { shown } from "../characters.js";
import { html, useState } from "../html.js";
import { toneStyle } from "../labels.js";
import { write } from "./calls.js";
import { Dialog } from "./dialog.js";
import { giveLabel } from "./key_commands.js";
import { inline } from "./markdown.js";

/** @typedef {import("../types.js").Changed} Changed */

const MOST = 30;

/** Names that begin with the text, then those that have it somewhere. @param {string[]} names @param {string} text */
function matching(names, text) {
  const wanted = text.trim().toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const has = names.filter((name) => name.toLowerCase().includes(wanted));
  return [...new Set([...begins, ...has])].slice(0, MOST);
}

/** @param {{session: import("./project_session.js").ProjectSession, context: import("./key_commands.js").KeyContext, onClose: () => void}} props */
export function LabelSearch({ session, context, onClose }) {
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const [problem, setProblem] = useState("");
  const names = session.project.labels.map((one) => one.name);
  const meanings = new Map(session.project.labels.map((one) => [one.name, one.description]));
  const found = matching(names, text);
  const at = Math.min(place, Math.max(0, found.length - 1));
  const take = (/** @type {string} */ name) => {
    onClose();
    giveLabel(context, name);
  };
  const add = async () => {
    try {
      await write("POST", "/labels", { name: text.trim() });
      session.project.labels.push({ name: text.trim() });
      session.renew();
      take(text.trim());
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    if (step) setPlace(Math.min(Math.max(at + step, 0), found.length - 1));
    else if (event.key !== "Enter" || !found[at]) return;
    else take(found[at]);
    event.preventDefault();
  };
  const isNew = session.isAdmin && text.trim() !== "" && !names.includes(text.trim());
  const option = (
    /** @type {string} */ name,
    /** @type {number} */ k,
  ) => html`<li role="option" id=${`label-${k}`} key=${name}
    aria-selected=${k === at ? "true" : "false"} onClick=${() => take(name)}>
    <span class="label" style=${toneStyle(name)}>${shown(name)}</span>
    <span class="quiet"> ${inline(meanings.get(name) ?? "")}</span></li>`;
  return html`<${Dialog} title="Search a label" onClose=${onClose}>
    <input type="text" role="combobox" aria-label="Label" aria-expanded="true" aria-controls="label-options"
      aria-activedescendant=${found.length ? `label-${at}` : undefined} autocomplete="off" spellcheck=${false} value=${text}
      onKeyDown=${press} onInput=${(/** @type {Changed} */ event) => setText(event.target.value)} />
    <ul id="label-options" class="options" role="listbox" aria-label="Labels">${found.map(option)}</ul>
    ${!found.length && html`<p class="quiet">No label has these letters.</p>`}
    ${isNew && html`<button type="button" onClick=${add}>Add ${shown(text.trim())} to the project</button>`}
    ${problem && html`<p class="problem" role="alert">${shown(problem)}</p>`}
  <//>`;
}

// The dialog that asks for the number of a sentence.
import { html, useState } from "../html.js";
import { Dialog } from "./dialog.js";

/** @typedef {import("../types.js").Changed} Changed */

/** @param {{session: import("./project_session.js").ProjectSession, onClose: () => void}} props */
export function GoTo({ session, onClose }) {
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const { sentences } = session.project.counts;
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const number = Number(text);
    if (!/^\d+$/.test(text.trim()) || number < 1 || number > sentences) {
      setNote(`Sentences have the numbers 1 to ${sentences.toLocaleString("en")}.`);
      return;
    }
    await session.editor.open(number);
    onClose();
  };
  return html`<${Dialog} title="Go to a sentence" onClose=${onClose}>
    <form onSubmit=${enter}>
      <label class="field">Number <input type="text" inputmode="numeric" value=${text}
        onInput=${(/** @type {Changed} */ event) => setText(event.target.value)} /></label>
      <p role="status" class="quiet">${note}</p>
      <button type="submit" class="main">Go</button>
    </form>
  <//>`;
}

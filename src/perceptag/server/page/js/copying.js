// The labels as a column file, as JSON, as a link that holds the text; the marked text as HTML.
import { save, toHtml } from "./exporting.js";
import { toConll } from "./formats.js";
import { linkTo } from "./fragment.js";
import { html, useEffect, useRef, useState } from "./html.js";

/**
 * @param {{work: import("./asking.js").Work, input: import("./types.js").Input, isSet: boolean,
 *   pieces: import("./running_text.js").Piece[] | null, onSay: (message: string) => void}} props `isSet`: the user has set labels, which are not copied
 */
export function Copying({ work, input, isSet, pieces, onSay }) {
  const [manual, setManual] = useState("");
  const copy = async (/** @type {string} */ text, /** @type {string} */ what) => {
    try {
      await navigator.clipboard.writeText(text);
      onSay(`Copied ${what}.`);
    } catch {
      setManual(text); // without HTTPS a browser does not let a page write to the clipboard
    }
  };
  const own = isSet ? " with the model's own labels" : "";
  const link = () => linkTo(work.model.name, work.layer.name, input);
  return html`<div class="copying" role="group" aria-label="Copy">
    <span class="quiet" aria-hidden="true">Copy</span>
    <button type="button" class="plain" aria-label="Copy as CoNLL"
      onClick=${() => copy(toConll(work.reply, work.given.rows), `as CoNLL${own}`)}>CoNLL</button>
    <button type="button" class="plain" aria-label="Copy as JSON"
      onClick=${() => copy(`${JSON.stringify(work.reply, null, 1)}\n`, `as JSON${own}`)}>JSON</button>
    <button type="button" class="plain" aria-label="Copy a link that holds the text"
      onClick=${() => copy(link(), "a link that holds the text")}>Link</button>
    ${pieces && html`<${Saving} pieces=${pieces} title=${`${work.model.name}, ${work.layer.name}`} />`}
    ${manual && html`<${ByHand} text=${manual} onClose=${() => setManual("")} />`}
  </div>`;
}

/** @param {{pieces: import("./running_text.js").Piece[], title: string}} props */
function Saving({ pieces, title }) {
  return html`<span class="quiet" aria-hidden="true">Save</span>
    <button type="button" class="plain" aria-label="Save as HTML"
      onClick=${() => save(toHtml(pieces, title), "text/html", "labels.html")}>HTML</button>`;
}

/** @param {{text: string, onClose: () => void}} props */
function ByHand({ text, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector("textarea")?.select();
  }, []);
  return html`<dialog ref=${dialog} aria-label="Copy by hand" onClose=${onClose}>
    <p>The browser does not let this page copy. The text is selected: copy it with <kbd>Ctrl</kbd> <kbd>C</kbd>.</p>
    <textarea readonly aria-label="Text to copy" value=${text}></textarea>
    <button type="button" onClick=${() => dialog.current?.close()}>Close</button>
  </dialog>`;
}

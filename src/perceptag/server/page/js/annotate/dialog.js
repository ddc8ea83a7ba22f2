// A window of its own: Esc closes it, and keys in it are not those of the sentence.
import { html, useEffect, useRef } from "../html.js";

/** @param {{title: string, wide?: boolean, onClose: () => void, children?: unknown}} props */
export function Dialog({ title, wide, onClose, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    dialog.current?.showModal();
    const first = dialog.current?.querySelector("input, textarea, select") ?? dialog.current?.querySelector("h2");
    if (first instanceof HTMLElement) first.focus();
  }, []);
  return html`<dialog ref=${dialog} class=${wide ? "wide" : ""} aria-label=${title} onClose=${onClose}>
    <button type="button" class="close" aria-label="Close" onClick=${onClose}>×</button>
    <h2 tabindex="-1">${title}</h2>
    ${children}
  </dialog>`;
}

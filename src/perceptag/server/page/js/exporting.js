// The text with its spans as a file of its own: HTML for any page.
import { colourOf } from "./labels.js";

/** @typedef {import("./running_text.js").Piece} Piece */

const PLAIN = { light: "#4a5058", dark: "#b9bfc7" }; // of labels without a colour

/** @param {string} text */
function escaped(text) {
  const names = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
  // Other control characters are not allowed in these files.
  return text.replace(/[&<>"]/g, (c) => names[c]).replace(/[^\P{Cc}\t\n]/gu, "\ufffd");
}

/** @param {Piece} piece */
function textOf(piece) {
  return "words" in piece ? piece.words.map((word) => word.gap + word.text).join("") : piece.gap;
}

/** @param {Piece[]} pieces @param {string} title */
export function toHtml(pieces, title) {
  const body = pieces.map((piece) => {
    const text = escaped(textOf(piece));
    if (!("words" in piece) || !piece.entity) return text;
    const { light, dark } = colourOf(piece.entity.label) ?? PLAIN;
    return `<mark style="--tone:light-dark(${light}, ${dark})">${text}<b>${escaped(piece.entity.label)}</b></mark>`;
  });
  return `<!doctype html>
<html lang=""><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; --paper: light-dark(#ffffff, #1c1f25); }
body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem; font: 1.125rem/1.9 Charter, Georgia, serif;
  background: var(--paper); color: light-dark(#1b1f24, #e6e8eb); white-space: pre-wrap; overflow-wrap: anywhere; }
mark { background: color-mix(in srgb, var(--tone) 12%, var(--paper)); color: inherit; padding: .15em .3em;
  border-radius: .3em; border-bottom: 2px solid var(--tone); box-decoration-break: clone; }
mark b { font: 600 .65em/1 system-ui, sans-serif; color: var(--tone); margin-inline-start: .4em; }
</style></head>
<body>${body.join("")}</body></html>
`;
}

/** Let the browser save a file. @param {string} text @param {string} type @param {string} name */
export function save(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

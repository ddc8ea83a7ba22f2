// The text with its spans as a file of its own: HTML for any page, SVG for any drawing.
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

const WIDTH = 760;
const [MARGIN, LINE, SIZE] = [20, 34, 18];
const FONT = `${SIZE}px Georgia, serif`;
const LABEL_FONT = "600 11px sans-serif";

/** Boxes of text, each with its place; `entity` boxes get a background and the name of their label. @param {Piece[]} pieces */
function layOut(pieces) {
  const context = document.createElement("canvas").getContext("2d");
  const measure = (/** @type {string} */ text, /** @type {string} */ font) => {
    if (!context) return text.length * 9;
    context.font = font;
    return context.measureText(text).width;
  };
  const boxes = /** @type {{x: number, y: number, width: number, text: string, label: string}[]} */ ([]);
  let [x, y] = [MARGIN, MARGIN + SIZE];
  const down = () => {
    [x, y] = [MARGIN, y + LINE];
  };
  const put = (/** @type {string} */ text, /** @type {string} */ label) => {
    const width = measure(text, FONT) + (label ? measure(label, LABEL_FONT) + 16 : 0);
    if (x + width > WIDTH - MARGIN && x > MARGIN) down();
    if (text.trim() || x > MARGIN) boxes.push({ x, y, width, text, label });
    if (text.trim() || x > MARGIN) x += width;
  };
  for (const piece of pieces) {
    const text = textOf(piece);
    if ("words" in piece && piece.entity) put(text.replace(/\s+/g, " "), piece.entity.label);
    else if (!text.includes("\n")) put(text, "");
    else for (let i = 0; i < text.split("\n").length - 1; i += 1) down();
  }
  return { boxes, height: y + MARGIN };
}

/** @param {Piece[]} pieces @param {string} title */
export function toSvg(pieces, title) {
  const { boxes, height } = layOut(pieces);
  const drawn = boxes.map(({ x, y, width, text, label }) => {
    const tone = (colourOf(label) ?? PLAIN).light;
    const at = (/** @type {number} */ value) => value.toFixed(1);
    if (!label) return text.trim() ? `<text x="${at(x)}" y="${y}" fill="#1b1f24">${escaped(text)}</text>` : "";
    return (
      `<rect x="${at(x)}" y="${y - 20}" width="${at(width - 2)}" height="28" rx="4" fill="${tone}" fill-opacity="0.12"/>` +
      `<text x="${at(x + 5)}" y="${y}" fill="#1b1f24">${escaped(text)}</text>` +
      `<text class="label" x="${at(x + width - 7)}" y="${y - 1}" fill="${tone}" text-anchor="end">${escaped(label)}</text>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>text { font: ${FONT}; white-space: pre; } .label { font: ${LABEL_FONT}; }</style>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.filter(Boolean).join("\n")}
</svg>
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

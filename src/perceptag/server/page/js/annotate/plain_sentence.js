// A sentence with its labels that is read, not edited.
import { directionOf, shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle } from "../labels.js";

/** @typedef {{tokens: string[], labels: string[], spans?: {start: number, end: number, label: string}[]}} Drawn */

/**
 * @param {{sentence: Drawn, name?: string, marked?: number[], most?: number}} props `marked`: words that it is about, `most`: words that are shown
 */
export function PlainSentence({ sentence, name, marked = [], most = 120 }) {
  const { tokens, labels, spans } = sentence;
  const [start, end] = part(tokens.length, marked[0] ?? 0, most);
  const words = [];
  if (start > 0) words.push(html`<span class="quiet">… </span>`);
  for (let t = start; t < end; ) {
    const span = spans?.find((one) => one.start === t);
    const stop = Math.min(end, span ? span.end : t + 1);
    const isMarked = marked.some((k) => t <= k && k < stop);
    const text = tokens.slice(t, stop).join(" ");
    if (span) words.push(html`<${Chip} text=${text} label=${span.label} mark=${isMarked} />`);
    else if (spans) words.push(html`<span class=${isMarked ? "marked" : undefined}>${shown(text)}</span>`);
    else words.push(html`<${Chip} text=${text} label=${labels[t]} mark=${isMarked} />`);
    words.push(" ");
    t = stop;
  }
  if (end < tokens.length) words.push(html`<span class="quiet">…</span>`);
  return html`<p class="plain-sentence" role=${name ? "group" : undefined} aria-label=${name}
    dir=${directionOf(tokens)}>${words}</p>`;
}

/** Which part of a long sentence is shown. @param {number} length @param {number} place @param {number} most */
function part(length, place, most) {
  if (length <= most) return [0, length];
  const start = Math.max(0, Math.min(place - Math.floor(most / 3), length - most));
  return [start, start + most];
}

/** @param {{text: string, label: string, mark: boolean}} props */
function Chip({ text, label, mark }) {
  return html`<span class=${mark ? "chip marked" : "chip"}
    style=${toneStyle(label)}><bdi>${shown(text)}</bdi> <small>${shown(label)}</small></span>`;
}

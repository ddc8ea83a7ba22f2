// The text as it was written, with its spans marked.
import { directionOf, shown } from "./characters.js";
import { html } from "./html.js";
import { meaningOf, percent, toneStyle } from "./labels.js";
import { DOUBTFUL } from "./views.js";

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./entities.js").Entity} Entity
 * @typedef {{text: string, sentence: number, token: number}} Word
 * @typedef {{gap: string} | {words: (Word & {gap: string})[], entity: Entity | null}} Piece
 */

/**
 * Words, spans and what stands between them. Offsets count characters, of which one may be two units of a string.
 * @param {Sentence[]} sentences @param {string | undefined} text @param {Entity[]} entities @returns {Piece[]}
 */
export function piecesOf(sentences, text, entities) {
  const characters = text === undefined ? [] : [...text];
  let place = 0;
  /** @type {Piece[]} */
  const pieces = [];
  sentences.forEach((sentence, s) => {
    const own = entities.filter((entity) => entity.sentence === s);
    sentence.tokens.forEach((token, t) => {
      const [start, end] = sentence.offsets?.[t] ?? [0, 0];
      const written = text !== undefined && end > start;
      const gap = written ? characters.slice(place, start).join("") : t ? " " : s ? "\n" : "";
      const word = { text: written ? characters.slice(start, end).join("") : token, sentence: s, token: t, gap: "" };
      if (written) place = Math.max(place, end);
      const entity = own.find((one) => one.start <= t && t < one.end) ?? null;
      const last = pieces[pieces.length - 1];
      if (entity && t > entity.start && last && "words" in last) {
        last.words.push({ ...word, gap });
        return;
      }
      if (gap) pieces.push({ gap });
      pieces.push({ words: [word], entity });
    });
  });
  return pieces;
}

/** @param {{pieces: Piece[], sentences: Sentence[], place: Place | null, onPlace: (place: Place) => void}} props */
export function RunningText({ pieces, sentences, place, onPlace }) {
  const isChosen = (/** @type {Word} */ word) => word.sentence === place?.sentence && word.token === place.token;
  const word = (/** @type {Word & {gap: string}} */ one) =>
    html`${one.gap}<span class=${isChosen(one) ? "in-text chosen" : "in-text"} id=${`w-${one.sentence}-${one.token}`}
      data-sentence=${one.sentence} data-token=${one.token}>${shown(one.text)}</span>`;
  const choose = (/** @type {Event} */ event) => {
    const found = event.target instanceof Element ? event.target.closest("[data-token]") : null;
    if (found instanceof HTMLElement)
      onPlace({ sentence: Number(found.dataset.sentence), token: Number(found.dataset.token) });
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(event);
  };
  return html`<div class="running" dir=${directionOf(sentences[0]?.tokens ?? [])} onClick=${choose} onKeyDown=${press}>
    ${pieces.map((piece) => {
      if (!("words" in piece)) return piece.gap;
      return piece.entity ? html`<${Mark} entity=${piece.entity}>${piece.words.map(word)}<//>` : piece.words.map(word);
    })}
  </div>`;
}

/** @param {{entity: Entity, children?: any}} props */
function Mark({ entity, children }) {
  const { label, confidence, sentence, start } = entity;
  const sure = confidence === undefined ? "" : `${percent(confidence)} sure`;
  const doubtful = confidence !== undefined && confidence < DOUBTFUL;
  const tip = [meaningOf(label), sure].filter(Boolean).join(", ");
  return html`<mark role="button" tabindex="0" class=${doubtful ? "entity doubt" : "entity"} style=${toneStyle(label)}
    title=${tip} data-sentence=${sentence} data-token=${start}>${children}<span class="kind">${shown(label)}</span></mark>`;
}

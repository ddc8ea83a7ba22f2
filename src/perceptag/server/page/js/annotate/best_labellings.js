// The likely labellings of the sentence by the model, each with what it would change.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle } from "../labels.js";
import { likelyLabellings } from "./sentence_edit.js";
import { piecesOf, same } from "./spans.js";

/** @typedef {import("./types.js").Labels} Labels @typedef {{words: string, before: string, after: string, at: number}} Change */
/** @typedef {import("./spans.js").Piece} Piece */
const MOST_SPANS = 12;
const WORDS = 6;

/** @param {string[]} tokens @param {number} start @param {number} end */
function wordsOf(tokens, start, end) {
  const cut = tokens.slice(start, Math.min(end, start + WORDS)).join(" ");
  return end - start > WORDS ? `${cut} …` : cut;
}

/**
 * What differs between two labellings: spans as a whole, else single words.
 * @param {string[]} tokens @param {Labels} now @param {Labels} then @param {string} kind @returns {Change[]}
 */
export function changesOf(tokens, now, then, kind) {
  if (kind === "tags")
    return tokens.flatMap((token, t) =>
      now[t] === then[t] ? [] : [{ words: token, before: now[t] ?? "?", after: then[t] ?? "?", at: t }],
    );
  const [old, fresh] = [piecesOf(now), piecesOf(then)];
  const place = (/** @type {{start: number, end: number}} */ p) => `${p.start} ${p.end}`;
  const before = new Map(old.map((piece) => [place(piece), piece]));
  const after = new Map(fresh.map((piece) => [place(piece), piece]));
  const all = [...new Map([...before, ...after]).values()].sort((a, b) => a.start - b.start || a.end - b.end);
  return all.flatMap((piece) => {
    const [from, to] = [before.get(place(piece))?.label ?? "O", after.get(place(piece))?.label ?? "O"];
    return from === to
      ? []
      : [{ words: wordsOf(tokens, piece.start, piece.end), before: from, after: to, at: piece.start }];
  });
}

/** @param {{changes: Change[], onPlace?: (t: number) => void}} props */
export function ChangeList({ changes, onPlace }) {
  return html`<ul class="changes">
    ${changes.map(
      (one) => html`<li>
        ${
          onPlace
            ? html`<button type="button" class="plain"
              onClick=${() => onPlace(one.at)}><bdi>${shown(one.words)}</bdi></button>`
            : html`<bdi>${shown(one.words)}</bdi>`
        }
        ${" "}<s class="quiet">${shown(one.before)}</s><span class="heard"> becomes </span>${" "}
        <b class="label" style=${toneStyle(one.after)}>${shown(one.after)}</b>
      </li>`,
    )}
  </ul>`;
}

/** The spans of a labelling, and those that it would take away. @param {{tokens: string[], now: Labels, then: Labels}} props */
function ResultingSpans({ tokens, now, then }) {
  const [old, fresh] = [piecesOf(now), piecesOf(then)];
  const isIn = (/** @type {Piece} */ piece, /** @type {Piece[]} */ others) =>
    others.some((one) => one.start === piece.start && one.end === piece.end && one.label === piece.label);
  const lost = old.filter((piece) => !isIn(piece, fresh));
  const all = [...fresh, ...lost].sort((a, b) => a.start - b.start || a.end - b.end);
  if (!all.length) return html`<span class="quiet">no spans</span>`;
  const state = (/** @type {Piece} */ piece) => (lost.includes(piece) ? "lost" : isIn(piece, old) ? "same" : "fresh");
  return html`<ul class="changes spans">${all.slice(0, MOST_SPANS).map((piece) => {
    const words = shown(wordsOf(tokens, piece.start, piece.end));
    const name = html`<b class="label" style=${toneStyle(piece.label)}>${shown(piece.label)}</b>`;
    return html`<li class=${state(piece)}>${
      state(piece) === "lost"
        ? html`<s class="quiet"><bdi>${words}</bdi> ${shown(piece.label)}</s>`
        : html`<bdi>${words}</bdi> ${name}`
    }</li>`;
  })}</ul>`;
}

/** @param {{edit: import("./sentence_edit.js").Edit, labels: Labels, onTake: ((k: number) => void) | null}} props */
export function Best({ edit, labels, onTake }) {
  const { tokens, proposal } = edit.item;
  const nbest = likelyLabellings(proposal);
  if (!proposal || nbest.length < 2) return null;
  const line = (/** @type {import("./types.js").Ranked} */ ranked, /** @type {number} */ k) => {
    const isNow = same(ranked.labels, labels);
    return html`<li class=${isNow ? "now" : ""}>
      ${
        onTake
          ? html`<button type="button" class="take" aria-label=${`Take labelling ${k + 1}`} disabled=${isNow}
        onClick=${() => onTake(k + 1)}><kbd aria-hidden="true">Alt ${k + 1}</kbd></button>`
          : html`<span class="quiet">${k + 1}</span>`
      }
      <div class="differs">${
        isNow
          ? html`<span
        class="quiet">the labels that are shown</span>`
          : edit.kind === "spans"
            ? html`<${ResultingSpans} tokens=${tokens} now=${labels} then=${ranked.labels} />`
            : html`<${ChangeList} changes=${changesOf(tokens, labels, ranked.labels, edit.kind).slice(0, 8)} />`
      }</div>
      ${!k && html`<span class="score quiet">best</span>`}
    </li>`;
  };
  return html`<section class="best" aria-label="Best labellings of the model">
    <h2>Best labellings</h2>
    <ol>${nbest.map(line)}</ol>
  </section>`;
}

// The best labellings of the sentence by the model, each with what it would change.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle } from "../labels.js";
import { signed } from "../numbers.js";
import { piecesOf, same } from "./spans.js";

/** @typedef {import("./types.js").Labels} Labels @typedef {{words: string, before: string, after: string, at: number}} Change */
const LISTED = 9; // as many as there are keys
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

/** @param {number | null} score @param {number | null} best */
function behind(score, best) {
  return score === null || best === null ? "" : signed(score - best);
}

/** @param {{edit: import("./sentence_edit.js").Edit, labels: Labels, onTake: (k: number) => void}} props */
export function Best({ edit, labels, onTake }) {
  const { tokens, proposal } = edit.item;
  const nbest = proposal?.nbest?.slice(0, LISTED) ?? [];
  if (!proposal || nbest.length < 2) return null;
  const line = (/** @type {import("./types.js").Ranked} */ ranked, /** @type {number} */ k) => {
    const isNow = same(ranked.labels, labels);
    const changes = changesOf(tokens, labels, ranked.labels, edit.kind).slice(0, 8);
    return html`<li class=${isNow ? "now" : ""}>
      <button type="button" class="take" aria-label=${`Take labelling ${k + 1}`} disabled=${isNow}
        onClick=${() => onTake(k + 1)}><kbd aria-hidden="true">Alt ${k + 1}</kbd></button>
      <div class="differs">${
        isNow
          ? html`<span
        class="quiet">the labels that are shown</span>`
          : html`<${ChangeList} changes=${changes} />`
      }</div>
      <span class="score quiet"
        title="score, compared with the best">${k ? behind(ranked.score, nbest[0].score) : "best"}</span>
    </li>`;
  };
  return html`<section class="best" aria-label="Best labellings of the model">
    <h2>Best labellings</h2>
    <ol>${nbest.map(line)}</ol>
  </section>`;
}

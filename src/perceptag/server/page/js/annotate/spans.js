// Labels of a sentence as an annotator changes them. Spans are B-X I-X O; every function returns new labels.

/** @typedef {import("./types.js").Labels} Labels @typedef {import("./types.js").Range} Range */
/** @typedef {{start: number, end: number, label: string}} Piece */

/** The spans of labels; I-X without a span of X before it begins one. @param {Labels} labels @returns {Piece[]} */
export function piecesOf(labels) {
  /** @type {Piece[]} */
  const found = [];
  labels.forEach((label, t) => {
    if (label === null || !/^[BI]-/.test(label)) return;
    const last = found[found.length - 1];
    const kind = label.slice(2);
    if (label.startsWith("I-") && last?.end === t && last.label === kind) last.end = t + 1;
    else found.push({ start: t, end: t + 1, label: kind });
  });
  return found;
}

/** @param {Piece[]} pieces @param {number} length @returns {string[]} */
function written(pieces, length) {
  const labels = new Array(length).fill("O");
  for (const { start, end, label } of pieces) {
    labels.fill(`I-${label}`, start, end);
    labels[start] = `B-${label}`;
  }
  return labels;
}

/** What is left of spans outside of a range. @param {Piece[]} pieces @param {Range} range */
function outside(pieces, { from, to }) {
  return pieces.flatMap((piece) => {
    if (piece.end <= from || piece.start > to) return [piece];
    const before = { ...piece, end: from };
    const after = { ...piece, start: to + 1 };
    return [before, after].filter((part) => part.start < part.end);
  });
}

/** The span that covers a token. @param {Labels} labels @param {number} t */
export function pieceAt(labels, t) {
  return piecesOf(labels).find((piece) => piece.start <= t && t < piece.end) ?? null;
}

/** Make a range one span. @param {Labels} labels @param {Range} range @param {string} label */
export function withSpan(labels, range, label) {
  const pieces = outside(piecesOf(labels), range);
  return written([...pieces, { start: range.from, end: range.to + 1, label }], labels.length);
}

/** @param {Labels} labels @param {Range} range */
export function withoutSpan(labels, range) {
  return written(outside(piecesOf(labels), range), labels.length);
}

/** @param {Labels} labels @param {Range} range @param {string} label @returns {Labels} */
export function withTag(labels, { from, to }, label) {
  return labels.map((old, t) => (from <= t && t <= to ? label : old));
}

/**
 * Move one border of the span at a token by one word.
 * @param {Labels} labels @param {number} t @param {"start" | "end"} border @param {number} step -1 or 1
 * @returns {string[] | null} null: there is no span, or no room
 */
export function withBorder(labels, t, border, step) {
  const piece = pieceAt(labels, t);
  if (!piece) return null;
  const moved = { ...piece, [border]: piece[border] + step };
  if (moved.start < 0 || moved.end > labels.length || moved.start >= moved.end) return null;
  const rest = piecesOf(labels).filter((one) => one.start !== piece.start);
  const kept = outside(rest, { from: moved.start, to: moved.end - 1 });
  return written([...kept, moved], labels.length);
}

/** @param {Labels} a @param {Labels} b */
export function same(a, b) {
  return a.length === b.length && a.every((label, t) => label === b[t]);
}

// Colours of labels, and which tokens a span covers.

/** @typedef {import("./types.js").Span} Span */

const PREFIX = /^[BIESLU]-(?=.)/;
/** The kind of thing that a label of a span names: B-PER and I-PER are both PER. @param {string} label */
export function kindOf(label) {
  return label.replace(PREFIX, "");
}

/** The colour of each kind of label, by the table of the server. @type {Map<string, import("./types.js").LabelColour>} */
const colourTable = new Map();
/** @type {Map<string, Record<string, string>>} */
const styles = new Map();
/** What kinds of labels mean. @type {Map<string, string>} */
const meaningTable = new Map();

/** @param {Record<string, import("./types.js").LabelColour>} colours by kind of label */
export function giveColours(colours) {
  for (const [kind, colour] of Object.entries(colours)) {
    colourTable.set(kind, colour);
    styles.set(kind, { "--tone": `light-dark(${colour.light}, ${colour.dark})` });
  }
}

/** @param {Record<string, string>} found by kind of label */
export function giveMeanings(found) {
  for (const [kind, meaning] of Object.entries(found)) meaningTable.set(kind, meaning);
}

/** @param {string} label */
export function colourOf(label) {
  return colourTable.get(kindOf(label));
}

/** What a label means, for tooltips; nothing if that is not known. @param {string} label */
export function meaningOf(label) {
  return meaningTable.get(kindOf(label));
}

/** Those of a project. @param {{name: string, colour?: import("./types.js").LabelColour}[]} labels */
export function coloursOf(labels) {
  return Object.fromEntries(labels.flatMap(({ name, colour }) => (colour ? [[name, colour]] : [])));
}

/** The same object for the same label; nothing for labels that say nothing: O and punctuation. @param {string} label */
export function toneStyle(label) {
  return styles.get(kindOf(label));
}

/** For each token the span that covers it. @param {Span[]} spans @param {number} length @returns {(Span | null)[]} */
export function coverOf(spans, length) {
  /** @type {(Span | null)[]} */
  const cover = new Array(length).fill(null);
  for (const span of spans) cover.fill(span, span.start, span.end);
  return cover;
}

/**
 * What labels say, whatever scheme they are written in: for each token the kind of its span and where that begins. Inside
 * a model a name of one word may be S-PER that the data writes as B-PER.
 * @param {string[]} labels
 */
export function meanings(labels) {
  let start = 0;
  return labels.map((label, t) => {
    const before = labels[t - 1] ?? "O";
    const ended = kindOf(before) !== kindOf(label) || /^[ESLU]-/.test(before);
    if (ended || /^[BSU]-/.test(label)) start = t;
    return PREFIX.test(label) ? `${start} ${kindOf(label)}` : label;
  });
}

/** @param {number} share */
export function percent(share) {
  // Never 100 unless it is certain: 0.998 is shown as 99.
  return `${share >= 1 ? 100 : Math.min(99, Math.round(share * 100))} %`;
}

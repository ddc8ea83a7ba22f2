// Colours of labels, and which tokens a span covers.

/** @typedef {import("./types.js").Span} Span */

const PREFIX = /^[BIESLU]-(?=.)/;
const SLOTS = 24;
/** @type {Map<string, number>} */
const slots = new Map();

/** The kind of thing that a label of a span names: B-PER and I-PER are both PER. @param {string} label */
export function kindOf(label) {
  return label.replace(PREFIX, "");
}

/** Tags that begin with the same two letters, such as NN and NNP, share a colour. @param {string} label */
function familyOf(label) {
  const kind = kindOf(label);
  return kind === label ? kind.slice(0, 2) : kind;
}

/** @param {string} text */
function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

/**
 * Give every kind of label a hue of its own, as long as there are any: by its name, so that it is the same every time.
 * @param {string[]} labels of all models
 */
export function chooseHues(labels) {
  const ofSpans = labels.filter((label) => PREFIX.test(label));
  const kinds = [...new Set([...ofSpans.map(familyOf).sort(), ...labels.map(familyOf).sort()])];
  const taken = new Set();
  slots.clear();
  styles.clear();
  for (const kind of kinds) {
    let slot = hash(kind) % SLOTS;
    while (taken.size < SLOTS && taken.has(slot)) slot = (slot + 7) % SLOTS;
    taken.add(slot);
    slots.set(kind, slot);
  }
}

/** Hues that a project gives its labels. @type {Map<string, number>} */
const given = new Map();

/** @param {{name: string, hue?: number | null}[]} labels */
export function giveHues(labels) {
  for (const { name, hue } of labels) if (typeof hue === "number") given.set(name, Math.round(hue) % 360);
  styles.clear();
}

/** The hue of a label in degrees, or null for those that say nothing: O and punctuation. @param {string} label */
export function hueOf(label) {
  if (label === "O" || !/[\p{L}\p{N}]/u.test(label)) return null;
  const own = given.get(kindOf(label));
  if (own !== undefined) return own;
  const slot = slots.get(kindOf(label)) ?? slots.get(familyOf(label)) ?? hash(label) % SLOTS;
  return Math.round((slot * 137.508) % 360);
}

/** @type {Map<string, Record<string, number> | undefined>} */
const styles = new Map();

/** The same object for the same label. @param {string} label */
export function hueStyle(label) {
  if (!styles.has(label)) {
    const hue = hueOf(label);
    styles.set(label, hue === null ? undefined : { "--hue": hue, "--chroma": 1 });
  }
  return styles.get(label);
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

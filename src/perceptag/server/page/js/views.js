// From a labelled sentence to what is drawn at each of its tokens.
import { spoken } from "./characters.js";
import { coverOf, kindOf, percent } from "./labels.js";

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").Labelled} Labelled
 * @typedef {import("./types.js").Span} Span
 * @typedef {import("./types.js").Pins} Pins
 * @typedef {{label: string, first: boolean, last: boolean, confidence?: number, proposed?: boolean} | null} Bracket
 * @typedef {{label: string, confidence: number} | null} Outside a doubtful word that is in no span
 * @typedef {{layer: string, label: string, active: boolean, confidence?: number, proposed?: boolean}} Tag
 * @typedef {{token: string, joined: boolean, runsOn: boolean, above: Bracket[], below: Tag[], outside: Outside,
 *   doubt: number, note: string,
 *   fixed: boolean, changed: boolean, spoken: string}} TokenView
 * @typedef {{active: string, all: boolean, top: string}} Shown
 */

export const DOUBTFUL = 0.9;

/**
 * The layers that are shown, lowest first.
 * @param {Sentence} sentence @param {Shown} shown @param {Labelled | null} followed
 * @returns {{name: string, labelled: Labelled}[]}
 */
function layersOf(sentence, shown, followed) {
  const all = [...Object.entries(sentence.layers ?? {}), [shown.top, sentence]].map(([name, labelled]) => ({
    name: /** @type {string} */ (name),
    labelled: /** @type {Labelled} */ (name === shown.active && followed ? followed : labelled),
  }));
  return shown.all ? all : all.filter((layer) => layer.name === shown.active);
}

/** The labels of the layer that is looked at. @param {Sentence} sentence @param {Shown} shown @returns {Labelled} */
export function activeLabels(sentence, shown) {
  return shown.active === shown.top ? sentence : (sentence.layers?.[shown.active] ?? sentence);
}

/** @param {Span | null} span @param {number} t @returns {Bracket} */
function bracket(span, t) {
  if (!span) return null;
  const { label, confidence, proposed } = span;
  return { label, first: t === span.start, last: t === span.end - 1, confidence, proposed };
}

/** @param {TokenView} view @returns {string} */
function inWords(view) {
  const sure = (/** @type {number | undefined} */ c) =>
    c === undefined ? "" : `, ${percent(c).replace("%", "per cent")}`;
  const spans = view.above.flatMap((b) => (b ? [`${b.first ? "" : "inside "}${b.label}${sure(b.confidence)}`] : []));
  const tags = view.below.map((tag) => `${tag.label}${sure(tag.confidence)}`);
  const outside = view.outside ? [`${view.outside.label}${sure(view.outside.confidence)}`] : [];
  return [spoken(view.token), ...spans, ...outside, ...tags, view.note].filter(Boolean).join(", ");
}

/**
 * @param {Sentence} sentence
 * @param {Shown} shown
 * @param {Labelled | null} followed its labels, if some were set
 * @param {Pins} pins
 * @param {string[] | null} other the labels of another model
 * @returns {TokenView[]}
 */
export function tokenViews(sentence, shown, followed, pins, other) {
  const { tokens, offsets } = sentence;
  const layers = layersOf(sentence, shown, followed);
  const covers = layers
    .filter((l) => l.labelled.spans)
    .map((l) => ({ ...l, cover: coverOf(l.labelled.spans ?? [], tokens.length) }));
  const tags = layers.filter((l) => !l.labelled.spans);
  const active = activeLabels(sentence, shown);
  const before = active.labels;
  const now = followed?.labels ?? before;
  return tokens.map((token, t) => {
    const above = covers.map((l) => bracket(l.cover[t], t));
    const below = tags.map((l) => ({
      layer: l.name,
      label: l.labelled.labels[t],
      active: l.name === shown.active,
      confidence: l.labelled.confidence?.[t],
      proposed: l.labelled.proposed?.[t],
    }));
    const sure = followed ? 1 : (active.confidence?.[t] ?? 1);
    const own = covers.findIndex((l) => l.name === shown.active);
    const outside = own >= 0 && !above[own] && sure < DOUBTFUL ? { label: now[t], confidence: sure } : null;
    const changed = now[t] !== before[t];
    const fixed = t in pins;
    const notes = [];
    if (fixed) notes.push("set");
    if (changed) notes.push(`was ${before[t]}`);
    if (other?.[t] !== undefined && other[t] !== now[t]) notes.push(`≠ ${other[t]}`);
    const touches = (/** @type {number} */ k) =>
      offsets?.[k - 1] !== undefined && offsets[k]?.[0] === offsets[k - 1][1];
    const view = {
      token,
      joined: touches(t),
      runsOn: touches(t + 1),
      above,
      below,
      outside,
      doubt: sure < DOUBTFUL ? 1 - sure : 0,
      note: notes.join(", "),
      fixed,
      changed,
      spoken: "",
    };
    view.spoken = inWords(view);
    return view;
  });
}

/**
 * Places of a sentence where two labellings differ.
 * @param {string[]} a @param {string[]} b
 */
export function differences(a, b) {
  return a.flatMap((label, t) => (label === b[t] ? [] : [t]));
}

/** @param {Sentence[]} sentences @param {string} word */
export function placeOfWord(sentences, word) {
  const sentence = sentences.findIndex((one) => one.tokens.includes(word));
  return sentence < 0 ? null : { sentence, token: sentences[sentence].tokens.indexOf(word) };
}

/**
 * The token to begin with: the first of a span, or the one that the model is least sure of.
 * @param {Sentence[]} sentences @param {Shown} shown
 */
export function firstOfInterest(sentences, shown) {
  let least = { sentence: 0, token: 0, sure: 1 };
  for (let s = 0; s < Math.min(20, sentences.length); s += 1) {
    const { labels, confidence = [] } = activeLabels(sentences[s], shown);
    const t = labels.findIndex((label) => kindOf(label) !== label);
    if (t >= 0) return { sentence: s, token: t };
    confidence.forEach((sure, token) => {
      if (sure < least.sure) least = { sentence: s, token, sure };
    });
  }
  return { sentence: least.sentence, token: least.token };
}

// One sentence while somebody labels it: its labels, what can be undone, and where the cursor is.
import { DOUBTFUL } from "../views.js";
import { pieceAt, same, withBorder, withSpan, withTag, withoutSpan } from "./spans.js";

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Labels} Labels
 * @typedef {import("./types.js").Range} Range
 */

const LISTED = 3; // labellings of a sentence, with the best one
const IDLE = 60_000; // milliseconds: a longer pause does not count as work

/**
 * The best labelling, and those next to it that change only words which the model doubts. Where it does not say how sure
 * it is: those that lose less than half of what a word adds to the score of the best on average.
 * @param {import("./types.js").Proposal | null} proposal
 */
export function likelyLabellings(proposal) {
  const nbest = proposal?.nbest ?? [];
  const confidence = proposal?.confidence;
  const [best] = nbest;
  const score = best?.score ?? 0;
  const most = Math.abs(score) / (best?.labels.length ?? 1) / 2;
  const isLikely = (/** @type {import("./types.js").Ranked} */ one) =>
    confidence
      ? one.labels.every((label, t) => label === best.labels[t] || confidence[t] < DOUBTFUL)
      : score - (one.score ?? 0) < most;
  return nbest.filter((one) => one === best || isLikely(one)).slice(0, LISTED);
}

/** What a sentence begins with. @param {Item} item @param {string} kind @returns {Labels} */
function firstLabels(item, kind) {
  const nothing = kind === "spans" ? "O" : null;
  const said = item.labels ?? item.proposal?.labels ?? item.draft;
  return item.tokens.map((_, t) => said?.[t] ?? nothing);
}

export class Edit {
  /** @type {Labels[]} */
  #past = [];
  /** @type {Labels[]} */
  #future = [];
  #spent = 0;
  #seen = performance.now();
  cursor = 0;
  /** @type {number | null} the other end of what is selected; null: only the cursor is */
  anchor = null;
  actions = 0;
  touched = false;
  source = "accepted";

  /** @param {Item} item @param {string} kind */
  constructor(item, kind) {
    this.item = item;
    this.kind = kind;
    /** @type {Labels} */
    this.labels = firstLabels(item, kind);
    this.cursor = Math.max(0, this.doubtful()[0] ?? 0);
  }

  /** @returns {Range} */
  get selection() {
    const other = this.anchor ?? this.cursor;
    return { from: Math.min(this.cursor, other), to: Math.max(this.cursor, other) };
  }

  /** What a label is given to: what is selected, or the whole span at the cursor. @returns {Range} */
  get target() {
    const piece = this.anchor === null && this.kind === "spans" ? pieceAt(this.labels, this.cursor) : null;
    return piece ? { from: piece.start, to: piece.end - 1 } : this.selection;
  }

  get missing() {
    return this.labels.indexOf(null);
  }

  /** Whether it is still what the server has. */
  get isUnchanged() {
    return this.item.status === "labelled" && this.item.labels !== null && same(this.item.labels, this.labels);
  }

  /** Places where the model is not sure, or where its likely labellings differ. */
  doubtful() {
    const { proposal } = this.item;
    if (!proposal) return [];
    const { confidence, labels } = proposal;
    const near = likelyLabellings(proposal);
    return labels.flatMap((label, t) => {
      const doubt = confidence ? confidence[t] < DOUBTFUL : near.some((one) => one.labels[t] !== label);
      return doubt ? [t] : [];
    });
  }

  /** @param {Labels} labels @param {string} source */
  #change(labels, source) {
    if (same(labels, this.labels)) return false;
    this.#past.push(this.labels);
    this.#future = [];
    this.labels = labels;
    this.touched = true;
    this.source = source;
    return true;
  }

  /** Give a label to what is selected; null takes labels away. @param {string | null} label */
  give(label) {
    const range = this.target;
    if (this.kind === "tags") return label === null ? false : this.#tag(range, label);
    const labels = label === null ? withoutSpan(this.labels, range) : withSpan(this.labels, range, label);
    const done = this.#change(labels, "edited");
    this.anchor = null;
    return done;
  }

  /** Every word has a tag, so the cursor goes on to the next. @param {Range} range @param {string} tag */
  #tag(range, tag) {
    const done = this.#change(withTag(this.labels, range, tag), "edited");
    this.moveTo(range.to + 1, false);
    return done;
  }

  /** @param {"start" | "end"} border @param {number} step */
  moveBorder(border, step) {
    const labels = this.kind === "spans" ? withBorder(this.labels, this.cursor, border, step) : null;
    if (!labels) return false;
    this.#change(labels, "edited");
    const piece = pieceAt(labels, this.cursor);
    if (!piece && border === "start") this.cursor += 1;
    else if (!piece) this.cursor -= 1;
    return true;
  }

  /** Take a whole labelling. @param {Labels} labels @param {string} source */
  take(labels, source) {
    this.anchor = null;
    return this.#change([...labels], source);
  }

  undo() {
    const before = this.#past.pop();
    if (!before) return false;
    this.#future.push(this.labels);
    this.labels = before;
    return true;
  }

  redo() {
    const after = this.#future.pop();
    if (!after) return false;
    this.#past.push(this.labels);
    this.labels = after;
    return true;
  }

  /** @param {number} t @param {boolean} extend */
  moveTo(t, extend) {
    this.anchor = extend ? (this.anchor ?? this.cursor) : null;
    this.cursor = Math.min(Math.max(t, 0), this.labels.length - 1);
  }

  /** Count a key or a click, and the time since the last one. */
  count() {
    const now = performance.now();
    this.#spent += Math.min(IDLE, now - this.#seen);
    this.#seen = now;
    this.actions += 1;
  }

  get seconds() {
    return Math.round(this.#spent + Math.min(IDLE, performance.now() - this.#seen)) / 1000;
  }
}

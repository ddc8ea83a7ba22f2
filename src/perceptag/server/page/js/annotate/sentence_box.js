// The sentence that is labelled, and the words around it.
import { shown } from "../characters.js";
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { Line, elementAt, focusOn } from "../sentences.js";
import { read } from "./calls.js";
import { piecesOf } from "./spans.js";

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Labels} Labels
 * @typedef {import("./sentence_edit.js").Edit} Edit
 * @typedef {import("./types.js").Proposal} Proposal
 */

export const HERE = /** @type {any} */ ("a"); // stands for the number of a sentence in names of its words
const SHOWN = { active: "", top: "", all: false };
const NO_PINS = Object.freeze({});
const AROUND = 60; // words of the sentence before, and of that after
const AT_ONCE = 400; // tokens that are drawn before the browser may do something else

/** Confidence of what is still as the model proposed it. @param {Labels} labels @param {Proposal | null} proposal */
function confidenceOf(labels, proposal) {
  const sure = proposal?.confidence;
  return sure ? labels.map((label, t) => (proposal?.labels[t] === label ? sure[t] : 1)) : undefined;
}

/** @param {Labels} labels @param {Proposal | null} proposal */
function spansOf(labels, proposal) {
  return piecesOf(labels).map((piece) => {
    const found = proposal?.spans?.find(
      (span) => span.start === piece.start && span.end === piece.end && span.label === piece.label,
    );
    return { ...piece, confidence: found?.confidence ?? undefined, proposed: Boolean(found) };
  });
}

/** A sentence in the shape that the view "Tag" draws. @param {Item} item @param {Labels} labels @param {string} kind */
export function drawable(item, labels, kind) {
  const own = item.labels ? null : item.proposal;
  const written = labels.map((label) => label ?? "?");
  const sentence = { tokens: item.tokens, labels: written, confidence: confidenceOf(labels, own) };
  if (kind === "spans") return { ...sentence, spans: spansOf(labels, own) };
  return own ? { ...sentence, proposed: labels.map((label, t) => label === own.labels[t]) } : sentence;
}

const CLOSING = /^[,.;:!?%)\]}’”»]+$/;
const OPENING = /^[([{“„«]$/;

/** Where words would stand in a text: punctuation touches its word. @param {string[]} tokens @returns {[number, number][]} */
function likelyOffsets(tokens) {
  let end = -1;
  return tokens.map((token, t) => {
    const touches = t > 0 && (CLOSING.test(token) || OPENING.test(tokens[t - 1]));
    const start = touches ? end : end + 1;
    end = start + token.length;
    return [start, end];
  });
}

/** How many words are drawn: a very long sentence comes in parts. @param {Item} item */
function useDrawn(item) {
  const [state, setState] = useState({ id: item.id, count: AT_ONCE });
  const count = state.id === item.id ? state.count : AT_ONCE;
  useEffect(() => {
    if (count >= item.tokens.length) return undefined;
    const timer = setTimeout(() => setState({ id: item.id, count: count + 2 * AT_ONCE }), 0);
    return () => clearTimeout(timer);
  }, [item.id, count]);
  return count;
}

/**
 * Taps and clicks. By touch two taps make a span; with a mouse, dragging or Shift does.
 * @param {Edit} edit @param {() => void} onMove
 */
function usePointing(edit, onMove) {
  const last = useRef(/** @type {{token: number, edit: Edit, actions: number} | null} */ (null)); // the first of two taps
  const down = (/** @type {PointerEvent} */ event) => {
    const t = tokenAt(event.target);
    if (t === null || event.button !== 0 || event.pointerType !== "mouse") return;
    edit.moveTo(t, event.shiftKey);
    onMove();
  };
  const over = (/** @type {PointerEvent} */ event) => {
    const t = tokenAt(event.target);
    if (t === null || event.pointerType !== "mouse" || event.buttons !== 1 || t === edit.cursor) return;
    edit.moveTo(t, true);
    onMove();
  };
  const click = (/** @type {PointerEvent} */ event) => {
    const t = tokenAt(event.target);
    if (t === null) return;
    const { current: tap } = last;
    const isSecond = tap && tap.edit === edit && tap.token !== t && tap.actions === edit.actions; // nothing came between
    edit.count();
    if (event.pointerType === "mouse") return;
    if (isSecond) edit.moveTo(tap.token, false); // the focus has moved the cursor
    edit.moveTo(t, Boolean(isSecond));
    last.current = isSecond ? null : { token: t, edit, actions: edit.actions };
    onMove();
  };
  return { onPointerDown: down, onPointerOver: over, onClick: click };
}

/** @param {EventTarget | null} target */
function tokenAt(target) {
  const token = target instanceof Element ? target.closest("[data-token]") : null;
  return token instanceof HTMLElement ? Number(token.dataset.token) : null;
}

/** @param {{edit: Edit, labels: Labels, cursor: number, anchor: number | null, name: string, onMove: () => void}} props */
export function SentenceBox({ edit, labels, name, onMove }) {
  const { item, kind, cursor } = edit;
  const sentence = useMemo(
    () => ({ ...drawable(item, labels, kind), offsets: likelyOffsets(item.tokens) }),
    [item, labels, kind],
  );
  const { from, to } = edit.selection;
  const drawn = useDrawn(item);
  const pointing = usePointing(edit, onMove);
  const focused = (/** @type {FocusEvent} */ event) => {
    const t = tokenAt(event.target);
    if (t === null || t === edit.cursor) return;
    edit.moveTo(t, false);
    onMove();
  };
  return html`<div class="sentences in-front" ...${pointing} onfocusin=${focused}>
    <${Line} key=${item.id} sentence=${sentence} shown=${SHOWN} followed=${null} pins=${NO_PINS} other=${null}
      number=${HERE} name=${name} from=${from} to=${to} entry=${cursor} several=${kind === "spans"} drawn=${drawn} />
  </div>`;
}

/** Put the focus on the cursor, and bring it into view. @param {Edit} edit */
export function focusCursor(edit) {
  focusOn({ sentence: HERE, token: edit.cursor });
  elementAt({ sentence: HERE, token: edit.cursor })?.scrollIntoView({ block: "nearest" }); // also if it had the focus
}

/** The sentences before and after, if they are of the same text. @param {Item} item */
export function useContext(item) {
  const [found, setFound] = useState(/** @type {{id: number, before: string, after: string} | null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    const ask = async () => {
      const { sentences } = await read("/sentences", { offset: Math.max(0, item.id - 2), limit: 3 }, stop.signal);
      const near = sentences.filter((/** @type {Item} */ s) => s.source === item.source && s.id !== item.id);
      const isMarked = near.some((/** @type {Item} */ s) => s.document === item.document); // else each is a text of its own
      const text = (/** @type {number} */ id) => {
        const one = near.find((/** @type {Item} */ s) => s.id === id);
        return one && (one.document === item.document || !isMarked) ? one.tokens.slice(0, AROUND).join(" ") : "";
      };
      setFound({ id: item.id, before: text(item.id - 1), after: text(item.id + 1) });
    };
    const timer = setTimeout(() => ask().catch(() => undefined), 150); // those who are quick do not need it
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [item.id]);
  return found?.id === item.id ? found : null;
}

/** @param {{text: string | undefined, name: string}} props */
export function Neighbour({ text, name }) {
  return html`<p class="neighbour" dir="auto"
    aria-label=${text ? name : undefined}>${text ? shown(text) : "\u00a0"}</p>`;
}

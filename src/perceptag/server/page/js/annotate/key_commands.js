// Keys of the view "Annotate": what each does to the sentence in front.
import { directionOf } from "../characters.js";
import { useEffect, useRef } from "../html.js";
import { likelyLabellings } from "./sentence_edit.js";
import { READING, commandOf, keyOfEvent, labelKeys } from "./keys.js";

/**
 * @typedef {import("./project_session.js").ProjectSession} ProjectSession
 * @typedef {import("./sentence_edit.js").Edit} Edit
 * @typedef {{session: ProjectSession, open: (dialog: string) => void, focus: () => void, say: (text: string) => void}} KeyContext
 */

const OWN_KEYS = ["Enter", " ", "Tab"]; // what these do on a button or a link is the browser's

/** Whether keys are for something else: a field, a dialog, an input method. @param {KeyboardEvent} event */
function isElsewhere(event) {
  if (event.isComposing || event.keyCode === 229 || event.defaultPrevented) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest("input, textarea, select, dialog, [contenteditable]")) return true;
  return Boolean(target.closest("button, a, summary, [role=tab]")) && OWN_KEYS.includes(event.key);
}

/** @param {Edit} edit */
function isRightToLeft(edit) {
  return directionOf(edit.item.tokens) === "rtl";
}

/** @param {KeyContext} context @param {Edit} edit @param {string} command @param {boolean} extend @param {string} key */
function move({ session, focus }, edit, command, extend, key) {
  const turned = isRightToLeft(edit) && key.includes("Arrow"); // arrows go where they point
  const step = (command === "forward") !== turned ? 1 : -1;
  const to = { first: 0, last: edit.labels.length - 1 }[command] ?? edit.cursor + step;
  edit.moveTo(to, extend);
  session.editor.changed();
  focus();
}

/** @param {KeyContext} context @param {Edit} edit */
function nextDoubtful({ session, focus }, edit) {
  const next = edit.doubtful().find((t) => t > edit.cursor);
  if (next === undefined) return false; // then Tab leaves the sentence
  edit.moveTo(next, false);
  session.editor.changed();
  focus();
  return true;
}

const BORDERS = /** @type {Record<string, ["start" | "end", number]>} */ ({
  startBack: ["start", -1],
  startForward: ["start", 1],
  endBack: ["end", -1],
  endForward: ["end", 1],
});

/** @param {KeyContext} context @param {Edit} edit @param {string} command */
function moveBorder({ session, focus, say }, edit, command) {
  if (!edit.moveBorder(...BORDERS[command])) say("There is no span here whose border could move so.");
  session.editor.touched();
  focus();
}

/** @param {KeyContext} context @param {"undo" | "redo"} what */
export async function stepBack({ session, focus, say }, what) {
  say(await session.editor.step(what));
  focus();
}

/** @param {KeyContext} context */
export async function acceptAndGo({ session, focus, say }) {
  const missing = session.editor.edit?.labels.filter((label) => label === null).length;
  const isDecision = session.editor.deciding;
  const done = session.editor.accept();
  if (!done) say(`${missing === 1 ? "A word has" : `${missing} words have`} no label yet.`);
  else await done;
  if (done && isDecision) location.hash = "adjudicate";
  else focus();
}

/** Take the k-th best labelling of the model. @param {KeyContext} context @param {number} k from 1 */
export function takeBest({ session, focus, say }, k) {
  const { edit, blind } = session.editor;
  const best = blind || !edit ? undefined : likelyLabellings(edit.item.proposal)[k - 1];
  if (!edit || !best) {
    say(`There is no labelling number ${k}.`);
    return;
  }
  edit.take(best.labels, k === 1 ? "accepted" : `nbest:${k}`);
  session.editor.touched();
  say(k === 1 ? "What the model proposes." : `Labelling number ${k}.`);
  focus();
}

/** @param {KeyContext} context @param {string | null} label null: none */
export function giveLabel({ session, focus, say }, label) {
  const { edit } = session.editor;
  if (!edit) return;
  if (label === null && edit.kind === "tags") say("In this project every word has a label.");
  else edit.give(label);
  session.editor.touched();
  focus();
}

/** Go to the sentence before, or to the next one without accepting. @param {KeyContext} context @param {string} command */
export async function turn({ session, focus, say }, command) {
  if (command === "following") await session.editor.advance();
  else if (!(await session.editor.previous())) say("There is no sentence before this one.");
  focus();
}

/** @param {KeyContext} context @param {Edit} edit @param {string} command @param {boolean} extend @param {string} key */
function obey(context, edit, command, extend, key) {
  const { session, open } = context;
  if (["back", "forward", "first", "last"].includes(command)) move(context, edit, command, extend, key);
  else if (command === "doubtful") return nextDoubtful(context, edit);
  else if (command === "accept") acceptAndGo(context);
  else if (command === "none") giveLabel(context, null);
  else if (command in BORDERS) moveBorder(context, edit, command);
  else if (command === "skip") session.editor.skip();
  else if (command === "flag") session.editor.flag();
  else open(command); // search, why, comment
  return true;
}

/** @param {KeyContext} context @param {KeyboardEvent} event @returns {boolean} whether the key does something */
function press(context, event) {
  const { session } = context;
  const { edit } = session.editor;
  const key = keyOfEvent(event);
  const found = commandOf(key);
  if (found && !session.mayEdit && !READING.includes(found.command)) return false;
  if (found && ["keys", "guidelines"].includes(found.command)) context.open(found.command);
  else if (found?.command === "previous" || found?.command === "following") turn(context, found.command);
  else if (found?.command === "undo" || found?.command === "redo") stepBack(context, found.command);
  else if (!edit) return false;
  else if (found) {
    edit.count();
    return obey(context, edit, found.command, found.extend, key);
  } else {
    const best = /^Alt\+([1-3])$/.exec(key);
    const label = labelKeys(session.project.labels).get(key);
    if (!session.mayEdit || (!best && label === undefined)) return false;
    edit.count();
    if (best) takeBest(context, Number(best[1]));
    else giveLabel(context, label ?? null);
  }
  return true;
}

/** Listen to keys as long as the view is shown. @param {KeyContext} context @param {boolean} active */
export function useKeys(context, active) {
  // One listener that reads the latest state: a listener added after the next paint misses a quick key after Esc.
  const now = useRef({ context, active });
  now.current = { context, active };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => {
      const { context: current, active: listens } = now.current;
      if (listens && !isElsewhere(event) && press(current, event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

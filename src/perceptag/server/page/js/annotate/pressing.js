// Keys of the view "Annotate": what each does to the sentence in front.
import { directionOf } from "../characters.js";
import { useEffect, useRef } from "../html.js";
import { commandOf, keyOfEvent, labelKeys } from "./keys.js";

/**
 * @typedef {import("./bench.js").Bench} Bench
 * @typedef {import("./edit.js").Edit} Edit
 * @typedef {{bench: Bench, open: (dialog: string) => void, focus: () => void, say: (text: string) => void}} Hands
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

/** @param {Hands} hands @param {Edit} edit @param {string} command @param {boolean} extend @param {string} key */
function move({ bench, focus }, edit, command, extend, key) {
  const turned = isRightToLeft(edit) && key.includes("Arrow"); // arrows go where they point
  const step = (command === "forward") !== turned ? 1 : -1;
  const to = { first: 0, last: edit.labels.length - 1 }[command] ?? edit.cursor + step;
  edit.moveTo(to, extend);
  bench.desk.changed();
  focus();
}

/** @param {Hands} hands @param {Edit} edit */
function nextDoubtful({ bench, focus }, edit) {
  const next = edit.doubtful().find((t) => t > edit.cursor);
  if (next === undefined) return false; // then Tab leaves the sentence
  edit.moveTo(next, false);
  bench.desk.changed();
  focus();
  return true;
}

const BORDERS = /** @type {Record<string, ["start" | "end", number]>} */ ({
  startBack: ["start", -1],
  startForward: ["start", 1],
  endBack: ["end", -1],
  endForward: ["end", 1],
});

/** @param {Hands} hands @param {Edit} edit @param {string} command */
function moveBorder({ bench, focus, say }, edit, command) {
  if (!edit.moveBorder(...BORDERS[command])) say("There is no span here whose border could move so.");
  bench.desk.touched();
  focus();
}

/** @param {Hands} hands @param {"undo" | "redo"} what */
export async function stepBack({ bench, focus, say }, what) {
  say(await bench.desk.step(what));
  focus();
}

/** @param {Hands} hands */
export async function acceptAndGo({ bench, focus, say }) {
  const missing = bench.desk.edit?.labels.filter((label) => label === null).length;
  const done = bench.desk.accept();
  if (!done) say(`${missing === 1 ? "A word has" : `${missing} words have`} no label yet.`);
  else await done;
  focus();
}

/** Take the k-th best labelling of the model. @param {Hands} hands @param {number} k from 1 */
export function takeBest({ bench, focus, say }, k) {
  const { edit, blind } = bench.desk;
  const best = blind ? undefined : edit?.item.proposal?.nbest?.[k - 1];
  if (!edit || !best) {
    say(`There is no labelling number ${k}.`);
    return;
  }
  edit.take(best.labels, k === 1 ? "accepted" : `nbest:${k}`);
  bench.desk.touched();
  say(k === 1 ? "What the model proposes." : `Labelling number ${k}.`);
  focus();
}

/** @param {Hands} hands @param {string | null} label null: none */
export function giveLabel({ bench, focus, say }, label) {
  const { edit } = bench.desk;
  if (!edit) return;
  if (label === null && edit.kind === "tags") say("In this project every word has a label.");
  else edit.give(label);
  bench.desk.touched();
  focus();
}

/** @param {Hands} hands @param {Edit} edit @param {string} command @param {boolean} extend @param {string} key */
function obey(hands, edit, command, extend, key) {
  const { bench, open } = hands;
  if (["back", "forward", "first", "last"].includes(command)) move(hands, edit, command, extend, key);
  else if (command === "doubtful") return nextDoubtful(hands, edit);
  else if (command === "accept") acceptAndGo(hands);
  else if (command === "none") giveLabel(hands, null);
  else if (command in BORDERS) moveBorder(hands, edit, command);
  else if (command === "offer") bench.desk.takeOffer();
  else if (command === "skip") bench.desk.skip();
  else if (command === "flag") bench.desk.flag();
  else open(command); // search, markAll, why, comment
  return true;
}

const WITHOUT_EDITING = ["back", "forward", "first", "last", "doubtful", "why", "comment"];

/** @param {Hands} hands @param {KeyboardEvent} event @returns {boolean} whether the key does something */
function press(hands, event) {
  const { bench } = hands;
  const { edit } = bench.desk;
  const key = keyOfEvent(event);
  const found = commandOf(key);
  if (found?.command === "keys") hands.open("keys");
  else if (found?.command === "undo" || found?.command === "redo") stepBack(hands, found.command);
  else if (!edit) return false;
  else if (found) {
    if (!bench.mayEdit && !WITHOUT_EDITING.includes(found.command)) return false;
    edit.count();
    return obey(hands, edit, found.command, found.extend, key);
  } else {
    const best = /^Alt\+([1-9])$/.exec(key);
    const label = labelKeys(bench.project.labels).get(key);
    if (!bench.mayEdit || (!best && label === undefined)) return false;
    edit.count();
    if (best) takeBest(hands, Number(best[1]));
    else giveLabel(hands, label ?? null);
  }
  return true;
}

/** Listen to keys as long as the view is shown. @param {Hands} hands @param {boolean} active */
export function useKeys(hands, active) {
  const now = useRef(hands);
  now.current = hands;
  useEffect(() => {
    if (!active) return undefined;
    const listen = (/** @type {KeyboardEvent} */ event) => {
      if (!isElsewhere(event) && press(now.current, event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [active]);
}

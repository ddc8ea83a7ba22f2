// Which key does what. Everybody can choose other keys; they are kept in the browser.

/** @typedef {import("./types.js").LabelEntry} LabelEntry */
/** @typedef {{id: string, keys: string[], name: string, short?: string}} Command */

const KEPT = "perceptag.keys";

/** @type {Command[]} */
export const COMMANDS = [
  { id: "accept", keys: ["Enter"], name: "accept the labels and go to the next sentence", short: "accept" },
  { id: "back", keys: ["ArrowLeft", "h"], name: "the word before; with Shift, select", short: "word" },
  { id: "forward", keys: ["ArrowRight", "l"], name: "the word after; with Shift, select" },
  { id: "first", keys: ["Home"], name: "the first word; with Shift, select" },
  { id: "last", keys: ["End"], name: "the last word; with Shift, select" },
  { id: "doubtful", keys: ["Tab"], name: "the next word in doubt", short: "doubt" },
  { id: "none", keys: ["0", "Backspace"], name: "no label", short: "no label" },
  { id: "search", keys: ["/"], name: "search a label", short: "labels" },
  { id: "startBack", keys: ["["], name: "the span begins one word earlier", short: "border" },
  { id: "endForward", keys: ["]"], name: "the span ends one word later" },
  { id: "startForward", keys: ["{"], name: "the span begins one word later" },
  { id: "endBack", keys: ["}"], name: "the span ends one word earlier" },
  { id: "why", keys: ["e"], name: "why the model proposes this label", short: "why" },
  { id: "skip", keys: ["s"], name: "skip the sentence", short: "skip" },
  { id: "flag", keys: ["f"], name: "flag the sentence", short: "flag" },
  { id: "comment", keys: ["c"], name: "comments and history", short: "comment" },
  { id: "previous", keys: [","], name: "the sentence before", short: "sentence before" },
  { id: "following", keys: ["."], name: "the next sentence, without accepting" },
  { id: "undo", keys: ["Ctrl+z"], name: "undo", short: "undo" },
  { id: "redo", keys: ["Ctrl+Shift+z", "Ctrl+y"], name: "do again" },
  { id: "guidelines", keys: ["g"], name: "guidelines and what labels mean" },
  { id: "keys", keys: ["?"], name: "these keys", short: "keys" },
];

/** Commands of those who may only read. */
export const READING = [
  "back",
  "forward",
  "first",
  "last",
  "doubtful",
  "why",
  "comment",
  "previous",
  "guidelines",
  "keys",
];

/** How a key is written. @param {string} key */
export function keyName(key) {
  const names = /** @type {Record<string, string>} */ ({
    ArrowLeft: "←",
    ArrowRight: "→",
    ArrowUp: "↑",
    ArrowDown: "↓",
    Backspace: "⌫",
    " ": "Space",
  });
  const parts = key === "+" ? ["+"] : key.split("+");
  return parts
    .map((part) => names[part] ?? (parts.length > 1 && part.length === 1 ? part.toUpperCase() : part))
    .join(" ");
}

/** The key that an event stands for: the letter of a Latin keyboard also where another alphabet is set. @param {KeyboardEvent} event */
export function keyOfEvent(event) {
  const isLetter = event.key.length === 1;
  const isForeign = isLetter && event.key.charCodeAt(0) > 127 && /^Key[A-Z]$/.test(event.code);
  const letter = isForeign ? event.code.slice(3).toLowerCase() : event.key;
  const third = event.getModifierState("AltGraph"); // on many keyboards [ and ] are there
  const control = (event.ctrlKey || event.metaKey) && !third;
  const alt = event.altKey && !third;
  const digit = alt && /^Digit[0-9]$/.test(event.code) ? event.code.slice(5) : letter;
  const shift = event.shiftKey && (control || !isLetter);
  const name = control ? digit.toLowerCase() : digit;
  return `${control ? "Ctrl+" : ""}${alt ? "Alt+" : ""}${shift ? "Shift+" : ""}${name.length === 1 ? name : digit}`;
}

/** @returns {Record<string, string[]>} */
function chosen() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** The keys of each command. */
export function keyTable() {
  const own = chosen();
  return new Map(COMMANDS.map((one) => [one.id, own[one.id] ?? one.keys]));
}

/** @param {string} id @param {string[] | null} keys null: as they were */
export function chooseKeys(id, keys) {
  const { [id]: _, ...rest } = chosen();
  localStorage.setItem(KEPT, JSON.stringify(keys ? { ...rest, [id]: keys } : rest));
}

export function forgetKeys() {
  localStorage.removeItem(KEPT);
}

/** What a key does. @param {string} key @returns {{command: string, extend: boolean} | null} */
export function commandOf(key) {
  const plain = key.replace(/^Shift\+/, "");
  for (const [command, keys] of keyTable()) {
    if (keys.includes(key)) return { command, extend: false };
    const moves = ["back", "forward", "first", "last"].includes(command);
    if (moves && key !== plain && keys.includes(plain)) return { command, extend: true };
    if (moves && /^[A-Z]$/.test(key) && keys.includes(key.toLowerCase())) return { command, extend: true };
  }
  return null;
}

/**
 * A key for each label as long as there are any: its own, else 1 to 9, then the letters that no command has.
 * @param {LabelEntry[]} labels @returns {Map<string, string>} label by key
 */
export function labelKeys(labels) {
  const taken = new Set([...keyTable().values()].flat());
  const free = [..."123456789abcdefghijklmnopqrstuvwxyz"].filter((key) => !taken.has(key));
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { name, key } of labels) if (key && free.includes(key) && !found.has(key)) found.set(key, name);
  const named = new Set(found.values());
  const left = free.filter((key) => !found.has(key));
  for (const { name } of labels) {
    if (named.has(name)) continue;
    const key = left.shift();
    if (key) found.set(key, name);
  }
  return found;
}

// Text as it is: characters that cannot be seen, or that change the order of others, are shown as chips.
import { html } from "./html.js";

// Controls, bidirectional controls, zero-width characters, tags, variation selectors outside of emoji, lone surrogates.
const RANGES =
  "\\0-\\b\\v\\f\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}";
const HIDDEN = new RegExp(`[${RANGES}]|\\p{Surrogate}`, "gu");
const JOINED = /(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu; // in emoji it belongs there
const NAMES = new Map([
  [0x00ad, "soft hyphen"],
  [0x200b, "zero-width space"],
  [0x200c, "zero-width non-joiner"],
  [0x200d, "zero-width joiner"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "end of embedding"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2060, "word joiner"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "end of isolate"],
  [0xfeff, "byte order mark"],
]);

/** @param {string} text @returns {{text: string, hidden: boolean}[]} */
export function parts(text) {
  const kept = new Set([...text.matchAll(JOINED)].map((match) => match.index));
  const found = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (kept.has(match.index)) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), hidden: false });
    found.push({ text: match[0], hidden: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push({ text: text.slice(end), hidden: false });
  return found;
}

/** @param {string} character */
function codeOf(character) {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Text of others, shown whole. @param {string} text */
export function shown(text) {
  if (text.search(HIDDEN) < 0) return text;
  return parts(text).map((part) =>
    part.hidden
      ? html`<span class="hidden-character"
        title=${NAMES.get(part.text.codePointAt(0) ?? 0) ?? "a character without a shape"}
          >${codeOf(part.text)}</span
        >`
      : part.text,
  );
}

/** The same in words, for those who hear it. @param {string} text */
export function spoken(text) {
  if (text.search(HIDDEN) < 0) return text;
  return parts(text)
    .map((part) => (part.hidden ? ` ${NAMES.get(part.text.codePointAt(0) ?? 0) ?? codeOf(part.text)} ` : part.text))
    .join("");
}

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the first letter. @param {string[]} tokens */
export function directionOf(tokens) {
  for (const token of tokens) {
    const letter = LETTER.exec(token);
    if (letter) return RIGHT_TO_LEFT.test(letter[0]) ? "rtl" : "ltr";
  }
  return "ltr";
}

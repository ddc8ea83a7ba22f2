// Column files, in and out.

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").TagReply} TagReply
 */

/** @param {string} line */
function fieldsOf(line) {
  return line.includes("\t") ? line.split("\t") : line.trim().split(/ +/);
}

/** @param {string} text @returns {string[][][]} the fields of the lines of each sentence */
export function readColumns(text) {
  /** @type {string[][][]} */
  const sentences = [[]];
  for (const line of text.split(/\r?\n/)) {
    const sentence = sentences[sentences.length - 1];
    if (line.trim() === "") {
      if (sentence.length) sentences.push([]);
    } else if (!line.startsWith("-DOCSTART-")) {
      sentence.push(fieldsOf(line));
    }
  }
  return sentences.filter((sentence) => sentence.length);
}

const CONLLU = /^(?:#|[0-9]+(?:[-.][0-9]+)?\t(?:[^\t]*\t){8}[^\t]*$)/;

/** Words and tags of CoNLL-U, without comments and without the lines of joined words. @param {string} text */
export function fromConllu(text) {
  const lines = text.split(/\r?\n/).filter((line) => line === "" || /^[0-9]+\t/.test(line));
  return lines.map((line) => (line ? line.split("\t").slice(1, 5).join("\t") : "")).join("\n");
}

/**
 * What a file is, by its lines: the same number of fields in all of them, and more than one, means columns.
 * @param {string} text @returns {"text" | "columns" | "conllu"}
 */
export function formatOf(text) {
  const lines = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, 200);
  if (lines.length && lines.every((line) => CONLLU.test(line))) return "conllu";
  const counts = new Set(lines.filter((line) => !line.startsWith("-DOCSTART-")).map((line) => fieldsOf(line).length));
  const [width] = counts;
  return counts.size === 1 && lines.length > 2 && width > 1 && /\n\s*\n/.test(text) ? "columns" : "text";
}

/**
 * The rows of a request.
 * @param {string} text @param {string} names of the columns, separated by commas or blanks; "-" for one to leave out
 */
export function rowsOf(text, names) {
  const columns = names.split(/[\s,]+/).filter(Boolean);
  return readColumns(text).map((sentence) =>
    sentence.map((fields) =>
      Object.fromEntries(columns.flatMap((name, k) => (name === "-" || k >= fields.length ? [] : [[name, fields[k]]]))),
    ),
  );
}

/** As `perceptag tag` writes columns: white space inside a word becomes "_". @param {TagReply} reply */
export function toConll(reply) {
  const lower = (/** @type {Sentence} */ sentence, /** @type {number} */ t) =>
    Object.values(sentence.layers ?? {}).map((layer) => layer.labels[t]);
  const line = (/** @type {Sentence} */ sentence, /** @type {number} */ t) =>
    [sentence.tokens[t].replace(/\s/g, "_"), ...lower(sentence, t), sentence.labels[t]].join(" ");
  return reply.sentences.map((sentence) => sentence.tokens.map((_, t) => `${line(sentence, t)}\n`).join("")).join("\n");
}

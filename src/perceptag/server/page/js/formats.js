// Column files, in and out.

/**
 * @typedef {import("./types.js").Sentence} Sentence
 * @typedef {import("./types.js").TagReply} TagReply
 */

/** @param {string} line */
function fieldsOf(line) {
  return line.includes("\t") ? line.split("\t") : line.trim().split(/ +/);
}

/** @typedef {{fields: string[], number: number}} Line `number`: from 1, as editors count */

/** @param {string} text @returns {Line[][]} the lines of each sentence */
function readColumns(text) {
  /** @type {Line[][]} */
  const sentences = [[]];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    const sentence = sentences[sentences.length - 1];
    if (line.trim() === "") {
      if (sentence.length) sentences.push([]);
    } else if (!line.startsWith("-DOCSTART-")) {
      sentence.push({ fields: fieldsOf(line), number: i + 1 });
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

/** @param {string} names */
function listOf(names) {
  return names.split(/[\s,]+/).filter(Boolean);
}

/**
 * How many fields each line has, if all have the same number and this cannot be one line of running text; otherwise 0.
 * @param {string} text
 */
function widthOf(text) {
  const lines = readColumns(text).flat();
  const width = lines[0]?.fields.length ?? 0;
  if (lines.length < 2 && !text.includes("\t")) return 0;
  return width > 1 && lines.every(({ fields }) => fields.length === width) ? width : 0;
}

/** Whether each line of a text has one field for each of several names. @param {string} text @param {string} names */
export function fits(text, names) {
  return widthOf(text) > 0 && widthOf(text) === listOf(names).length;
}

/** The names, and a "-" for each further column of a text. @param {string} text @param {string} names */
export function namesOfAll(text, names) {
  const listed = listOf(names);
  return [...listed, ...Array(Math.max(widthOf(text) - listed.length, 0)).fill("-")].join(" ");
}

/**
 * The rows of a request. A line that has more or fewer fields than there are names is an error: no word is left out.
 * @param {string} text @param {string} names of the columns, separated by commas or blanks; "-" for one to leave out
 */
export function rowsOf(text, names) {
  const columns = listOf(names);
  const row = (/** @type {Line} */ { fields, number }) => {
    if (fields.length !== columns.length) throw new Error(misfit(number, columns, fields.length));
    return Object.fromEntries(columns.flatMap((name, k) => (name === "-" ? [] : [[name, fields[k]]])));
  };
  return readColumns(text).map((sentence) => sentence.map(row));
}

/** @param {number} number @param {string[]} columns @param {number} found */
function misfit(number, columns, found) {
  const fields = columns.length === 1 ? "field" : "fields";
  const expected = columns.length ? `${columns.length} ${fields} (${columns.join(", ")})` : "names of the columns";
  return (
    `Line ${number}: expected ${expected}, found ${found} ${found === 1 ? "field" : "fields"}. ` +
    'Name each column, with "-" for one to leave out; for running text, untick Columns.'
  );
}

/**
 * As `perceptag tag` writes columns: those of the input, then the labels of each layer; white space inside becomes "_".
 * @param {TagReply} reply @param {Record<string, string>[][]} [rows] the columns of the input, if it had more than words
 */
export function toConll(reply, rows) {
  const lower = (/** @type {Sentence} */ sentence, /** @type {number} */ t) =>
    Object.values(sentence.layers ?? {}).map((layer) => layer.labels[t]);
  const line = (/** @type {Sentence} */ sentence, /** @type {number} */ s, /** @type {number} */ t) => {
    const given = rows ? Object.values(rows[s][t]) : [sentence.tokens[t]];
    return [...given.map((value) => value.replace(/\s/g, "_")), ...lower(sentence, t), sentence.labels[t]].join(" ");
  };
  return reply.sentences
    .map((sentence, s) => sentence.tokens.map((_, t) => `${line(sentence, s, t)}\n`).join(""))
    .join("\n");
}

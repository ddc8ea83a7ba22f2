// What is asked of the server for a text that is on the page, and answers that come later.
import { Problem, post } from "./api.js";
import { rowsOf } from "./formats.js";
import { useEffect, useState } from "./html.js";

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Layer} Layer
 * @typedef {import("./types.js").Input} Input
 * @typedef {import("./types.js").TagReply} TagReply
 * @typedef {import("./types.js").Pins} Pins
 * @typedef {{rows?: Record<string, string>[][], text?: string, tokenizer?: string}} Given
 * @typedef {{model: Model, layer: Layer, reply: TagReply, given: Given}} Work
 */

/** What a whole text is asked for: everything that the model can say about it at once. @param {Model} model */
function wants(model) {
  const top = model.layers[model.layers.length - 1];
  return ["spans", "confidence"]
    .filter((what) => top.can.includes(what))
    .concat(model.layers.length > 1 ? ["layers"] : []);
}

/**
 * The text of a request: rows of columns, or running text with the model whose tokeniser cuts it.
 * @param {Model} model @param {Input} input @param {Model[]} models @returns {Given}
 */
export function givenOf(model, input, models) {
  if (input.kind === "columns") return { rows: rowsOf(input.text, input.names) };
  if (model.columns.length > 1) throw new Error(needsMore(model));
  const helper = model.has_tokenizer ? undefined : models.find((other) => other.has_tokenizer)?.name;
  return { text: input.text, ...(helper ? { tokenizer: helper } : {}) };
}

/** @param {Model} model @param {Given} given @param {AbortSignal} signal @returns {Promise<TagReply>} */
export function tagGiven(model, given, signal) {
  const layer = model.layers[model.layers.length - 1].name; // the server would choose tags and not lemmas
  return post("v1/tag", { model: model.name, layer, want: wants(model), ...given }, signal);
}

/** @param {Model} model */
function needsMore({ name, columns }) {
  return (
    `The model ${name} reads the columns ${columns.join(", ")}, and running text has only words. ` +
    "Write each word on a line of its own with its other columns after it, and tick Columns."
  );
}

/** Whether a label may depend on other sentences. Those of columns do not: nothing says where a document ends. @param {Work} work */
export function looksAtDocument({ model, layer, given }) {
  return !given.rows && model.layers.slice(0, model.layers.indexOf(layer) + 1).some((one) => one.looks_at_documents);
}

/** Labels that are set in one of `count` sentences. @param {Work} work @param {number} s @param {Pins} [pins] */
function setLabels(work, s, pins, from = 0, to = work.reply.sentences.length) {
  if (!pins || !Object.keys(pins).length) return {};
  const tokens = work.reply.sentences.slice(from, to).map((sentence) => sentence.tokens);
  return { given: tokens.map((words, i) => words.map((_, t) => (from + i === s ? (pins[t] ?? null) : null))) };
}

/**
 * The part of a request that names the model, the layer and the sentences `from` to before `to`.
 * @param {Work} work @param {number} s the sentence that it is about @param {Pins | undefined} pins
 * @param {number} from @param {number} to
 */
function around(work, s, pins, from, to) {
  const { model, layer, reply, given } = work;
  const input = given.rows
    ? { rows: given.rows.slice(from, to) }
    : { sentences: reply.sentences.slice(from, to).map((sentence) => sentence.tokens) };
  const set = setLabels(work, s, pins, from, to);
  return { body: { model: model.name, layer: layer.name, ...input, ...set }, sentence: s - from };
}

/** The same with all that decides about its labels: the text, or the sentence alone. @param {Work} work @param {number} s @param {Pins} [pins] */
function about(work, s, pins) {
  if (!looksAtDocument(work)) return around(work, s, pins, s, s + 1);
  const { model, layer, given } = work;
  return { body: { model: model.name, layer: layer.name, ...given, ...setLabels(work, s, pins) }, sentence: s };
}

const WINDOW = 49; // sentences of a document, around the one that is explained

/**
 * Ask about a sentence and as many of its document as the server takes.
 * @param {string} path @param {Work} work @param {number} s @param {Pins | undefined} pins @param {object} more
 * @param {AbortSignal} signal
 */
async function askWithin(path, work, s, pins, more, signal) {
  const { length } = work.reply.sentences;
  for (let size = looksAtDocument(work) ? WINDOW : 1; ; size = Math.floor(size / 2)) {
    const from = Math.max(0, Math.min(s - Math.floor(size / 2), length - size));
    const to = Math.min(length, from + Math.max(size, 1));
    const { body, sentence } = around(work, s, pins, from, to);
    try {
      const reply = await post(path, { ...body, sentence, ...more }, signal);
      return { ...reply, sentencesRead: looksAtDocument(work) && to - from < length ? to - from : null };
    } catch (problem) {
      if (!(problem instanceof Problem && problem.body.limit && size > 1)) throw problem;
    }
  }
}

/**
 * @param {Work} work @param {number} s @param {number} t @param {number} top @param {Pins} pins
 * @param {AbortSignal} signal
 */
export function explain(work, s, t, top, pins, signal) {
  const set = work.layer.can.includes("explain-given") ? pins : undefined;
  return askWithin("v1/explain", work, s, set, { token: t, top }, signal);
}

/** @param {Work} work @param {number} s @param {Pins} pins @param {AbortSignal} signal */
export function order(work, s, pins, signal) {
  return askWithin("v1/order", work, s, pins, {}, signal);
}

/** @param {Work} work @param {number} s @param {number} n @param {AbortSignal} signal */
export async function nbest(work, s, n, signal) {
  const { body, sentence } = about(work, s);
  const reply = await post("v1/tag", { ...body, want: ["nbest"], n }, signal);
  return reply.sentences[sentence].nbest;
}

/**
 * The labels of a sentence if some are set.
 * @param {Work} work @param {number} s @param {Pins} pins @param {AbortSignal} [signal]
 */
export async function follow(work, s, pins, signal) {
  const { body, sentence } = about(work, s, pins);
  const want = work.layer.can.includes("spans") ? ["spans"] : [];
  const found = await post("v1/tag", { ...body, want }, signal).catch((problem) => {
    if (problem.where?.sentence !== undefined) problem.where.sentence += s - sentence; // as the page counts
    throw problem;
  });
  return found.sentences[sentence];
}

/**
 * What another model says about the same words.
 * @param {Work} work @param {Model} other @param {string} layer @param {AbortSignal} signal
 */
export function tagAgain(work, other, layer, signal) {
  const { rows } = work.given;
  const input = rows ? { rows } : { sentences: work.reply.sentences.map((one) => one.tokens), documents: [0] };
  return post("v1/tag", { model: other.name, layer, ...input }, signal);
}

const AGAIN = 2000; // milliseconds until a server that does not answer is asked again

/** Whether it helps to ask again. @param {any} problem */
export function isGone(problem) {
  return problem?.status === 0 || problem?.status === 503;
}

/**
 * An answer that is asked for again whenever an input changes, and while the server does not answer. Until the new one is
 * there the old one stays.
 * @template T
 * @param {((signal: AbortSignal) => Promise<T>) | null} ask null: nothing is asked for
 * @param {readonly any[]} inputs
 * @param {number} [delay] in milliseconds
 * @returns {{value: T | null, problem: Error | null, waiting: boolean}}
 */
export function useAnswer(ask, inputs, delay = 0) {
  const [answer, setAnswer] = useState(/** @type {any} */ ({ value: null, problem: null, waiting: true, inputs }));
  useEffect(() => {
    if (!ask) {
      setAnswer({ value: null, problem: null, waiting: false, inputs });
      return undefined;
    }
    const stop = new AbortController();
    let timer = 0;
    setAnswer((/** @type {any} */ old) => ({ ...old, waiting: true }));
    const fail = (/** @type {Error} */ error) => {
      if (stop.signal.aborted) return;
      setAnswer((/** @type {any} */ old) => ({ value: old.value, problem: error, waiting: false, inputs }));
      if (isGone(error)) timer = setTimeout(run, AGAIN);
    };
    const run = () => {
      ask(stop.signal).then((value) => {
        if (!stop.signal.aborted) setAnswer({ value, problem: null, waiting: false, inputs });
      }, fail);
    };
    timer = setTimeout(run, delay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, inputs);
  const isOld = inputs.some((one, k) => one !== answer.inputs[k]); // what is new is asked for after the next paint
  return isOld ? { ...answer, waiting: true } : answer;
}

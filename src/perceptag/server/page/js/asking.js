// What is asked of the server for a text that is on the page, and answers that come later.
import { post } from "./api.js";
import { rowsOf } from "./formats.js";
import { useEffect, useState } from "./html.js";

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Layer} Layer
 * @typedef {import("./types.js").Input} Input
 * @typedef {import("./types.js").TagReply} TagReply
 * @typedef {import("./types.js").Pins} Pins
 * @typedef {{model: Model, layer: Layer, reply: TagReply, rows: Record<string, string>[][] | null}} Work
 */

/** What a whole text is asked for: everything that the model can say about it at once. @param {Model} model */
function wants(model) {
  const top = model.layers[model.layers.length - 1];
  return ["spans", "confidence"]
    .filter((what) => top.can.includes(what))
    .concat(model.layers.length > 1 ? ["layers"] : []);
}

/**
 * @param {Model} model @param {Input} input @param {Model[]} models @param {AbortSignal} signal
 * @returns {Promise<TagReply>}
 */
export function tagInput(model, input, models, signal) {
  const layer = model.layers[model.layers.length - 1].name; // the server would choose tags and not lemmas
  const head = { model: model.name, layer, want: wants(model) };
  if (input.kind === "columns") return post("v1/tag", { ...head, rows: rowsOf(input.text, input.names) }, signal);
  if (model.columns.length > 1) throw new Error(needsMore(model));
  const helper = model.has_tokenizer ? undefined : models.find((other) => other.has_tokenizer)?.name;
  return post("v1/tag", { ...head, text: input.text, ...(helper ? { tokenizer: helper } : {}) }, signal);
}

/** @param {Model} model */
function needsMore({ name, columns }) {
  return (
    `The model ${name} reads the columns ${columns.join(", ")}, and running text has only words. ` +
    "Write each word on a line of its own with its other columns after it, and tick Columns."
  );
}

/** Whether a label may depend on other sentences. @param {Model} model @param {Layer} layer */
function looksAtDocuments(model, layer) {
  return model.layers.slice(0, model.layers.indexOf(layer) + 1).some((one) => one.looks_at_documents);
}

/**
 * The part of a request that names the model, the layer and the sentences.
 * @param {Work} work @param {number} s the sentence that it is about @param {Pins} [pins]
 */
function about(work, s, pins) {
  const { model, layer, reply, rows } = work;
  const whole = looksAtDocuments(model, layer);
  const cut = (/** @type {any[]} */ list) => (whole ? list : [list[s]]);
  const tokens = /** @type {string[][]} */ (cut(reply.sentences.map((sentence) => sentence.tokens)));
  const sentence = whole ? s : 0;
  const given = tokens.map((words, i) => words.map((_, t) => (i === sentence ? (pins?.[t] ?? null) : null)));
  const input = rows ? { rows: cut(rows) } : { sentences: tokens };
  const fixed = pins && Object.keys(pins).length ? { given } : {};
  return { body: { model: model.name, layer: layer.name, ...input, ...fixed }, sentence };
}

/**
 * @param {Work} work @param {number} s @param {number} t @param {number} top @param {Pins} pins
 * @param {AbortSignal} signal
 */
export function explain(work, s, t, top, pins, signal) {
  const { body, sentence } = about(work, s, work.layer.can.includes("explain-given") ? pins : undefined);
  return post("v1/explain", { ...body, sentence, token: t, top }, signal);
}

/** @param {Work} work @param {number} s @param {Pins} pins @param {AbortSignal} signal */
export function order(work, s, pins, signal) {
  const { body, sentence } = about(work, s, pins);
  return post("v1/order", { ...body, sentence }, signal);
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
  const sentences = work.reply.sentences.map((sentence) => sentence.tokens);
  const input = work.rows ? { rows: work.rows } : { sentences };
  return post("v1/tag", { model: other.name, layer, ...input }, signal);
}

/**
 * An answer that is asked for again whenever an input changes. Until the new one is there the old one stays.
 * @template T
 * @param {((signal: AbortSignal) => Promise<T>) | null} ask null: nothing is asked for
 * @param {readonly any[]} inputs
 * @param {number} [delay] in milliseconds
 * @returns {{value: T | null, problem: Error | null, waiting: boolean}}
 */
export function useAnswer(ask, inputs, delay = 0) {
  const [answer, setAnswer] = useState(/** @type {any} */ ({ value: null, problem: null, waiting: true }));
  useEffect(() => {
    if (!ask) {
      setAnswer({ value: null, problem: null, waiting: false });
      return undefined;
    }
    const stop = new AbortController();
    setAnswer((/** @type {any} */ old) => ({ ...old, waiting: true }));
    const fail = (/** @type {Error} */ error) => {
      if (!stop.signal.aborted)
        setAnswer((/** @type {any} */ old) => ({ value: old.value, problem: error, waiting: false }));
    };
    const timer = setTimeout(() => {
      ask(stop.signal).then((value) => {
        if (!stop.signal.aborted) setAnswer({ value, problem: null, waiting: false });
      }, fail);
    }, delay);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, inputs);
  return answer;
}

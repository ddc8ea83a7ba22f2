// The labels of the text on the page, by the model that is chosen and by another one.
import { tagAgain, tagInput, useAnswer } from "./asking.js";
import { rowsOf } from "./formats.js";
import { useMemo, useRef } from "./html.js";

/**
 * @typedef {import("./types.js").Model} Model
 * @typedef {import("./types.js").Layer} Layer
 * @typedef {import("./types.js").Input} Input
 * @typedef {import("./types.js").TagReply} TagReply
 * @typedef {import("./asking.js").Work} Work
 * @typedef {import("./compare.js").Rival} Rival
 */

const PAUSE = 180; // milliseconds without a key after which a text is tagged

/**
 * Sentences that are as they were stay the same objects, and are not drawn again.
 * @param {TagReply | null} old @param {TagReply} fresh
 */
function keepSame(old, fresh) {
  if (!old || old.model.digest !== fresh.model.digest) return fresh;
  const sentences = fresh.sentences.map((sentence, s) => {
    const before = old.sentences[s];
    return before && JSON.stringify(before) === JSON.stringify(sentence) ? before : sentence;
  });
  return { ...fresh, sentences };
}

/**
 * The answer to the text on the page. `work` is null until it is there; it belongs to this model and layer.
 * @param {Model} model @param {Layer} layer @param {Input} input @param {Model[]} models
 */
export function useTagged(model, layer, input, models) {
  const last = useRef(/** @type {TagReply | null} */ (null));
  const blank = input.text.trim() === "";
  const ask = async (/** @type {AbortSignal} */ signal) => {
    const reply = keepSame(last.current, await tagInput(model, input, models, signal));
    last.current = reply;
    return { reply, model, rows: input.kind === "columns" ? rowsOf(input.text, input.names) : null };
  };
  const { value, problem, waiting } = useAnswer(blank ? null : ask, [model, input], PAUSE);
  const found = blank || problem || value?.model !== model ? null : value;
  const work = useMemo(
    () => (found ? { model, layer, reply: found.reply, rows: found.rows } : null),
    [found === null, layer, found?.reply],
  );
  return { work, problem, waiting, blank };
}

/** The labels of another model, once they are there. @param {Work | null} work @param {Rival | null} rival */
export function useCompared(work, rival) {
  const same = rival?.model === work?.model && rival?.layer === work?.layer.name;
  const ask = async (/** @type {AbortSignal} */ signal) => {
    if (!work || !rival) return null;
    const reply = await tagAgain(work, rival.model, rival.layer, signal);
    return { work, labels: reply.sentences.map((/** @type {any} */ one) => one.labels) };
  };
  const { value, problem } = useAnswer(work && rival && !same ? ask : null, [work, rival]);
  return { problem, value: value?.work === work ? (value?.labels ?? null) : null };
}

/** What is shown of a text: the layer that is asked about, or all of them. @param {Work} work @param {boolean} all */
export function shownOf(work, all) {
  return { active: work.layer.name, top: work.model.layers[work.model.layers.length - 1].name, all };
}

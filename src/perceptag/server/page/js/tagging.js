// The labels of the text on the page, by the model that is chosen and by another one.
import { givenOf, isGone, tagAgain, tagGiven, useAnswer } from "./asking.js";
import { rivalsOf } from "./compare.js";
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
 * The answer to the text on the page. `work` is null until it is there; it belongs to this model and layer. If the server
 * is gone, it is the last answer, of the text before.
 * @param {Model} model @param {Layer} layer @param {Input} input @param {Model[]} models
 */
export function useTagged(model, layer, input, models) {
  const last = useRef(/** @type {TagReply | null} */ (null));
  const blank = input.text.trim() === "";
  const ask = async (/** @type {AbortSignal} */ signal) => {
    const given = givenOf(model, input, models);
    const reply = keepSame(last.current, await tagGiven(model, given, signal));
    last.current = reply;
    return { reply, model, given };
  };
  const { value, problem, waiting } = useAnswer(blank ? null : ask, [model, input], PAUSE);
  const gone = isGone(problem); // then the last labels stay, and are drawn as old
  const found = blank || (problem && !gone) || value?.model !== model ? null : value;
  const work = useMemo(
    () => (found ? { model, layer, reply: found.reply, given: found.given } : null),
    [found === null, layer, found?.reply],
  );
  return { work, problem, waiting, blank, gone };
}

/**
 * The labels of another model, once they are there; none if the two cannot be compared any more.
 * @param {Work | null} work @param {Rival | null} rival @param {Model[]} models
 */
export function useCompared(work, rival, models) {
  const is = (/** @type {Rival} */ one) => one.model === rival?.model && one.layer === rival.layer;
  const fits = work && rival && rivalsOf(models, work).some(is);
  const ask = async (/** @type {AbortSignal} */ signal) => {
    if (!work || !rival) return null;
    const reply = await tagAgain(work, rival.model, rival.layer, signal);
    return { work, labels: reply.sentences.map((/** @type {any} */ one) => one.labels) };
  };
  const { value, problem } = useAnswer(fits ? ask : null, [work, rival]);
  return { problem, value: value?.work === work ? (value?.labels ?? null) : null };
}

/** What is shown of a text: the layer that is asked about, or all of them. @param {Work} work @param {boolean} all */
export function shownOf(work, all) {
  return { active: work.layer.name, top: work.model.layers[work.model.layers.length - 1].name, all };
}

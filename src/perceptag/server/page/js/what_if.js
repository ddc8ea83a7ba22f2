// Labels that the user has set, and those that follow from them.
import { follow } from "./asking.js";
import { useEffect, useRef, useState } from "./html.js";
import { shownOf } from "./tagging.js";
import { activeLabels, differences } from "./views.js";

/**
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./asking.js").Work} Work
 * @typedef {{pins: Record<number, Record<number, string>>, followed: Record<number, any>, problem: Error | null}} Set
 *   what is set and what follows, by sentence
 */

/** @type {Set} */
const NOTHING = { pins: {}, followed: {}, problem: null };

/** @param {Record<number, any>} all @param {number} s */
function without(all, s) {
  return Object.fromEntries(Object.entries(all).filter(([key]) => Number(key) !== s));
}

/** @param {Work | null} work @param {(message: string) => void} onSay */
export function useWhatIf(work, onSay) {
  const [set, change] = useState(NOTHING);
  const current = useRef(work);
  current.current = work;
  useEffect(() => change(NOTHING), [work]);
  const pin = async (/** @type {Place} */ place, /** @type {string} */ label) => {
    if (!work) return;
    const s = place.sentence;
    const wanted = { ...set.pins[s], [place.token]: label };
    try {
      const labelled = await follow(work, s, wanted);
      if (current.current !== work) return; // the text is another one by now
      change({ pins: { ...set.pins, [s]: wanted }, followed: { ...set.followed, [s]: labelled }, problem: null });
      const before = set.followed[s] ?? activeLabels(work.reply.sentences[s], shownOf(work, false));
      onSay(inWords(differences(before.labels, labelled.labels).filter((t) => t !== place.token).length));
    } catch (error) {
      change({ ...set, problem: /** @type {Error} */ (error) });
    }
  };
  const release = (/** @type {number} */ s) => {
    change({ pins: without(set.pins, s), followed: without(set.followed, s), problem: null });
    onSay("The labels are those of the model again.");
  };
  return { ...set, pin, release };
}

/** @param {number} moved */
function inWords(moved) {
  if (!moved) return "No other label followed.";
  return `${moved} other ${moved === 1 ? "label" : "labels"} followed.`;
}

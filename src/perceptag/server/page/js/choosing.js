// Which word is chosen, which tab is open, and the keys that lead there.
import { useCallback, useEffect, useRef, useState } from "./html.js";
import { tabsOf } from "./panel.js";
import { elementAt, focusOn } from "./sentences.js";
import { DOUBTFUL, activeLabels, firstOfInterest, placeOfWord } from "./views.js";

/**
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").Sentence[]} Sentences
 * @typedef {import("./asking.js").Work} Work
 * @typedef {import("./views.js").Shown} Shown
 */

const BESIDE = "(min-width: 68rem)"; // where the panel does not hide the text
/** @type {Record<string, string>} */
const TAB_OF_KEY = { Enter: "why", e: "why", n: "alternatives", g: "film", c: "compare" };

/**
 * The word that is chosen, and whether the panel about it is open.
 * @param {Work | null} work @param {Shown | null} shown @param {string} [word] of an example, to begin with
 */
export function usePlace(work, shown, word) {
  const [place, setPlace] = useState(/** @type {Place | null} */ (null));
  const [closed, setClosed] = useState(() => !matchMedia(BESIDE).matches);
  const exists = (/** @type {Place | null} */ at) =>
    at !== null && work?.reply.sentences[at.sentence]?.tokens[at.token] !== undefined;
  const there = exists(place) ? place : null;
  const last = useRef(/** @type {Sentences | null} */ (null));
  useEffect(() => {
    if (!work || !shown) return;
    const named = word ? placeOfWord(work.reply.sentences, word) : null;
    const first = named ?? firstOfInterest(work.reply.sentences, shown);
    const old = last.current;
    last.current = work.reply.sentences;
    const stays = (/** @type {Place | null} */ at) => exists(at) && (!old || isNear(old, work.reply.sentences, at));
    setPlace((now) => (!named && stays(now) ? now : first)); // a word may have been chosen since the text was drawn
  }, [work?.reply]);
  useEffect(() => {
    if (there && !closed && !matchMedia(BESIDE).matches) elementAt(there)?.scrollIntoView({ block: "nearest" });
  }, [there?.sentence, there?.token, closed]);
  const choose = useCallback((/** @type {Place} */ next) => {
    setPlace(next);
    setClosed(false);
  }, []);
  return { place: there, open: there !== null && !closed, choose, close: () => setClosed(true) };
}

/**
 * Whether a place is still in the same text: one of its word and the words beside it is the same. The word itself may
 * have been edited.
 * @param {Sentences} old @param {Sentences} now @param {Place | null} at
 */
function isNear(old, now, at) {
  if (at === null) return false;
  const [before, after] = [old, now].map((sentences) => sentences[at.sentence]?.tokens ?? []);
  const near = [at.token - 1, at.token, at.token + 1];
  return near.some((t) => before[t] !== undefined && before[t] === after[t]);
}

/** The tab that is open. `calls` counts those of the film by its key: it takes the focus as soon as it is there. */
export function useTab() {
  const [state, setState] = useState({ tab: "why", calls: 0 });
  const turnTo = (/** @type {string} */ tab) => setState({ tab, calls: 0 });
  const call = (/** @type {string} */ tab) => {
    setState((old) => ({ tab, calls: tab === "film" ? old.calls + 1 : 0 }));
    if (tab !== "film") requestAnimationFrame(() => document.getElementById("tabpanel")?.focus());
  };
  return { ...state, turnTo, call };
}

/**
 * What a key does at a word.
 * @param {{models: import("./types.js").Model[], work: Work, shown: Shown, place: Place, choose: (place: Place) => void,
 *   call: (tab: string) => void, release: (sentence: number) => void, onSay: (message: string) => void}} page
 * @param {string} key
 * @returns {boolean} whether it does anything
 */
export function actOnKey({ models, work, shown, place, choose, call, release, onSay }, key) {
  const tab = TAB_OF_KEY[key];
  if (tab && tabsOf(models, work).some((one) => one.id === tab)) {
    choose(place);
    call(tab);
  } else if (key === "w") {
    choose(place);
    requestAnimationFrame(() => document.getElementById("what-if")?.focus());
  } else if (key === "u") {
    release(place.sentence);
  } else if (key === "d") {
    const next = nextDoubtful(work, shown, place);
    if (next) focusOn(next);
    else onSay("No other word is doubtful.");
  } else {
    return false;
  }
  return true;
}

/** @param {Work} work @param {Shown} shown @param {Place} from @returns {Place | null} */
function nextDoubtful(work, shown, from) {
  const { sentences } = work.reply;
  for (let i = 0; i <= sentences.length; i += 1) {
    const s = (from.sentence + i) % sentences.length;
    const sure = activeLabels(sentences[s], shown).confidence ?? [];
    const t = sure.findIndex((share, k) => share < DOUBTFUL && (i > 0 || k > from.token));
    if (t >= 0) return { sentence: s, token: t };
  }
  return null;
}

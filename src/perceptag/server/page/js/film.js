// The order in which a guided model labels a sentence, as a film: one word a step, by buttons, slider or keys.
import { order, useAnswer } from "./asking.js";
import { directionOf, shown } from "./characters.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { icon } from "./icons.js";
import { toneStyle } from "./labels.js";
import { plain } from "./numbers.js";
import { Problems } from "./problems.js";

/** @typedef {import("./types.js").Changed} Changed */

/**
 * @typedef {import("./types.js").OrderReply} OrderReply
 * @typedef {import("./types.js").Step} Step
 * @typedef {import("./asking.js").Work} Work
 */

const PACE = 900; // milliseconds that a picture stays

/** @param {{work: Work, sentence: number, pins: import("./types.js").Pins, calls: number}} props `calls`: of its key */
export function Film({ work, sentence, pins, calls }) {
  const answer = useAnswer((signal) => order(work, sentence, pins, signal), [work, sentence, pins]);
  if (answer.problem) return html`<${Problems} problem=${answer.problem} />`;
  if (!answer.value) return html`<p class="quiet">…</p>`;
  return html`<${Pictures} order=${answer.value} pins=${pins} calls=${calls} />`;
}

/** Steps by keys, buttons and time. @param {number} last */
function useSteps(last) {
  const [step, setStep] = useState(0);
  const [playing, setPlaying] = useState(false);
  const at = Math.min(step, last);
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setStep(at + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const go = (/** @type {number} */ to) => {
    setPlaying(false);
    setStep(Math.max(0, Math.min(last, to)));
  };
  const play = () => {
    if (at >= last) setStep(0);
    setPlaying(!playing);
  };
  return { at, playing, go, play };
}

/** @param {{order: OrderReply, pins: import("./types.js").Pins, calls: number}} props */
function Pictures({ order: found, pins, calls }) {
  const last = found.steps.length;
  const { at, playing, go, play } = useSteps(last);
  const film = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (calls) film.current?.focus();
  }, [calls]);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const keys = {
    " ": () => (still ? go(at + 1) : play()),
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    Home: () => go(0),
    End: () => go(last),
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    const act = keys[/** @type {keyof typeof keys} */ (event.key)];
    const own =
      event.target instanceof HTMLInputElement || (event.key === " " && event.target instanceof HTMLButtonElement);
    if (!act || own || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  const playButton = html`<button type="button" onClick=${play} aria-label=${playing ? "Pause" : "Play"}>
    ${icon(playing ? "pause" : "play")}
  </button>`;
  return html`<div class="film" ref=${film} id="film" tabindex="0" role="group" aria-label="Film of the order"
    aria-describedby="film-said" onKeyDown=${press}>
    <p class="lead" id="film-said" aria-live="polite">${said(found, at, pins)}</p>
    <${Picture} order=${found} at=${at} pins=${pins} />
    <div class="controls">
      <button type="button" onClick=${() => go(0)} aria-label="To the beginning"
        disabled=${at === 0}>${icon("first")}</button>
      <button type="button" onClick=${() => go(at - 1)} aria-label="Step back"
        disabled=${at === 0}>${icon("back")}</button>
      ${!still && playButton}
      <button type="button" onClick=${() => go(at + 1)} aria-label="Step on"
        disabled=${at === last}>${icon("on")}</button>
      <button type="button" onClick=${() => go(last)} aria-label="To the end"
        disabled=${at === last}>${icon("last")}</button>
      <input type="range" aria-label="Step" min="0" max=${last} value=${at}
        onInput=${(/** @type {Changed} */ e) => go(Number(e.target.value))} />
      <span class="quiet count">${at} / ${last}</span>
    </div>
    <p class="quiet keys"><kbd>←</kbd> <kbd>→</kbd> step${!still && html`, <kbd>space</kbd> plays`}</p>
  </div>`;
}

/** What happens in a step. @param {OrderReply} order @param {number} at @param {import("./types.js").Pins} pins */
function said(order, at, pins) {
  if (at === 0) return "Nothing is labelled yet. The model begins where it is most certain.";
  const step = order.steps[at - 1];
  const final = order.labels[step.position];
  const other = step.runner_up;
  const score = (/** @type {import("./types.js").Choice} */ choice) =>
    choice.position in pins ? ", which is set" : `, ${plain(choice.score)}`;
  return html`“<bdi>${shown(step.token)}</bdi>” gets <b class="label"
    style=${toneStyle(step.label)}>${shown(step.label)}</b>${score(step)}.
    ${other && html` Next best was “<bdi>${shown(other.token)}</bdi>” ${shown(other.label)}${score(other)}.`}
    ${final !== step.label && html` Later it becomes ${shown(final)}.`}`;
}

/** The sentence as it is after a step. @param {{order: OrderReply, at: number, pins: import("./types.js").Pins}} props */
function Picture({ order, at, pins }) {
  const done = new Map(order.steps.slice(0, at).map((step, i) => [step.position, { step, number: i + 1 }]));
  const now = at ? order.steps[at - 1] : null;
  const next = now?.runner_up?.position;
  const spans = now?.spans ?? [];
  const set = html`<span class="quiet"> set</span>`;
  return html`<ol class="picture" dir=${directionOf(order.tokens)}>
    ${order.tokens.map((token, t) => {
      const known = done.get(t);
      const [start, end] = spans.find((span) => span[0] <= t && t < span[1]) ?? [-1, -1];
      const classes = [
        "frame",
        known && "known",
        now?.position === t && "now",
        next === t && !known && "next",
        t === start && "first",
        t === end - 1 && "last",
      ];
      return html`<li class=${classes.filter(Boolean).join(" ")} style=${known && toneStyle(known.step.label)}>
        <span class="number">${known ? known.number : ""}</span>
        <bdi class="word">${shown(token)}</bdi>
        <span class="tag">${known ? shown(known.step.label) : "·"}${t in pins && set}</span>
      </li>`;
    })}
  </ol>`;
}

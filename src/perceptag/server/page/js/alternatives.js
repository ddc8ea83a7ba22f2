// The n best labellings of a sentence, and what differs between each of them and the best.
import { nbest, useAnswer } from "./asking.js";
import { shown } from "./characters.js";
import { html, useState } from "./html.js";
import { toneStyle } from "./labels.js";
import { plain, signed } from "./numbers.js";
import { Problems } from "./problems.js";
import { differences } from "./views.js";

/** @typedef {import("./types.js").Changed} Changed */

/**
 * @typedef {import("./types.js").Ranked} Ranked
 * @typedef {import("./asking.js").Work} Work
 */

/**
 * @param {{work: Work, sentence: number, labels: string[], onPlace: (place: import("./types.js").Place) => void}} props
 *   `labels`: those that are shown
 */
export function Alternatives({ work, sentence, labels, onPlace }) {
  const [n, setN] = useState(5);
  const answer = useAnswer((signal) => nbest(work, sentence, n, signal), [work, sentence, n]);
  if (answer.problem) return html`<${Problems} problem=${answer.problem} />`;
  const listed = /** @type {Ranked[] | null} */ (answer.value);
  const tokens = work.reply.sentences[sentence]?.tokens ?? [];
  if (!listed || listed[0]?.labels.length !== tokens.length) return html`<p class="quiet">…</p>`;
  const go = (/** @type {number} */ token) => onPlace({ sentence, token });
  const { first, others } = shownFirst(listed, labels);
  const item = (/** @type {Ranked} */ ranked) => {
    const behind = first && html`<span class="quiet"> ${signed(ranked.score - first.score)}</span>`;
    return html`<li>
      <span class="score">${plain(ranked.score)}${behind}</span>
      <${Changes} tokens=${tokens} now=${labels} labels=${ranked.labels} onToken=${go} />
    </li>`;
  };
  return html`<p class="lead">The best labellings of the sentence, and what each would change.</p>
    <ol class="ranking">
      <li><span class="score">${first && plain(first.score)}</span><span>the labels that are shown</span></li>
      ${others.map(item)}
    </ol>
    ${!first && html`<p class="quiet">The labels that are shown are not among the ${n} best.</p>`}
    <label class="field">How many <select value=${String(n)}
      onChange=${(/** @type {Changed} */ e) => setN(Number(e.target.value))}>
        ${[5, 10, 20, 50].map((k) => html`<option value=${String(k)} selected=${k === n}>${k}</option>`)}
      </select></label>`;
}

/**
 * The labelling that is shown, and the others in their order; each of them once.
 * @param {Ranked[]} listed @param {string[]} labels
 */
function shownFirst(listed, labels) {
  const written = (/** @type {string[]} */ one) => one.join(" ");
  const same = (/** @type {Ranked} */ a) => (/** @type {Ranked} */ b) => written(a.labels) === written(b.labels);
  const distinct = listed.filter((ranked, k) => listed.findIndex(same(ranked)) === k);
  const first = distinct.find((ranked) => written(ranked.labels) === written(labels));
  return { first, others: distinct.filter((ranked) => ranked !== first) };
}

/** @param {{tokens: string[], now: string[], labels: string[], onToken: (token: number) => void}} props */
function Changes({ tokens, now, labels, onToken }) {
  const places = differences(now, labels);
  return html`<ul class="changes">
    ${places.map(
      (t) => html`<li>
        <button type="button" class="plain" onClick=${() => onToken(t)}><bdi>${shown(tokens[t])}</bdi></button>
        ${" "}<s class="quiet">${shown(now[t])}</s> <span class="heard"> becomes </span>
        <b class="label" style=${toneStyle(labels[t])}>${shown(labels[t])}</b>
      </li>`,
    )}
  </ul>`;
}

// Why a word has its label: what each feature gives to it and to the best rival, as bars that add up to the margin.
import { explain, useAnswer } from "./asking.js";
import { shown } from "./characters.js";
import { html, useState } from "./html.js";
import { hueStyle, meanings, percent } from "./labels.js";
import { fallingBars, hundredths, plain, signed } from "./numbers.js";
import { Problems } from "./problems.js";

/**
 * @typedef {import("./asking.js").Work} Work
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").TokenReasons} TokenReasons
 * @typedef {import("./types.js").ExplainReply} ExplainReply
 * @typedef {{name: any, weight: number | null, rival: number | null, value: number, more?: boolean}} Row
 */

const LISTED = 8;

/** @param {{work: Work, place: Place, pins: import("./types.js").Pins}} props */
export function Why({ work, place, pins }) {
  const [all, setAll] = useState(false);
  const { sentence, token } = place;
  const answer = useAnswer(
    (signal) => explain(work, sentence, token, all ? 0 : LISTED, pins, signal),
    [work, sentence, token, all, pins],
    40,
  );
  const reply = /** @type {ExplainReply | null} */ (answer.value);
  if (answer.problem) return html`<${Problems} problem=${answer.problem} />`;
  if (!reply) return html`<p class="quiet">…</p>`;
  return html`<div class="why" aria-busy=${answer.waiting ? "true" : "false"}>
    ${reply.details?.[0] && html`<${Reasons} detail=${reply.details[0]} reply=${reply} isSet=${token in pins} all=${all} onAll=${setAll} />`}
    ${reply.phrases && html`<${Phrases} phrases=${reply.phrases} token=${token} />`}
    ${reply.nonlocal_contributions?.length ? html`<${OfDocument} listed=${reply.nonlocal_contributions} />` : null}
  </div>`;
}

/** The lines of the table; their values add up to the margin. @param {TokenReasons} detail @param {string[]} elsewhere */
function rowsOf(detail, elsewhere) {
  const { contributions, rest } = detail;
  /** @type {Row[]} */
  const rows = contributions.map((c) => ({ name: shown(c.feature), weight: c.weight, rival: c.rival_weight, value: c.weight - c.rival_weight }));
  if (rest.count) {
    const name = rest.count === 1 ? "1 more feature" : `${rest.count} more features`;
    rows.push({ name, weight: rest.weight, rival: rest.rival_weight, value: rest.weight - rest.rival_weight, more: true });
  }
  if (detail.elsewhere && (elsewhere.length || Math.abs(detail.elsewhere) >= 0.005)) {
    const name = elsewhere.length ? html`at other words: ${shown(elsewhere.join(", "))}` : "at other words";
    rows.push({ name, weight: null, rival: null, value: detail.elsewhere });
  }
  return rows;
}

/**
 * What is shown of the differences, in hundredths: those of the figures next to them, and all together the margin. What
 * rounding leaves over goes into the last line that is a sum itself, or has a line of its own.
 * @param {Row[]} rows @param {number} margin
 */
function figuresOf(rows, margin) {
  const figures = rows.map((row) => (row.weight === null || row.rival === null ? hundredths(row.value) : hundredths(row.weight) - hundredths(row.rival)));
  const left = hundredths(margin) - figures.reduce((a, b) => a + b, 0);
  const last = rows[rows.length - 1];
  if (left && (last?.more || last?.weight === null)) figures[rows.length - 1] += left;
  else if (left) figures.push(left);
  return figures;
}

/** Words whose labels would change too. @param {TokenReasons} detail @param {ExplainReply} reply */
function alsoChanged(detail, reply) {
  const others = detail.rival_labels;
  const [now, then] = [meanings(reply.labels), meanings(others)];
  return reply.tokens.flatMap((token, t) => (t === detail.position || now[t] === then[t] ? [] : [`${token} ${others[t]}`]));
}

/** @param {{detail: TokenReasons, reply: ExplainReply, isSet: boolean, all: boolean, onAll: (all: boolean) => void}} props */
function Reasons({ detail, reply, isSet, all, onAll }) {
  if (detail.rival === null || detail.margin === null) {
    return html`<p class="lead">${isSet ? "This label is set, so the model had no choice." : "No other label is possible here."}</p>`;
  }
  const rows = rowsOf(detail, alsoChanged(detail, reply));
  const figures = figuresOf(rows, detail.margin);
  if (figures.length > rows.length) rows.push({ name: "rounding", weight: null, rival: null, value: 0 });
  const values = rows.map((row) => row.value);
  const { zero, bars, whole } = fallingBars(values);
  return html`<p class="lead">
      <b style=${hueStyle(detail.label)} class="label">${shown(detail.label)}</b>
      ${detail.margin < 0 ? " loses to " : " wins over its best rival, "}
      <b style=${hueStyle(detail.rival)} class="label">${shown(detail.rival)}</b>, by <b>${plain(Math.abs(detail.margin))}</b>.
    </p>
    <table class="reasons" style=${{ "--zero": `${zero}%` }}>
      <caption class="heard">What each feature gives to ${detail.label} and to ${detail.rival}</caption>
      <thead>
        <tr>
          <th scope="col">feature</th>
          <th scope="col" class="number">${shown(detail.label)}</th>
          <th scope="col" class="number">${shown(detail.rival)}</th>
          <th scope="col" class="number">difference</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, i) => html`<tr data-value=${row.value}>
            <th scope="row">
              ${row.more ? html`<button type="button" class="plain" onClick=${() => onAll(true)}>${row.name}</button>` : html`<bdi>${row.name}</bdi>`}
              <${Bar} bar=${bars[i]} value=${row.value} />
            </th>
            <td class="number">${row.weight === null ? "" : plain(row.weight)}</td>
            <td class="number">${row.rival === null ? "" : plain(row.more ? hundredths(row.weight ?? 0) / 100 - figures[i] / 100 : row.rival)}</td>
            <td class="number difference">${signed(figures[i] / 100)}</td>
          </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr data-margin=${detail.margin}>
          <th scope="row">margin <${Bar} bar=${whole} value=${detail.margin} /></th>
          <td></td>
          <td></td>
          <td class="number difference">${signed(hundredths(detail.margin) / 100)}</td>
        </tr>
      </tfoot>
    </table>
    ${all && html`<button type="button" class="plain" onClick=${() => onAll(false)}>Show the ${LISTED} largest only</button>`}`;
}

/** @param {{bar: {left: number, width: number}, value: number}} props */
function Bar({ bar, value }) {
  const style = { left: `${bar.left}%`, width: `${bar.width}%` };
  return html`<span class="bar" aria-hidden="true"><span class=${value < 0 ? "against" : "for"} style=${style}></span></span>`;
}

/** A chunker explains phrases. @param {{phrases: import("./types.js").PhraseReasons[], token: number}} props */
function Phrases({ phrases, token }) {
  const found = phrases.find((phrase) => phrase.start <= token && token < phrase.end);
  if (!found) return html`<p>This word is in no phrase.</p>`;
  const rows = [...found.features, ...found.support_vectors.map((share) => ({ ...share, name: `like ${share.name}` }))];
  return html`<table class="reasons">
    <caption>${shown(found.text)} is ${shown(found.label)}: what adds to its score</caption>
    <tbody>
      ${rows.map((row) => html`<tr><th scope="row"><bdi>${shown(row.name)}</bdi></th><td class="number">${signed(row.value)}</td></tr>`)}
    </tbody>
  </table>`;
}

/** @param {{listed: {feature: string, value: number, contribution: number}[]}} props */
function OfDocument({ listed }) {
  return html`<table class="reasons">
    <caption>Features of the whole document</caption>
    <tbody>
      ${listed
        .slice(0, LISTED)
        .map((c) => html`<tr><th scope="row"><bdi>${shown(c.feature)}</bdi></th><td class="number">${signed(c.contribution)}</td></tr>`)}
    </tbody>
  </table>`;
}

/** The word that the panel is about. @param {{token: string, label: string, confidence?: number}} props */
export function Head({ token, label, confidence }) {
  return html`<h2 class="head">
    <bdi class="head-word">${shown(token)}</bdi>
    <span class="label" style=${hueStyle(label)}>${shown(label)}</span>
    ${confidence !== undefined && html`<span class="quiet">${percent(confidence)} sure</span>`}
  </h2>`;
}

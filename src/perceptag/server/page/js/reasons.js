// What each feature gives to a label and to the best rival, as bars that add up to the margin.
import { shown } from "./characters.js";
import { html } from "./html.js";
import { toneStyle, meanings } from "./labels.js";
import { fallingBars, hundredths, plain, signed } from "./numbers.js";

/**
 * @typedef {import("./types.js").TokenReasons} TokenReasons
 * @typedef {import("./types.js").ExplainReply} ExplainReply
 * @typedef {{name: any, weight: number | null, rival: number | null, value: number, more?: boolean}} Row
 *   `more`: it is the sum of features that are not listed
 */

export const LISTED = 8;

/** A feature in plain words if there are any, else its name. @param {{feature: string, meaning: string}} c */
function featureName(c) {
  return c.meaning
    ? html`<span class="in-words" title=${c.feature}>${shown(c.meaning.replaceAll(" -", " \u2011"))}</span>`
    : shown(c.feature);
}

/** The lines of the table; their values add up to the margin. @param {TokenReasons} detail @param {string[]} elsewhere */
function rowsOf(detail, elsewhere) {
  const { contributions, rest } = detail;
  /** @type {Row[]} */
  const rows = contributions.map((c) => ({
    name: featureName(c),
    weight: c.weight,
    rival: c.rival_weight,
    value: c.weight - c.rival_weight,
  }));
  if (rest.count) {
    const name = rest.count === 1 ? "1 more feature" : `${rest.count} more features`;
    rows.push({
      name,
      weight: rest.weight,
      rival: rest.rival_weight,
      value: rest.weight - rest.rival_weight,
      more: true,
    });
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
  const figures = rows.map((row) =>
    row.weight === null || row.rival === null ? hundredths(row.value) : hundredths(row.weight) - hundredths(row.rival),
  );
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
  return reply.tokens.flatMap((token, t) =>
    t === detail.position || now[t] === then[t] ? [] : [`${token} ${others[t]}`],
  );
}

/** @param {{reply: ExplainReply, isSet: boolean, all: boolean, onAll: (all: boolean) => void}} props */
export function Reasons({ reply, isSet, all, onAll }) {
  const detail = /** @type {TokenReasons} */ (reply.details?.[0]);
  const { label, rival, margin } = detail;
  if (rival === null || margin === null) {
    const rules = detail.contributions.map((c) => c.feature).filter((name) => name.startsWith("rule "));
    const other = rules.length ? `Because ${rules.map(shown).join(", ")}.` : "No other label is possible here.";
    return html`<p class="lead">${isSet ? "This label is set, so the model had no choice." : other}</p>`;
  }
  const rows = rowsOf(detail, alsoChanged(detail, reply));
  const figures = figuresOf(rows, margin);
  if (figures.length > rows.length) rows.push({ name: "rounding", weight: null, rival: null, value: 0 });
  const { zero, bars, whole } = fallingBars(rows.map((row) => row.value));
  const line = (/** @type {Row} */ row, /** @type {number} */ i) =>
    html`<${Line} row=${row} figure=${figures[i]} bar=${bars[i]} onAll=${onAll} />`;
  const fewer = html`<button type="button" class="plain"
    onClick=${() => onAll(false)}>Show the ${LISTED} largest only</button>`;
  return html`<p class="lead">
      ${named(label)} ${margin < 0 ? "loses to" : "wins over its best rival,"} ${named(rival)}, by
      ${" "}<b>${plain(Math.abs(margin))}</b>.
    </p>
    ${all && fewer}
    <table class="reasons" style=${{ "--zero": `${zero}%` }}>
      <caption class="heard">What each feature gives to ${shown(label)} and to ${shown(rival)}</caption>
      <thead>
        <tr>
          <th scope="col">feature</th>
          <th scope="col" class="number">${shown(label)}</th>
          <th scope="col" class="number">${shown(rival)}</th>
          <th scope="col" class="number">difference</th>
        </tr>
      </thead>
      <tbody>${rows.map(line)}</tbody>
      <tfoot>
        <tr data-margin=${margin}>
          <th scope="row">margin <${Bar} bar=${whole} value=${margin} /></th>
          <td></td>
          <td></td>
          <td class="number difference">${signed(hundredths(margin) / 100)}</td>
        </tr>
      </tfoot>
    </table>`;
}

/** @param {string} label */
function named(label) {
  return html`<b class="label" style=${toneStyle(label)}>${shown(label)}</b>`;
}

/** @param {{row: Row, figure: number, bar: {left: number, width: number}, onAll: (all: boolean) => void}} props */
function Line({ row, figure, bar, onAll }) {
  const { name, weight, rival, value, more } = row;
  const button = html`<button type="button" class="plain" onClick=${() => onAll(true)}>${name}</button>`;
  const other = more && weight !== null ? (hundredths(weight) - figure) / 100 : rival;
  return html`<tr data-value=${value}>
    <th scope="row">${more ? button : html`<bdi>${name}</bdi>`} <${Bar} bar=${bar} value=${value} /></th>
    <td class="number">${weight === null ? "" : plain(weight)}</td>
    <td class="number">${other === null ? "" : plain(other)}</td>
    <td class="number difference">${signed(figure / 100)}</td>
  </tr>`;
}

/** @param {{bar: {left: number, width: number}, value: number}} props */
function Bar({ bar, value }) {
  const style = { left: `${bar.left}%`, width: `${bar.width}%` };
  return html`<span class="bar" aria-hidden="true"><span class=${value < 0 ? "against" : "for"}
    style=${style}></span></span>`;
}

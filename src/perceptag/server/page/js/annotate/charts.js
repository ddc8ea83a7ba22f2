// Drawings of figures: a learning curve with its interval, and how often the model is right when it says so.
import { html } from "../html.js";

const WIDTH = 560;
const HEIGHT = 260;
const LEFT = 44;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 36;

/**
 * Places in the drawing.
 * @param {[number, number]} x from, to @param {[number, number]} y from, to
 */
function scales([x0, x1], [y0, y1]) {
  return {
    x: (/** @type {number} */ value) => LEFT + ((value - x0) / (x1 - x0 || 1)) * (WIDTH - LEFT - RIGHT),
    y: (/** @type {number} */ value) => HEIGHT - BOTTOM - ((value - y0) / (y1 - y0 || 1)) * (HEIGHT - TOP - BOTTOM),
  };
}

/** Round figures between two others. @param {number} from @param {number} to @param {number} about how many */
export function ticks(from, to, about) {
  const rough = (to - from) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough) ?? rough;
  const found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9; k += 1)
    found.push(Number((k * step).toPrecision(12)));
  return found;
}

/** @param {[number, number][]} points */
function path(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/**
 * @param {{x: (v: number) => number, y: (v: number) => number}} at @param {number[]} xs @param {number[]} ys
 * @param {string} nameX
 */
function axes(at, xs, ys, nameX) {
  return html`${ys.map(
    (v) => html`<line class="grid" x1=${LEFT} x2=${WIDTH - RIGHT} y1=${at.y(v)} y2=${at.y(v)} />
      <text class="tick" x=${LEFT - 8} y=${at.y(v) + 4} text-anchor="end">${v}</text>`,
  )}
    ${xs.map(
      (v) => html`<text class="tick" x=${at.x(v)} y=${HEIGHT - BOTTOM + 18}
      text-anchor="middle">${v.toLocaleString("en")}</text>`,
    )}
    <text class="tick" x=${WIDTH - RIGHT} y=${HEIGHT - 4} text-anchor="end">${nameX}</text>`;
}

/**
 * @typedef {{sentences: number, score: number, low: number, high: number}} Point
 * @typedef {{next: number, expected: number, low: number, high: number}} Gain what more sentences would add
 */

/** @param {{points: Point[], gain: Gain | null, measure: string}} props */
export function Curve({ points, gain, measure }) {
  const last = points[points.length - 1];
  const future = gain && {
    sentences: last.sentences + gain.next,
    score: last.score + gain.expected,
    low: last.score + gain.low,
    high: last.score + gain.high,
  };
  const all = future ? [...points, future] : points;
  const low = Math.max(0, Math.floor(Math.min(...all.map((p) => p.low)) / 5) * 5);
  const high = Math.min(100, Math.ceil(Math.max(...all.map((p) => p.high)) / 5) * 5);
  const at = scales([0, all[all.length - 1].sentences], [low, high]);
  const line = (/** @type {(p: Point) => number} */ of, /** @type {Point[]} */ some) =>
    /** @type {[number, number][]} */ (some.map((p) => [at.x(p.sentences), at.y(of(p))]));
  const band = path([...line((p) => p.high, points), ...line((p) => p.low, points).reverse()]);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
    aria-label=${`Learning curve: ${measure} against labelled sentences; the figures are in the table below`}>
    ${axes(at, ticks(0, all[all.length - 1].sentences, 6), ticks(low, high, 5), "labelled sentences")}
    <path class="band" d=${`${band}Z`} />
    <path class="line" d=${path(line((p) => p.score, points))} />
    ${points.map((p) => html`<circle class="dot" cx=${at.x(p.sentences)} cy=${at.y(p.score)} r="3.5" />`)}
    ${
      future &&
      html`<path class="line expected" d=${path(line((p) => p.score, [last, future]))} />
      <line class="line expected" x1=${at.x(future.sentences)} x2=${at.x(future.sentences)}
        y1=${at.y(Math.max(low, future.low))} y2=${at.y(Math.min(high, future.high))} />
      <circle class="dot expected" cx=${at.x(future.sentences)}
        cy=${at.y(Math.min(high, Math.max(low, future.score)))} r="3.5" />`
    }
  </svg>`;
}

/** @typedef {{low: number, high: number, mean: number, right: number, count: number}} Bin */

/** @param {{bins: Bin[]}} props */
export function Reliability({ bins }) {
  const at = scales([0, 100], [0, 100]);
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const marks = [0, 20, 40, 60, 80, 100];
  const filled = bins.filter((bin) => bin.count);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img"
    aria-label="How often labels are right, against how sure the model is; the figures are in the table below">
    ${axes(at, marks, marks, "how sure the model is, in per cent")}
    <path class="line expected" d=${path([
      [at.x(0), at.y(0)],
      [at.x(100), at.y(100)],
    ])} />
    <path class="line" d=${path(filled.map((bin) => [at.x(100 * bin.mean), at.y(100 * bin.right)]))} />
    ${filled.map(
      (bin) => html`<circle class="dot" cx=${at.x(100 * bin.mean)} cy=${at.y(100 * bin.right)}
      r=${(2.5 + 5 * Math.sqrt(bin.count / most)).toFixed(1)} />`,
    )}
  </svg>`;
}

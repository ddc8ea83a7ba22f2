// The view "Progress": how good the model is, what more labels would bring, and what can be taken away.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html } from "../html.js";
import { Problems } from "../problems.js";
import { read } from "./calls.js";
import { Curve, Reliability } from "./charts.js";
import { Exchange } from "./exchange.js";
import { useStores } from "./store.js";
import { counted, figure } from "./figures.js";

/** @typedef {import("./project_session.js").ProjectSession} ProjectSession */

/** Why there is no figure. @param {string | null | undefined} reason */
function notYet(reason) {
  return reason
    ? shown(`Too little is known: ${reason}.`)
    : "This is found out in quiet moments: look again in a few seconds.";
}

/** @param {string} measure */
function measureName(measure) {
  return measure === "f1" ? "F1 of spans" : "per cent of words right";
}

/** @param {{session: ProjectSession, onSay: (text: string) => void}} props */
export function ProgressView({ session, onSay }) {
  useStores(session);
  const answer = useAnswer(
    (signal) => read("/progress", {}, signal),
    [session.estimates, session.project.version?.id],
    200,
  );
  const found = /** @type {import("./types.js").Progress | null} */ (answer.value);
  return html`<div class="page progress">
    <h1>Progress</h1>
    <${Counts} counts=${session.project.counts} />
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${
      found &&
      html`<${LabelCounts} labels=${found.labels} kind=${session.project.kind} />
      <${Quality} estimate=${found.estimate} reason=${found.reason} />
      <${Learning} curve=${found.curve} measure=${found.estimate?.measure ?? "f1"} reason=${found.reason} />
      <${Sureness} reliability=${found.reliability} />
      <${Agreement} agreement=${found.agreement} />
      <${People} people=${found.people} />`
    }
    <${Exchange} session=${session} onSay=${onSay} />
  </div>`;
}

/** @param {{counts: Record<string, number>}} props */
function Counts({ counts }) {
  const one = (/** @type {string} */ name, /** @type {number | undefined} */ value) =>
    value === undefined ? null : html`<div><dt>${name}</dt><dd>${value.toLocaleString("en")}</dd></div>`;
  const share = counts.sentences ? counts.labelled / counts.sentences : 0;
  return html`<dl
    class="counts">${one("labelled", counts.labelled)}${one("left", counts.left)}${one("skipped", counts.skipped)}
      ${one("flagged", counts.flagged)}${one("with marked words", counts.drafts)}${one("drawn at random", counts.random)}</dl>
    <progress max="1" value=${share} aria-label="Share of sentences that are labelled"></progress>`;
}

/** @param {{people: import("./types.js").PersonProgress[]}} props */
function People({ people }) {
  if (people.length < 2) return null;
  const row = (/** @type {import("./types.js").PersonProgress} */ one) => {
    const { labels, readings, tokens, seconds, agreement } = one;
    const speed = seconds ? Math.round((3600 * tokens) / seconds).toLocaleString("en") : "–";
    return html`<tr><th scope="row"><a href=${`#sentences?who=${encodeURIComponent(one.who)}`}>${shown(one.who)}</a></th>
      <td>${labels.toLocaleString("en")}</td><td>${readings.toLocaleString("en")}</td><td>${speed}</td>
      <td>${figureOr(agreement?.kappa, 2)}</td><td>${figureOr(agreement?.f1, 1)}</td></tr>`;
  };
  return html`<section><h2>Who has done what?</h2>
    <div class="scrolling"><table class="figures people"><thead><tr><th scope="col">person</th>
      <th scope="col">labelled</th><th scope="col">second readings</th><th scope="col">words an hour</th>
      <th scope="col">κ with others</th><th scope="col">F1 with others</th></tr></thead>
      <tbody>${people.map(row)}</tbody></table></div>
  </section>`;
}

/** @param {number | null | undefined} value @param {number} digits */
function figureOr(value, digits) {
  return typeof value === "number" ? figure(value, digits) : "–";
}

/** @param {{labels: import("./types.js").LabelCount[], kind: string}} props */
function LabelCounts({ labels, kind }) {
  if (!labels.some((one) => one.count)) return null;
  const row = (/** @type {import("./types.js").LabelCount} */ one) =>
    html`<tr><th scope="row"><a href=${`#sentences?label=${encodeURIComponent(one.name)}`}>${shown(one.name)}</a></th>
      <td>${one.count.toLocaleString("en")}</td><td>${one.sentences.toLocaleString("en")}</td></tr>`;
  return html`<section><h2>What has been labelled?</h2>
    <div class="scrolling"><table class="figures label-counts"><thead><tr><th scope="col">label</th>
      <th scope="col">${kind === "spans" ? "spans" : "words"}</th><th scope="col">sentences</th></tr></thead>
      <tbody>${labels.map(row)}</tbody></table></div>
  </section>`;
}

/** @param {{estimate: import("./types.js").Estimate | null, reason?: string}} props */
function Quality({ estimate, reason }) {
  if (!estimate) return html`<section><h2>How good is the model?</h2><p>${notYet(reason)}</p></section>`;
  const { score, low, high, sentences, measure } = estimate;
  return html`<section class="quality"><h2>How good is the model?</h2>
    <p
      class="figure"><b>${figure(score)}</b> <span>${measureName(measure)}, between ${figure(low)} and ${figure(high)}</span></p>
    <p>On unlabelled sentences of this project, expect about ${figure(score, 0)}, and most likely
      ${" "}between ${figure(low, 0)} and ${figure(high, 0)} (a 95 % interval). The figure comes from the
      ${" "}${counted(sentences, "sentence")} that were drawn at random: each was labelled by a model that had not seen it.</p>
    <${Correction} estimate=${estimate} />
  </section>`;
}

/** What was added to the figure of the folds, and why. @param {{estimate: import("./types.js").Estimate}} props */
function Correction({ estimate: { score, raw, unlabelled } }) {
  if (!unlabelled) return null;
  const by = score - raw.score;
  return html`<p class="quiet correction">Corrected by ${by < 0 ? "−" : "+"}${figure(Math.abs(by))}: those models alone reach
    ${" "}${figure(raw.score)} (${figure(raw.low)} to ${figure(raw.high)}). They are smaller than the model in use, and the
    sentences that it chose avoid what the random ones teach; unlabelled sentences may also be easier or harder. So the
    figure is changed by how sure the model in use is of ${counted(unlabelled, "unlabelled sentence")}, compared with how
    sure those models were of the random ones.</p>`;
}

/** @param {{curve: import("./types.js").LearningCurve | null, measure: string, reason?: string}} props */
function Learning({ curve, measure, reason }) {
  if (!curve?.points?.length)
    return html`<section><h2>Is it worth labelling more?</h2><p>${notYet(reason)}</p></section>`;
  const { points, gain } = curve;
  const sign = (/** @type {number} */ v) => `${v < 0 ? "−" : "+"}${figure(Math.abs(v))}`;
  const row = (
    /** @type {import("./charts.js").Point} */ p,
  ) => html`<tr><th scope="row">${p.sentences.toLocaleString("en")}</th>
    <td>${figure(p.score)}</td><td>${figure(p.low)} – ${figure(p.high)}</td></tr>`;
  return html`<section><h2>Is it worth labelling more?</h2>
    ${
      gain &&
      html`<p>The next ${counted(gain.next, "sentence")} should change the figure by <b>${sign(gain.expected)}</b>, most likely between
      ${" "}${sign(gain.low)} and ${sign(gain.high)}.</p>`
    }
    <${Curve} points=${points} gain=${gain} measure=${measureName(measure)} />
    <p class="quiet">Points of the curve are not corrected: compare them with each other.</p>
    <details><summary>Figures</summary><table class="figures"><thead><tr><th scope="col">sentences</th>
      <th scope="col">${measureName(measure)}</th><th
        scope="col">interval</th></tr></thead><tbody>${points.map(row)}</tbody></table></details>
  </section>`;
}

/** @param {{reliability: import("./types.js").Reliability | null}} props */
function Sureness({ reliability }) {
  if (!reliability?.bins?.length) return null;
  const row = (
    /** @type {import("./charts.js").Bin} */ bin,
  ) => html`<tr><th scope="row">${figure(100 * bin.low, 0)} – ${figure(100 * bin.high, 0)} %</th>
    <td>${bin.count.toLocaleString("en")}</td><td>${bin.count ? `${figure(100 * bin.right)} %` : ""}</td></tr>`;
  return html`<section><h2>When it says it is sure, is it?</h2>
    <p>If the model is 80 % sure of 100 labels, 80 of them should be right: points should lie on the dashed line. Larger points stand
      for more labels.</p>
    <${Reliability} bins=${reliability.bins} />
    <details><summary>Figures</summary><table class="figures"><thead><tr><th scope="col">how sure</th><th
      scope="col">labels</th>
      <th scope="col">right</th></tr></thead><tbody>${reliability.bins.map(row)}</tbody></table></details>
  </section>`;
}

/** @param {{agreement: import("./types.js").Agreement | null}} props */
function Agreement({ agreement }) {
  if (!agreement)
    return html`<section><h2>Do people agree?</h2><p>No sentence has a second reading yet. Choose <i>second reading</i> as the order
      under Annotate: what the first person said stays hidden.</p></section>`;
  const { kappa, f1, tokens, sentences, between } = agreement;
  return html`<section><h2>Do people agree?</h2>
    <dl class="counts"><div><dt>Cohen's κ of words</dt><dd>${kappa === null ? "–" : kappa.toFixed(2)}</dd></div>
      ${typeof f1 === "number" && html`<div><dt>F1 of spans</dt><dd>${figure(f1)}</dd></div>`}</dl>
    <p class="quiet">${counted(tokens, "word")} in ${counted(sentences, "sentence")} that two people labelled
      ${between?.length ? `: ${shown(between.join(" and "))}` : ""}. κ is 1 if they always agree, and 0 if they agree as often as by chance.</p>
  </section>`;
}

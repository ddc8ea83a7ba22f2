// How far people agree: before decisions, after them, by label, and each person with what was decided.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { toneStyle } from "../labels.js";
import { counted, figure } from "./figures.js";

/** @typedef {import("./types.js").AgreementFigures} AgreementFigures */

/** @param {number | null} value @param {number} [digits] */
function orDash(value, digits = 1) {
  return value === null ? "–" : figure(value, digits);
}

/** @param {{agreement: import("./types.js").Agreements, kind: string}} props */
export function AgreementTables({ agreement, kind }) {
  const { before, after, sentences, people, labels, with_decided: each } = agreement;
  const row = (/** @type {string} */ name, /** @type {(of: AgreementFigures) => string} */ value) =>
    html`<tr><th scope="row">${name}</th><td>${value(before)}</td><td>${value(after)}</td></tr>`;
  return html`<section class="agreement-tables"><h2>Agreement</h2>
    <p class="quiet">${shown(people.join(", "))}: ${counted(sentences, "sentence")} that several have labelled. After
      ${" "}decisions, all have what was decided.</p>
    <div class="scrolling"><table class="figures"><thead><tr><td></td><th scope="col">before</th>
      <th scope="col">after decisions</th></tr></thead><tbody>
      ${row("Cohen’s κ of words", (of) => orDash(of.kappa, 2))}
      ${kind === "spans" && row("F1 of spans", (of) => orDash(of.f1))}
      ${row("same label", (of) => (of.observed === null ? "–" : `${figure(100 * of.observed)} %`))}
    </tbody></table></div>
    <div class="scrolling"><table class="figures"><caption>By label</caption><thead><tr><th scope="col">label</th>
      <th scope="col">given</th><th scope="col">F1 before</th><th scope="col">after</th><th scope="col">κ before</th>
      <th scope="col">after</th></tr></thead><tbody>
      ${labels.map(
        (one) => html`<tr><th scope="row"><b class="label" style=${toneStyle(one.label)}>${shown(one.label)}</b></th>
        <td>${one.given}</td><td>${orDash(one.before.f1)}</td><td>${orDash(one.after.f1)}</td>
        <td>${orDash(one.before.kappa, 2)}</td><td>${orDash(one.after.kappa, 2)}</td></tr>`,
      )}
    </tbody></table></div>
    ${
      each.length > 0 &&
      html`<div class="scrolling"><table class="figures"><caption>With what was decided</caption><thead><tr>
      <th scope="col">person</th><th scope="col">sentences</th><th scope="col">F1</th><th scope="col">κ</th></tr></thead>
      <tbody>${each.map(
        (one) => html`<tr><th scope="row">${shown(one.who)}</th><td>${one.sentences}</td>
        <td>${orDash(one.f1)}</td><td>${orDash(one.kappa, 2)}</td></tr>`,
      )}</tbody></table></div>`
    }
  </section>`;
}

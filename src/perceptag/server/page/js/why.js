// Why a word has its label.
import { explain, useAnswer } from "./asking.js";
import { shown } from "./characters.js";
import { html, useState } from "./html.js";
import { meaningOf, percent, toneStyle } from "./labels.js";
import { signed } from "./numbers.js";
import { Problems } from "./problems.js";
import { LISTED, Reasons } from "./reasons.js";

/**
 * @typedef {import("./asking.js").Work} Work
 * @typedef {import("./types.js").Place} Place
 * @typedef {import("./types.js").ExplainReply} ExplainReply
 */

/** @param {{work: Work, place: Place, label: string, pins: import("./types.js").Pins}} props `label`: what is shown */
export function Why({ work, place, label, pins }) {
  const [all, setAll] = useState(false);
  const { sentence, token } = place;
  const { model, layer, reply: tagged } = work;
  const asked = JSON.stringify([model.name, layer.name, tagged.sentences[sentence].tokens, token, pins]);
  const answer = useAnswer(
    async (signal) => ({ asked, ...(await explain(work, sentence, token, all ? 0 : LISTED, pins, signal)) }),
    [work, sentence, token, all, pins],
    40,
  );
  const reply = /** @type {ExplainReply | null} */ (answer.value?.asked === asked ? answer.value : null);
  if (answer.problem) return html`<${Problems} problem=${answer.problem} />`;
  if (!reply) return html`<p class="quiet">…</p>`;
  return html`<div class="why" aria-busy=${answer.waiting ? "true" : "false"}>
    ${reply.details?.[0] && html`<${Reasons} reply=${reply} isSet=${token in pins} all=${all} onAll=${setAll} />`}
    ${reply.phrases && html`<${Phrases} phrases=${reply.phrases} token=${token} />`}
    ${reply.sentencesRead && html`<p class="quiet part">${ofPart(reply.sentencesRead, reply.labels[token], label)}</p>`}
    ${reply.nonlocal_contributions?.length ? html`<${OfDocument} listed=${reply.nonlocal_contributions} />` : null}
  </div>`;
}

/**
 * What is said if only a part of a long text was read for an explanation.
 * @param {number} read how many sentences @param {string} found the label in this part @param {string} label that is shown
 */
function ofPart(read, found, label) {
  const part = `The model looks at the whole text. This is what the ${read} sentences around the word say`;
  return found === label
    ? `${part}.`
    : `${part}: by them alone it would be ${found}, with the whole text it is ${label}.`;
}

/** A chunker explains phrases. @param {{phrases: import("./types.js").PhraseReasons[], token: number}} props */
function Phrases({ phrases, token }) {
  const found = phrases.find((phrase) => phrase.start <= token && token < phrase.end);
  if (!found) return html`<p>This word is in no phrase.</p>`;
  const named = (/** @type {import("./types.js").Share} */ share) => share.meaning || share.name;
  const rows = [
    ...found.features.map((share) => ({ ...share, name: named(share) })),
    ...found.support_vectors.map((share) => ({ ...share, name: `like ${named(share)}` })),
  ];
  return html`<table class="reasons">
    <caption>${shown(found.text)} is ${shown(found.label)}: what adds to its score</caption>
    <tbody>
      ${rows.map((row) => figureRow(row.name, row.value))}
    </tbody>
  </table>`;
}

/** @param {{listed: {feature: string, value: number, contribution: number}[]}} props */
function OfDocument({ listed }) {
  return html`<table class="reasons">
    <caption>Features of the whole document</caption>
    <tbody>${listed.slice(0, LISTED).map((c) => figureRow(c.feature, c.contribution))}</tbody>
  </table>`;
}

/** @param {string} name @param {number} value */
function figureRow(name, value) {
  return html`<tr><th scope="row"><bdi>${shown(name)}</bdi></th><td class="number">${signed(value)}</td></tr>`;
}

/** The word that the panel is about. @param {{token: string, label: string, confidence?: number}} props */
export function Head({ token, label, confidence }) {
  return html`<h2 class="head">
    <bdi class="head-word">${shown(token)}</bdi>
    <span class="label" style=${toneStyle(label)} title=${meaningOf(label)}>${shown(label)}</span>
    ${confidence !== undefined && html`<span class="quiet">${percent(confidence)} sure</span>`}
  </h2>`;
}

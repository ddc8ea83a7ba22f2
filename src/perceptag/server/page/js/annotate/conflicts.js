// Edits that the server has not taken: somebody else was quicker, or it refuses them. Nothing is thrown away unasked.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { ChangeList, changesOf } from "./best.js";
import { drawable } from "./sentence_box.js";
import { PlainSentence } from "./plain_sentence.js";

/**
 * @typedef {import("./types.js").Write} Write
 * @typedef {import("./bench.js").Bench} Bench
 */

/** @param {{bench: Bench}} props */
export function Conflicts({ bench }) {
  const { stuck } = bench.outbox;
  if (!stuck.length) return null;
  return html`<section class="conflicts" aria-label="Edits that are not saved">
    ${stuck.map((one) =>
      one.state === "conflict" && one.current && one.body.labels
        ? html`<${Conflict} key=${one.key} one=${one} bench=${bench} />`
        : html`<${Refused} key=${one.key} one=${one} bench=${bench} />`,
    )}
  </section>`;
}

/** @param {{one: Write, bench: Bench}} props */
function Conflict({ one, bench }) {
  const { kind } = bench.project;
  const current = /** @type {import("./types.js").Item} */ (one.current);
  const nothing = current.tokens.map(() => (kind === "spans" ? "O" : "?"));
  const theirs = current.labels ?? nothing;
  const changes = changesOf(current.tokens, theirs, one.body.labels, kind);
  const who = current.who === bench.project.you.name ? "You, in another tab," : `${current.who ?? "Somebody"}`;
  const keep = () => bench.outbox.insist(one);
  const drop = () => bench.outbox.giveUp(one);
  const side = (
    /** @type {string} */ title,
    /** @type {any} */ labels,
    /** @type {string} */ button,
    /** @type {() => void} */ act,
  ) =>
    html`<div><h3>${shown(title)}</h3>
      <${PlainSentence} sentence=${drawable({ ...current, proposal: null }, labels, kind)} name=${title} />
      <button type="button" onClick=${act}>${button}</button></div>`;
  return html`<div class="conflict" role="alert">
    <p
      class="lead">${shown(who)} labelled sentence ${one.sentence} before your edit was saved. Which labels are right?</p>
    <div class="two">
      ${side("Yours, not saved", one.body.labels, "Keep mine", keep)}
      ${side(`Saved now${current.who ? `, by ${current.who}` : ""}`, theirs, "Keep what is saved", drop)}
    </div>
    ${changes.length > 0 && html`<p class="quiet">Yours would change:</p><${ChangeList} changes=${changes} />`}
    ${changes.length === 0 && html`<p class="quiet">Both are the same.</p>`}
  </div>`;
}

/** @param {{one: Write, bench: Bench}} props */
function Refused({ one, bench }) {
  return html`<div class="conflict" role="alert">
    <p>Not saved${one.sentence === null ? "" : ` (sentence ${one.sentence})`}: ${shown(one.detail ?? "")}</p>
    <button type="button" onClick=${() => bench.outbox.insist(one)}>Try again</button>
    ${" "}<button type="button" onClick=${() => bench.outbox.giveUp(one)}>Throw this edit away</button>
    ${one.sentence !== null && html` <a href=${`#annotate?sentence=${one.sentence}`}>Open the sentence</a>`}
  </div>`;
}

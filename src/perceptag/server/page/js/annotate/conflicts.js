// Edits that the server has not taken: somebody else was quicker, or it refuses them. Nothing is thrown away unasked.
import { shown } from "../characters.js";
import { html } from "../html.js";
import { ChangeList, changesOf } from "./best_labellings.js";
import { drawable } from "./sentence_box.js";
import { PlainSentence } from "./plain_sentence.js";

/**
 * @typedef {import("./types.js").Write} Write
 * @typedef {import("./project_session.js").ProjectSession} ProjectSession
 */

/** @param {{session: ProjectSession}} props */
export function Conflicts({ session }) {
  const { stuck } = session.outbox;
  if (!stuck.length) return null;
  return html`<section class="conflicts" aria-label="Edits that are not saved">
    ${stuck.map((one) =>
      one.state === "conflict" && one.current && one.body.labels
        ? html`<${Conflict} key=${one.key} one=${one} session=${session} />`
        : html`<${Refused} key=${one.key} one=${one} session=${session} />`,
    )}
  </section>`;
}

/** @param {{one: Write, session: ProjectSession}} props */
function Conflict({ one, session }) {
  const { kind } = session.project;
  const current = /** @type {import("./types.js").Item} */ (one.current);
  const nothing = current.tokens.map(() => (kind === "spans" ? "O" : "?"));
  const theirs = current.labels ?? nothing;
  const changes = changesOf(current.tokens, theirs, one.body.labels, kind);
  const who = current.who === session.project.you.name ? "You, in another tab," : `${current.who ?? "Somebody"}`;
  const keep = () => session.outbox.insist(one);
  const drop = () => session.outbox.giveUp(one);
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

/** @param {{one: Write, session: ProjectSession}} props */
function Refused({ one, session }) {
  return html`<div class="conflict" role="alert">
    <p>Not saved${one.sentence === null ? "" : ` (sentence ${one.sentence})`}: ${shown(one.detail ?? "")}</p>
    <button type="button" onClick=${() => session.outbox.insist(one)}>Try again</button>
    ${" "}<button type="button" onClick=${() => session.outbox.giveUp(one)}>Throw this edit away</button>
    ${one.sentence !== null && html` <a href=${`#annotate?sentence=${one.sentence}`}>Open the sentence</a>`}
  </div>`;
}

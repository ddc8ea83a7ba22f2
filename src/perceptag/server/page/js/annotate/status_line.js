// What has been saved, and what the model has learned from it: one quiet line, also for those who hear it.
import { html } from "../html.js";
import { useStores } from "./store.js";
import { counted } from "./figures.js";

/** @typedef {import("./project_session.js").ProjectSession} ProjectSession */

/** @param {ProjectSession} session */
function savingWords({ outbox, events }) {
  const waiting = outbox.waiting.length;
  const stuck = outbox.stuck.length;
  const kept = outbox.full
    ? "This browser keeps no more: do not close the page."
    : "Kept in this browser, and sent again.";
  if (stuck) return { state: "unsaved", text: `${counted(stuck, "edit")} not saved: see above.` };
  if (waiting && outbox.problem)
    return { state: "unsaved", text: `${counted(waiting, "edit")} not saved. ${outbox.problem} ${kept}` };
  if (waiting) return { state: "saving", text: "Saving …" };
  return events.connected
    ? { state: "saved", text: "All saved." }
    : { state: "saved", text: "No connection. All saved." };
}

/** @param {{session: ProjectSession}} props */
export function StatusLine({ session }) {
  useStores(session, session.outbox, session.events);
  const { learned, training, learnerProblem } = session;
  const { state, text } = savingWords(session);
  const words = learned && `Learned from ${counted(learned.sentences, "sentence")} in ${learned.seconds.toFixed(2)} s.`;
  return html`<div class="status-line quiet">
    <span role="status" class=${`saving ${state}`} data-state=${state}>${text}</span>
    <span role="status" class="learned" data-version=${learned?.version}
      data-changed=${learned?.changed}>${learnerProblem || words || ""}</span>
    <span>${learned?.changed ? `${counted(learned.changed, "label")} changed elsewhere` : ""}</span>
    <span aria-hidden="true">${training ? "Learning …" : ""}</span>
  </div>`;
}

// The sealed set: labelled without proposals, never learned from, opened as rarely as possible.
import { html, useState } from "../html.js";
import { write } from "./calls.js";
import { shown } from "../characters.js";
import { counted, figure, timeOf } from "./figures.js";

/** @param {{session: import("./project_session.js").ProjectSession, sealed: import("./types.js").SealedSet | null, onDone: () => void}} props */
export function Sealed({ session, sealed, onDone }) {
  const [sure, setSure] = useState(false);
  const [problem, setProblem] = useState("");
  if (!sealed?.sentences) return null;
  const open = async () => {
    try {
      await write("POST", "/sealed/open", {});
      setSure(false);
      onDone();
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const score = (
    /** @type {import("./types.js").SealedScore} */ one,
  ) => html`<li>${figure(one.score)}${one.low !== undefined ? ` (${figure(one.low)} – ${figure(one.high)})` : ""}
    <span class="quiet"> version ${one.version}, ${timeOf(one.at)}</span></li>`;
  const asks = html`<p>Each time that you look, and then change something, the figure says a little less.
    ${" "}<button type="button" class="main" onClick=${open}>Open it</button> <button type="button"
      onClick=${() => setSure(false)}>Leave it</button></p>`;
  return html`<section><h2>The sealed set</h2>
    <p>${counted(sealed.sentences, "sentence")} set apart at random, ${sealed.labelled} labelled, opened
      ${" "}${sealed.opened ? counted(sealed.opened, "time") : "never"}. They are labelled without proposals and never learned from.</p>
    ${sealed.scores?.length > 0 && html`<ul>${sealed.scores.map(score)}</ul>`}
    ${problem && html`<p class="problem" role="alert">${shown(problem)}</p>`}
    ${
      session.isAdmin &&
      sealed.labelled > 0 &&
      (sure
        ? asks
        : html`<button type="button"
      onClick=${() => setSure(true)}>Open the sealed set …</button>`)
    }
  </section>`;
}

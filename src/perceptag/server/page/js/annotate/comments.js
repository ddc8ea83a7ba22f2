// Comments about a sentence, and everything that was done to it.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useState } from "../html.js";
import { ChangeList, changesOf } from "./best_labellings.js";
import { read } from "./calls.js";
import { Dialog } from "./dialog.js";
import { timeOf } from "./figures.js";

/** @typedef {import("../types.js").Changed} Changed */

/**
 * @param {{session: import("./project_session.js").ProjectSession, item: import("./types.js").Item,
 *   onClose: () => void}} props
 */
export function Comments({ session, item, onClose }) {
  const [text, setText] = useState("");
  const comments = useAnswer((signal) => read(`/sentences/${item.id}/comments`, {}, signal), [item.id]);
  const history = useAnswer((signal) => read("/history", { sentence: item.id, limit: 50 }, signal), [item.id]);
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) session.editor.comment(text.trim());
    onClose();
  };
  const listed = /** @type {{comments: import("./types.js").Comment[]} | null} */ (comments.value)?.comments ?? [];
  const steps = /** @type {{revisions: import("./types.js").Revision[]} | null} */ (history.value)?.revisions ?? [];
  return html`<${Dialog} title=${`Sentence ${item.id}`} wide onClose=${onClose}>
    <ul class="comments">
      ${listed.map(
        (/** @type {import("./types.js").Comment} */ one) => html`<li><bdi>${shown(one.text)}</bdi>
        <span class="quiet"> ${shown(one.who ?? "")}, ${timeOf(one.at)}</span></li>`,
      )}
    </ul>
    ${
      session.mayEdit &&
      html`<form onSubmit=${enter}>
      <textarea class="short" aria-label="Comment" placeholder="What should others know about this sentence?"
        value=${text}
        onInput=${(/** @type {Changed} */ event) => setText(event.target.value)}></textarea>
      <button type="submit" class="main">Keep the comment</button>
    </form>`
    }
    ${steps.length > 0 && html`<h3>History</h3>`}
    <ol class="history">${steps.map(
      (/** @type {import("./types.js").Revision} */ one, /** @type {number} */ k) =>
        html`<${Step} one=${one} before=${steps.slice(k + 1).find((/** @type {import("./types.js").Revision} */ older) => older.labels)}
          item=${item}
        kind=${session.project.kind} />`,
    )}</ol>
  <//>`;
}

/** @param {{one: import("./types.js").Revision, before?: import("./types.js").Revision, item: import("./types.js").Item, kind: string}} props */
function Step({ one, before, item, kind }) {
  const nothing = item.tokens.map(() => (kind === "spans" ? "O" : "?"));
  const changes = Array.isArray(one.labels)
    ? changesOf(item.tokens, before?.labels ?? nothing, one.labels, kind).slice(0, 6)
    : [];
  const facts = [timeOf(one.at), one.who, one.kind, one.source].filter(Boolean);
  return html`<li><span
    class="quiet">${shown(facts.join(" · "))}</span>${
      changes.length > 0 &&
      html`<${ChangeList} changes=${changes}
      />`
    }</li>`;
}

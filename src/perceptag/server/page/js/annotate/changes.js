// What a new model labels differently in unlabelled sentences.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html } from "../html.js";
import { Problems } from "../problems.js";
import { ChangeList, changesOf } from "./best_labellings.js";
import { read } from "./calls.js";
import { Dialog } from "./dialog.js";
import { counted } from "./figures.js";

const LISTED = 100;

/** @param {{version: number | undefined, onClose: () => void}} props */
export function ChangesDialog({ version, onClose }) {
  return html`<${Dialog} title="What the correction changed elsewhere" wide onClose=${onClose}>
    <${Changes} version=${version} onOpen=${onClose} />
  <//>`;
}

/** @param {{version: number | undefined, onOpen: () => void}} props */
function Changes({ version, onOpen }) {
  const answer = useAnswer((signal) => read("/changes", {}, signal), [version]);
  if (answer.problem) return html`<${Problems} problem=${answer.problem} />`;
  const found = /** @type {import("./types.js").ChangesReply | null} */ (answer.value);
  if (!found) return html`<p class="quiet">…</p>`;
  const more = found.total - Math.min(found.changed.length, LISTED);
  return html`<p class="lead">The newest model labels words in ${counted(found.total, "sentence")} differently from the
      one before. These labels have not been accepted yet.</p>
    <ul class="changed">${found.changed.slice(0, LISTED).map((/** @type {import("./types.js").ChangedSentence} */ one) => line(one, onOpen))}</ul>
    ${more > 0 && html`<p class="quiet">and ${counted(more, "sentence")} more</p>`}`;
}

/** @param {import("./types.js").ChangedSentence} one @param {() => void} onOpen */
function line(one, onOpen) {
  const kind = [...one.before, ...one.after].some((label) => /^[BI]-/.test(label ?? "")) ? "spans" : "tags";
  return html`<li key=${one.id}>
    <a href=${`#annotate?sentence=${one.id}`} dir="auto"
      onClick=${onOpen}>${shown(one.tokens.slice(0, 40).join(" "))}</a>
    <${ChangeList} changes=${changesOf(one.tokens, one.before, one.after, kind).slice(0, 6)} />
  </li>`;
}

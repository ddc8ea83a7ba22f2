// The dialogs of the view "Annotate".
import { html } from "../html.js";
import { Comments } from "./comments.js";
import { Dialog } from "./dialog.js";
import { KeySheet } from "./key_sheet.js";
import { LabelSearch } from "./label_search.js";

/** @param {{name: string, context: import("./key_commands.js").KeyContext, onClose: () => void}} props */
export function Dialogs({ name, context, onClose }) {
  const { session } = context;
  const { edit } = session.editor;
  const props = { session, context, onClose };
  if (name === "keys") return html`<${KeySheet} ...${props} />`;
  if (!edit) return html`<${Dialog} title="No sentence" onClose=${onClose}>There is no sentence in front.<//>`;
  if (name === "search") return html`<${LabelSearch} ...${props} />`;
  return html`<${Comments} ...${props} item=${edit.item} />`;
}

// Where the text comes from: typed, pasted, a file that is opened or dropped, or an example.
import { fits, formatOf, fromConllu, namesOfAll } from "./formats.js";
import { html, useRef, useState } from "./html.js";

/**
 * @typedef {import("./types.js").Input} Input
 * @typedef {import("./types.js").Model} Model
 */

/** Texts to try; the layer and the word that are worth a look. @type {{name: string, text: string, layer?: string, word?: string}[]} */
export const EXAMPLES = [
  { name: "names", word: "Paris", text: "Angela Merkel didn't visit Paris. She stayed in Berlin." },
  {
    name: "ambiguity",
    layer: "xpos",
    word: "duck",
    text: "I saw her duck. Time flies like an arrow; fruit flies like a banana.",
  },
  {
    name: "a garden path",
    layer: "xpos",
    word: "man",
    text: "The old man the boat. The horse raced past the barn fell.",
  },
];
const MOST_BYTES = 8 << 20;

/** @param {Model} model */
function needsColumns(model) {
  return model.columns.length > 1;
}

/**
 * The input once another model is chosen. Text becomes columns only if it has those that the model reads, and is text
 * again for a model of one column; what the user has ticked stays.
 * @param {Input} input @param {Model} model @returns {Input}
 */
export function inputFor(input, model) {
  const { kind, text, names, byPage } = input;
  const needed = model.columns.join(" ");
  if (!needsColumns(model)) return byPage ? { kind: "text", text, names: "" } : input;
  if (kind === "columns" && !byPage) return fits(text, names) ? input : { kind, text, names: needed };
  if (fits(text, needed)) return { kind: "columns", text, names: needed, byPage: true };
  return { kind: "text", text, names: "" };
}

/** @param {string} text @param {Input} input @param {Model} model @returns {Input} */
function fromFile(text, input, model) {
  const format = formatOf(text);
  if (format === "conllu") return { kind: "columns", text: fromConllu(text), names: "form - upos xpos" };
  const names = fits(text, input.names) ? input.names : model.columns.join(" ");
  return { kind: format, text, names: format === "columns" ? namesOfAll(text, names) : "" };
}

/**
 * @param {{models: Model[], model: Model, input: Input, onModel: (name: string) => void,
 *   onInput: (input: Input) => void, onExample: (input: Input, layer?: string) => void, onSay: (message: string) => void}} props
 */
export function Composer({ models, model, input, onModel, onInput, onExample, onSay }) {
  const [over, setOver] = useState(false);
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const open = async (/** @type {File | undefined} */ chosen) => {
    if (!chosen) return;
    if (chosen.size > MOST_BYTES) {
      onSay("The file is too large: the page takes at most 8 MiB.");
      return;
    }
    onInput(fromFile(await chosen.text(), input, model));
    onSay("The file is open.");
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    const text = event.dataTransfer?.getData("text/plain");
    if (event.dataTransfer?.files.length) open(event.dataTransfer.files[0]);
    else if (text) onInput({ ...input, text, word: undefined });
  };
  const drag = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  const asColumns = (/** @type {any} */ event) =>
    onInput({
      text: input.text,
      kind: event.target.checked ? "columns" : "text",
      names: input.names || model.columns.join(" "),
    });
  const rename = (/** @type {any} */ event) => onInput({ ...input, names: event.target.value, byPage: false });
  const example = (/** @type {typeof EXAMPLES[0]} */ one) => {
    const take = () => onExample({ kind: "text", text: one.text, names: "", word: one.word }, one.layer);
    return html`<button type="button" class="plain" onClick=${take}>${one.name}</button>`;
  };
  return html`<section class=${over ? "composer over" : "composer"} aria-label="Text to tag" onDrop=${drop}
    onDragOver=${drag} onDragLeave=${drag}>
    <label class="heard" for="text">Text to tag</label>
    <textarea
      id="text"
      dir="auto"
      spellcheck="false"
      placeholder="Type or paste text, or drop a file here"
      value=${input.text}
      onInput=${(/** @type {any} */ event) => onInput({ ...input, text: event.target.value, word: undefined })}
    ></textarea>
    ${
      input.kind === "columns" &&
      html`<label class="field">Names of the columns
      <input type="text" value=${input.names} spellcheck="false"
        onInput=${rename} /></label>`
    }
    <div class="sources">
      <label class="field">Model
        <select id="model" onChange=${(/** @type {any} */ event) => onModel(event.target.value)}>
          ${models.map((one) => html`<option value=${one.name} selected=${one === model}>${one.name}</option>`)}
        </select></label>
      <button type="button" onClick=${() => file.current?.click()}>Open a file</button>
      <input type="file" class="heard" tabindex="-1" aria-hidden="true" ref=${file}
        onChange=${(/** @type {any} */ event) => open(event.target.files[0])} />
      <label class="check"><input type="checkbox" checked=${input.kind === "columns"} onChange=${asColumns}
        /> Columns</label>
      <span class="examples">Try${" "}
        ${EXAMPLES.map(example)}
      </span>
    </div>
  </section>`;
}

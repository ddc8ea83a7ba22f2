// Files out of the project and into it.
import { shown } from "../characters.js";
import { html, useRef, useState } from "../html.js";
import { download, write } from "./calls.js";
import { counted } from "./figures.js";

/** @typedef {import("../types.js").Changed} Changed */

const FORMATS = [
  ["columns", "columns (CoNLL)", "txt"],
  ["conllu", "CoNLL-U", "conllu"],
  ["jsonl", "JSON lines", "jsonl"],
];
const KINDS = [["", "find out"], ...FORMATS.map(([id, name]) => [id, name]), ["text", "running text"]];

/** @param {{session: import("./project_session.js").ProjectSession, onSay: (text: string) => void}} props */
export function Exchange({ session, onSay }) {
  const [status, setStatus] = useState("labelled");
  if (!session.isAdmin) return null;
  const take = (/** @type {string[]} */ [format, , ending]) =>
    download("/export", { format, status }, `${session.project.name}.${ending}`).catch((error) => onSay(error.message));
  return html`<section><h2>Export</h2>
      <div class="options-row"><label class="field">Which <select value=${status}
        onChange=${(/** @type {Changed} */ e) => setStatus(e.target.value)}>
        <option value="labelled">labelled sentences</option><option value="all">all sentences</option></select></label>
        ${FORMATS.map((one) => html`<button type="button" onClick=${() => take(one)}>${one[1]}</button>`)}</div>
      <${Models} project=${session.project} onSay=${onSay} />
    </section>
    <${Import} session=${session} />`;
}

/** @param {{project: import("./types.js").Project, onSay: (text: string) => void}} props */
function Models({ project, onSay }) {
  const version = project.version?.id;
  if (!version) return null;
  const take = () => download("/model", {}, `${project.name}-${version}.model`).catch((error) => onSay(error.message));
  return html`<div class="options-row"><button type="button" onClick=${take}>The model</button>
    <span class="quiet"><code>perceptag tag --model FILE</code> reads it.</span></div>`;
}

/** @param {{session: import("./project_session.js").ProjectSession}} props */
function Import({ session }) {
  const file = useRef(/** @type {HTMLInputElement | null} */ (null));
  const [format, setFormat] = useState("");
  const [columns, setColumns] = useState("");
  const [label, setLabel] = useState("");
  const [said, setSaid] = useState(/** @type {{problem?: string, notes?: string[]}} */ ({}));
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chosen = file.current?.files?.[0];
    if (!chosen) return;
    const more = Object.fromEntries(Object.entries({ format, columns, label }).filter(([, value]) => value));
    if (columns) more.columns = /** @type {any} */ (columns.split(/[\s,]+/).filter(Boolean));
    setSaid({});
    try {
      const done = await write("POST", "/import", { name: chosen.name, text: await chosen.text(), ...more });
      const summary = `${counted(done.sentences, "sentence")} imported, ${done.labelled} of them labelled.`;
      setSaid({ notes: [summary, ...(done.notes ?? [])] });
      session.renew();
    } catch (error) {
      setSaid({ problem: /** @type {Error} */ (error).message });
    }
  };
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ value,
    /** @type {(v: string) => void} */ set,
    /** @type {string} */ hint,
  ) =>
    html`<label class="field">${name} <input type="text" value=${value} placeholder=${hint} spellcheck=${false}
      onInput=${(/** @type {Changed} */ e) => set(e.target.value)} /></label>`;
  return html`<section><h2>Import</h2>
    <form class="options-row" onSubmit=${enter}>
      <label class="field">File <input type="file" ref=${file} /></label>
      <label class="field">Format <select value=${format}
        onChange=${(/** @type {Changed} */ e) => setFormat(e.target.value)}>
        ${KINDS.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select></label>
      ${field("Columns", columns, setColumns, "form,pos,ner")} ${field("Label column", label, setLabel, "ner")}
      <button type="submit">Import</button>
    </form>
    ${said.problem && html`<p class="problem" role="alert">${shown(said.problem)}</p>`}
    ${said.notes?.map((note) => html`<p role="status">${shown(note)}</p>`)}
  </section>`;
}

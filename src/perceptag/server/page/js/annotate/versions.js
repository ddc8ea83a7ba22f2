// All models that there were. Each can be had again: it is a function of the labels of its time.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useEffect, useState } from "../html.js";
import { download, read, write } from "./calls.js";
import { Changes } from "./changes.js";
import { Dialog } from "./dialog.js";
import { counted, figure, timeOf } from "./figures.js";

/**
 * @typedef {{id: number, digest: string, at: number, seconds: number, sentences: number,
 *   estimate: import("./types.js").Estimate | null, recipe: string}} Version
 */
const LISTED = 20;

/** @param {{session: import("./project_session.js").ProjectSession, onSay: (text: string) => void}} props */
export function Versions({ session, onSay }) {
  const [shownChanges, setShown] = useState(/** @type {{from: number, to: number} | null} */ (null));
  const [all, setAll] = useState(false);
  const answer = useAnswer((signal) => read("/versions", {}, signal), [session.project.version?.id, session.trained]);
  useEffect(() => {
    const { trained } = session;
    if (trained) onSay(trained.error ?? `The slower model is there: version ${trained.version}.`);
  }, [session.trained]);
  const listed = /** @type {Version[]} */ (Array.isArray(answer.value) ? answer.value : (answer.value?.versions ?? []));
  const newest = [...listed].sort((a, b) => b.id - a.id);
  const part = all ? newest : newest.slice(0, LISTED);
  const take = (/** @type {number} */ id) =>
    download(`/versions/${id}/model`, {}, `${session.project.name}-${id}.model`).catch((error) => onSay(error.message));
  const train = () =>
    write("POST", "/train", { recipe: "auto" }).then(
      () => onSay("A slower and better model is being trained."),
      (error) => onSay(error.message),
    );
  const row = (/** @type {Version} */ one, /** @type {number} */ i) => {
    const before = newest[i + 1];
    return html`<tr key=${one.id}>
      <th scope="row">${one.id}</th><td>${counted(one.sentences, "sentence")}</td>
      <td>${typeof one.estimate?.score === "number" ? figure(one.estimate.score) : ""}</td>
      <td class="quiet">${timeOf(one.at)}</td><td><code
        title=${one.digest}>${String(one.digest).replace("sha256:", "").slice(0, 10)}</code></td>
      <td>${
        before &&
        html`<button type="button" class="plain" aria-label=${`Changes of version ${one.id}`}
          onClick=${() => setShown({ from: before.id, to: one.id })}>changes</button>`
      }
        <button type="button" class="plain" aria-label=${`Download version ${one.id}`}
          onClick=${() => take(one.id)}>download</button></td>
    </tr>`;
  };
  if (!listed.length) return null;
  return html`<section><h2>Versions of the model</h2>
    <p>Each version follows from the labels of its time, bit for bit. <code>perceptag tag --model FILE</code> reads what you download.</p>
    <div class="scrolling" tabindex="0" role="group" aria-label="Versions"><table
      class="figures versions"><thead><tr><th scope="col">version</th><th scope="col">learned from</th>
      <th scope="col">estimate</th><th scope="col">when</th><th scope="col">SHA-256</th><th scope="col"><span
        class="heard">Actions</span></th></tr></thead>
      <tbody>${part.map(row)}</tbody></table></div>
    ${
      newest.length > LISTED &&
      !all &&
      html`<button type="button" class="plain"
      onClick=${() => setAll(true)}>All ${newest.length} versions</button>`
    }
    ${session.isAdmin && html`<p><button type="button" onClick=${train}>Train a slower, better model</button></p>`}
    ${
      shownChanges &&
      html`<${Dialog} title=${`Version ${shown(String(shownChanges.to))}`} wide onClose=${() => setShown(null)}>
      <${Changes} from=${shownChanges.from} to=${shownChanges.to} onOpen=${() => setShown(null)} /><//>`
    }
  </section>`;
}

// The view "Annotate": one sentence in front, its proposal, and what can be done with it.
import { shown } from "../characters.js";
import { html, useEffect, useState } from "../html.js";
import { percent } from "../labels.js";
import { Problems } from "../problems.js";
import { Best } from "./best.js";
import { Conflicts } from "./conflicts.js";
import { Dialogs } from "./dialogs.js";
import { keyName, keyTable } from "./keys.js";
import { KeyHints } from "./key_sheet.js";
import { LabelBar } from "./label_bar.js";
import { acceptAndGo, giveLabel, stepBack, takeBest, useKeys } from "./pressing.js";
import { Neighbour, SentenceBox, focusCursor, useContext } from "./sentence_box.js";
import { StatusLine } from "./status_line.js";
import { useStores } from "./store.js";
import { Reasons } from "./why_panel.js";
import { counted } from "./words.js";

/**
 * @typedef {import("./bench.js").Bench} Bench
 * @typedef {import("./edit.js").Edit} Edit
 * @typedef {import("./pressing.js").Hands} Hands
 */

const STRATEGIES = [
  ["mixed", "doubtful, and some at random"],
  ["uncertain", "most doubtful first"],
  ["random", "at random"],
  ["order", "in order"],
  ["drafts", "with marked words"],
  ["second", "second reading"],
  ["sealed", "sealed set"],
];

/** @param {{bench: Bench, visit: import("../fragment.js").Fragment | null, onSay: (t: string) => void}} props */
export function AnnotateView({ bench, visit, onSay }) {
  const { desk } = bench;
  const active = visit !== null;
  useStores(bench, desk, bench.outbox);
  const [dialog, setDialog] = useState("");
  const [why, setWhy] = useState(false);
  const focus = () => requestAnimationFrame(() => desk.edit && focusCursor(desk.edit));
  const open = (/** @type {string} */ name) => {
    if (name !== "why") setDialog(name);
    else {
      setWhy(!why);
      setTimeout(focus, 0); // the panel may hide the word
    }
  };
  /** @type {Hands} */
  const hands = { bench, open, focus, say: onSay };
  useKeys(hands, active && !dialog);
  useEffect(() => {
    if (!visit) return;
    const { sentence, place } = visit;
    desk.open(sentence).then(() => {
      if (place !== null && sentence === desk.item?.id) desk.edit?.moveTo(place, false);
      desk.changed();
      focus();
    });
  }, [visit]);
  useEffect(() => {
    if (!active || !desk.item) return;
    const address = desk.item.why?.kind === "second" ? "#annotate" : `#annotate?sentence=${desk.item.id}`;
    if (location.hash.startsWith("#annotate") || !location.hash) history.replaceState(null, "", address);
    focus();
  }, [active, desk.item?.id]);
  const close = () => {
    setDialog("");
    focus();
  };
  const side =
    desk.edit &&
    !desk.blind &&
    html`<div class="side">
    ${
      why &&
      html`<${Reasons} bench=${bench} edit=${desk.edit} cursor=${desk.edit.cursor}
      onClose=${() => setWhy(false)} />`
    }
    <${Best} edit=${desk.edit} labels=${desk.edit.labels} onTake=${(/** @type {number} */ k) => takeBest(hands, k)} />
  </div>`;
  return html`<div class="annotate with-panel">
    <div class="column">
      <h1 class="heard">Annotate</h1>
      <${Toolbar} bench=${bench} />
      <${Conflicts} bench=${bench} />
      ${desk.problem && html`<${Problems} problem=${desk.problem} />`}
      ${
        desk.edit
          ? html`<${Front} hands=${hands} edit=${desk.edit} labels=${desk.edit.labels}
        />`
          : html`<${Nothing} bench=${bench} />`
      }
      <${StatusLine} bench=${bench} onChanges=${() => setDialog("changes")} />
      <${KeyHints} onKeys=${() => setDialog("keys")} />
    </div>
    ${side}
    ${dialog && html`<${Dialogs} name=${dialog} hands=${hands} onClose=${close} />`}
  </div>`;
}

/** @param {{bench: Bench}} props */
function Toolbar({ bench }) {
  const { counts, name } = bench.project;
  const { desk } = bench;
  const offered = STRATEGIES.filter(([id]) => id !== "sealed" || counts.sealed);
  return html`<div class="toolbar">
    <span class="project-name"><bdi>${shown(name)}</bdi></span>
    <span
      class="quiet">${counts.labelled.toLocaleString("en")} of ${counted(counts.sentences, "sentence")} labelled</span>
    <label class="field next-field">Next <select value=${desk.strategy}
      onChange=${(/** @type {any} */ event) => desk.choose(event.target.value)}>
      ${offered.map(([id, words]) => html`<option value=${id} selected=${id === desk.strategy}>${words}</option>`)}
    </select></label>
  </div>`;
}

/** Why this sentence is shown. @param {import("./types.js").Item} item */
function reasonOf(item) {
  const { why } = item;
  const sure = why?.confidence ?? null;
  const words = /** @type {Record<string, string>} */ ({
    random: "drawn at random",
    uncertain: sure === null ? "the model is in doubt" : `the model is ${percent(sure)} sure of its weakest word`,
    draft: "has words that were marked",
    second: "second reading: what others said is hidden",
    sealed: "sealed set: without proposals",
  });
  return words[why?.kind ?? ""] ?? "";
}

/** @param {{hands: Hands, edit: Edit, labels: import("./types.js").Labels}} props */
function Front({ hands, edit, labels }) {
  const { bench } = hands;
  const { item } = edit;
  const near = useContext(item);
  const reason = reasonOf(item);
  const status = item.labels
    ? `labelled${item.who ? ` by ${item.who}` : ""}`
    : item.status === "skipped"
      ? "skipped"
      : "";
  const facts = [
    `Sentence ${item.id}`,
    status,
    reason,
    item.flagged ? "flagged" : "",
    item.comments ? counted(item.comments, "comment") : "",
  ].filter(Boolean);
  const moved = () => bench.desk.changed();
  const label = (/** @type {string | null} */ name) => {
    edit.count();
    giveLabel(hands, name);
  };
  return html`<section class="front" aria-label="Sentence">
    <p class="facts quiet">${shown(facts.join(" · "))}</p>
    <${Neighbour} text=${near?.before} name="Before" />
    <${SentenceBox} edit=${edit} labels=${labels} cursor=${edit.cursor} anchor=${edit.anchor}
      name=${facts.join(", ")} onMove=${moved} />
    <${Neighbour} text=${near?.after} name="After" />
    ${bench.desk.note && html`<p class="hint" role="status">${bench.desk.note}</p>`}
    ${bench.desk.offer && html`<${Offer} bench=${bench} edit=${edit} />`}
    ${
      bench.mayEdit
        ? html`<div class="bottom">
      <${LabelBar} bench=${bench} onLabel=${label} onSearch=${() => hands.open("search")} />
      <${Actions} hands=${hands} item=${item} />
    </div>`
        : html`<p class="hint">You can read this project, not change it.</p>`
    }
  </section>`;
}

/** @param {{bench: Bench, edit: Edit}} props */
function Offer({ bench, edit }) {
  const { offer } = bench.desk;
  const count = offer?.labels.filter((label, t) => label !== edit.labels[t]).length ?? 0;
  return html`<p class="hint" role="status">The newer model labels ${counted(count, "word")} here differently.
    ${" "}<button type="button" class="plain" onClick=${() => bench.desk.takeOffer()}>Take that</button>
    <kbd>${keyName(keyTable().get("offer")?.[0] ?? "")}</kbd></p>`;
}

/** @param {{hands: Hands, item: import("./types.js").Item}} props */
function Actions({ hands, item }) {
  const { bench, open } = hands;
  const { desk } = bench;
  const key = (/** @type {string} */ id) =>
    html`<kbd aria-hidden="true">${keyName(keyTable().get(id)?.[0] ?? "")}</kbd>`;
  return html`<div class="actions" role="group" aria-label="Sentence">
    <button type="button" class="main" onClick=${() => acceptAndGo(hands)}>Accept ${key("accept")}</button>
    <button type="button"
      onClick=${() => desk.skip()}>${item.status === "skipped" ? "Take back" : "Skip"} ${key("skip")}</button>
    <button type="button" aria-pressed=${item.flagged ? "true" : "false"}
      onClick=${() => desk.flag()}>Flag ${key("flag")}</button>
    <button type="button" onClick=${() => open("comment")}>Comment ${key("comment")}</button>
    <button type="button" onClick=${() => open("markAll")}>Mark all ${key("markAll")}</button>
    <button type="button" onClick=${() => open("why")}>Why ${key("why")}</button>
    <button type="button" onClick=${() => stepBack(hands, "undo")}>Undo ${key("undo")}</button>
  </div>`;
}

/** @param {{bench: Bench}} props */
function Nothing({ bench }) {
  const { desk } = bench;
  if (desk.fetching || (!desk.finished && !desk.problem)) return html`<p class="quiet front">…</p>`;
  if (!bench.mayEdit)
    return html`<p class="lead front">You can read this project: choose one of its <a
      href="#sentences">sentences</a>.</p>`;
  return html`<section class="front">
    ${!desk.problem && html`<p class="lead">${whyNothing(bench)}</p>`}
    <button type="button" onClick=${() => desk.advance()}>Look again</button>
  </section>`;
}

/** Why there is no sentence to label. @param {Bench} bench */
function whyNothing({ project, desk }) {
  const { sentences, left } = project.counts;
  if (!sentences)
    return "This project has no sentences yet. Import a file under Progress, or with perceptag annotate --import FILE.";
  if (left && !["drafts", "second", "sealed"].includes(desk.strategy))
    return "All that is left is open in other tabs. After ten minutes without a label it is free again.";
  return "Nothing is left to label in this way. Choose another order, or look at the sentences.";
}

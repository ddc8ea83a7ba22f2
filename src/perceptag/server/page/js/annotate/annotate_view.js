// The view "Annotate": one sentence in front, its proposal, and what can be done with it.
import { shown } from "../characters.js";
import { html, useEffect, useState } from "../html.js";
import { percent } from "../labels.js";
import { Problems } from "../problems.js";
import { Best } from "./best_labellings.js";
import { Conflicts } from "./conflicts.js";
import { Dialogs } from "./dialogs.js";
import { GuidelinesPane } from "./guidelines.js";
import { keyName, keyTable } from "./keys.js";
import { KeyHints } from "./key_sheet.js";
import { LabelBar } from "./label_bar.js";
import { acceptAndGo, giveLabel, stepBack, takeBest, turn, useKeys } from "./key_commands.js";
import { Neighbour, SentenceBox, focusCursor, useContext } from "./sentence_box.js";
import { StatusLine } from "./status_line.js";
import { useStores } from "./store.js";
import { Reasons } from "./why_panel.js";
import { counted } from "./figures.js";

/** @typedef {import("../types.js").Changed} Changed */

/**
 * @typedef {import("./project_session.js").ProjectSession} ProjectSession
 * @typedef {import("./sentence_edit.js").Edit} Edit
 * @typedef {import("./key_commands.js").KeyContext} KeyContext
 */

const STRATEGIES = [
  ["mixed", "doubtful, and some at random"],
  ["uncertain", "most doubtful first"],
  ["random", "at random"],
  ["order", "in order"],
  ["drafts", "with marked words"],
  ["second", "second reading"],
];

/** @param {{session: ProjectSession, visit: import("../fragment.js").Fragment | null, onSay: (t: string) => void}} props */
export function AnnotateView({ session, visit, onSay }) {
  const { editor } = session;
  const active = visit !== null;
  useStores(session, editor, session.outbox, session.presence);
  const [dialog, setDialog] = useState("");
  const [pane, setPane] = useState(""); // "why" or "guidelines"
  const focus = () => requestAnimationFrame(() => editor.edit && focusCursor(editor.edit));
  const open = (/** @type {string} */ name) => {
    if (!["why", "guidelines"].includes(name)) setDialog(name);
    else {
      setPane(pane === name ? "" : name);
      setTimeout(focus, 0); // the panel may hide the word
    }
  };
  /** @type {KeyContext} */
  const context = { session, open, focus, say: onSay };
  useKeys(context, active && !dialog);
  useEffect(() => {
    if (!visit) return;
    const { sentence, place, decide } = visit;
    editor.open(sentence, decide && session.isAdmin).then(() => {
      if (place !== null && sentence === editor.item?.id) editor.edit?.moveTo(place, false);
      editor.changed();
      focus();
    });
  }, [visit]);
  useEffect(() => {
    if (!active || !editor.item) return;
    const address = editor.item.why?.kind === "second" ? "#annotate" : `#annotate?sentence=${editor.item.id}`;
    if (location.hash.startsWith("#annotate") || !location.hash) history.replaceState(null, "", address);
    focus();
  }, [active, editor.item?.id]);
  const close = () => {
    setDialog("");
    focus();
  };
  const closePane = () => open(pane);
  const guidelines = pane === "guidelines" && html`<${GuidelinesPane} session=${session} onClose=${closePane} />`;
  const proposed =
    editor.edit &&
    !editor.blind &&
    html`${
      pane === "why" &&
      html`<${Reasons} session=${session} edit=${editor.edit} cursor=${editor.edit.cursor} onClose=${closePane} />`
    }
    <${Best} edit=${editor.edit} labels=${editor.edit.labels} onTake=${session.mayEdit ? (/** @type {number} */ k) => takeBest(context, k) : null} />`;
  return html`<div class="annotate with-panel">
    <div class="column">
      <h1 class="heard">Annotate</h1>
      <${Toolbar} session=${session} isOpen=${pane === "guidelines"} onGuidelines=${() => open("guidelines")} />
      <${Conflicts} session=${session} />
      ${editor.problem && html`<${Problems} problem=${editor.problem} />`}
      ${
        editor.edit
          ? html`<${Front} context=${context} edit=${editor.edit} labels=${editor.edit.labels}
        />`
          : html`<${Nothing} session=${session} />`
      }
      <${StatusLine} session=${session} />
      <${KeyHints} mayEdit=${session.mayEdit} onKeys=${() => setDialog("keys")} />
    </div>
    ${(guidelines || proposed) && html`<div class="side">${guidelines}${proposed}</div>`}
    ${dialog && html`<${Dialogs} name=${dialog} context=${context} onClose=${close} />`}
  </div>`;
}

/** @param {{session: ProjectSession, isOpen: boolean, onGuidelines: () => void}} props */
function Toolbar({ session, isOpen, onGuidelines }) {
  const { counts, name, you } = session.project;
  const { editor } = session;
  return html`<div class="toolbar">
    <span class="project-name"><bdi>${shown(name)}</bdi></span>
    <span
      class="quiet">${counts.labelled.toLocaleString("en")} of ${counted(counts.sentences, "sentence")} labelled</span>
    <span class="quiet you">you are <b><bdi>${shown(you.name)}</bdi></b></span>
    <button type="button" class="plain" aria-pressed=${isOpen ? "true" : "false"} title=${`Key ${keyName(keyTable().get("guidelines")?.[0] ?? "")}`}
      onClick=${onGuidelines}>Guidelines</button>
    ${
      session.mayEdit &&
      html`<label class="field next-field">Next <select value=${editor.strategy}
      onChange=${(/** @type {Changed} */ event) => editor.choose(event.target.value)}>
      ${STRATEGIES.map(([id, words]) => html`<option value=${id} selected=${id === editor.strategy}>${words}</option>`)}
    </select></label>`
    }
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
    decide: "what you accept is the decision",
  });
  return words[why?.kind ?? ""] ?? "";
}

/** @param {{context: KeyContext, edit: Edit, labels: import("./types.js").Labels}} props */
function Front({ context, edit, labels }) {
  const { session } = context;
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
    !item.labels && item.proposal ? "dashed: proposed" : "",
    reason,
    item.flagged ? "flagged" : "",
    item.comments ? counted(item.comments, "comment") : "",
  ].filter(Boolean);
  const moved = () => session.editor.changed();
  const label = (/** @type {string | null} */ name) => {
    edit.count();
    giveLabel(context, name);
  };
  return html`<section class="front" aria-label="Sentence">
    <div class="facts-row"><p class="facts quiet">${shown(facts.join(" · "))}</p> <${Turning} context=${context} /></div>
    <${Neighbour} text=${near?.before} name="Before" />
    <${SentenceBox} edit=${edit} labels=${labels} cursor=${edit.cursor} anchor=${edit.anchor}
      name=${facts.join(", ")} onMove=${moved} />
    <${Neighbour} text=${near?.after} name="After" />
    ${session.editor.note && html`<p class="hint" role="status">${session.editor.note}</p>`}
    ${session.presence.others.length > 0 && html`<${AlsoHere} others=${session.presence.others} />`}
    ${
      session.mayEdit
        ? html`<div class="bottom">
      <${LabelBar} session=${session} onLabel=${label} onSearch=${() => context.open("search")} />
      <${Actions} context=${context} item=${item} />
    </div>`
        : html`<p class="hint">You can read this project, not change it.</p>`
    }
  </section>`;
}

/** Buttons to other sentences. @param {{context: KeyContext}} props */
function Turning({ context }) {
  const { mayEdit } = context.session;
  const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) =>
    html`<button type="button" class="plain" aria-label=${name} title=${name} onClick=${act}>${sign}</button>`;
  return html`<span class="turning">
    ${button("‹", "Sentence before", () => turn(context, "previous"))}
    ${mayEdit && button("›", "Sentence after, labels as they were", () => turn(context, "following"))}
  </span>`;
}

/** @param {{others: string[]}} props */
function AlsoHere({ others }) {
  const names = others.length > 1 ? `${others.slice(0, -1).join(", ")} and ${others[others.length - 1]}` : others[0];
  return html`<p class="hint also-here" role="status">${shown(names)} ${others.length > 1 ? "have" : "has"} this sentence
    open too.</p>`;
}

/** @param {{context: KeyContext, item: import("./types.js").Item}} props */
function Actions({ context, item }) {
  const { session, open } = context;
  const { editor } = session;
  const key = (/** @type {string} */ id) =>
    html`<kbd aria-hidden="true">${keyName(keyTable().get(id)?.[0] ?? "")}</kbd>`;
  return html`<div class="actions" role="group" aria-label="Sentence">
    <button type="button" class="main" onClick=${() => acceptAndGo(context)}>Accept ${key("accept")}</button>
    <button type="button"
      onClick=${() => editor.skip()}>${item.status === "skipped" ? "Take back" : "Skip"} ${key("skip")}</button>
    <button type="button" aria-pressed=${item.flagged ? "true" : "false"}
      onClick=${() => editor.flag()}>Flag ${key("flag")}</button>
    <button type="button" onClick=${() => open("comment")}>Comment ${key("comment")}</button>
    <button type="button" onClick=${() => open("why")}>Why ${key("why")}</button>
    <button type="button" onClick=${() => stepBack(context, "undo")}>Undo ${key("undo")}</button>
  </div>`;
}

/** @param {{session: ProjectSession}} props */
function Nothing({ session }) {
  const { editor } = session;
  if (editor.fetching || (!editor.finished && !editor.problem)) return html`<p class="quiet front">…</p>`;
  if (!session.mayEdit)
    return html`<p class="lead front">You can read this project: choose one of its <a
      href="#sentences">sentences</a>.</p>`;
  return html`<section class="front">
    ${!editor.problem && html`<p class="lead">${whyNothing(session)}</p>`}
    <div class="options-row">
      ${
        canReadAgain(session) &&
        html`<button type="button" class="main" onClick=${() => editor.choose("second")}>Read what others have labelled</button>`
      }
      <button type="button" onClick=${() => editor.advance()}>Look again</button>
    </div>
  </section>`;
}

/** Whether a second reading may be left to do. @param {ProjectSession} session */
function canReadAgain({ project, editor }) {
  return project.counts.labelled > 0 && !project.counts.left && editor.strategy !== "second";
}

/** Why there is no sentence to label. @param {ProjectSession} session */
function whyNothing({ project, editor }) {
  const { sentences, left } = project.counts;
  if (!sentences)
    return "This project has no sentences yet. Import a file under Progress, or with perceptag annotate --import FILE.";
  if (left && !["drafts", "second"].includes(editor.strategy))
    return "All that is left is open in other tabs. After ten minutes without a label it is free again.";
  if (editor.strategy === "second")
    return "You have read all that others have labelled. Where you disagree, an admin decides under Adjudicate.";
  if (!left)
    return "All sentences are labelled. A second reading, without seeing the labels of others, shows where people disagree.";
  return "Nothing is left to label in this way. Choose another order, or look at the sentences.";
}

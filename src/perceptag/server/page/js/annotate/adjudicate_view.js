// The view "Adjudicate": what people label differently, decided side by side.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useRef, useState } from "../html.js";
import { Problems } from "../problems.js";
import { AgreementTables } from "./agreement_tables.js";
import { act, read } from "./calls.js";
import { CardList } from "./card_list.js";
import { Conflicts } from "./conflicts.js";
import { counted } from "./figures.js";
import { PlainSentence } from "./plain_sentence.js";
import { drawable } from "./sentence_box.js";
import { same } from "./spans.js";
import { useStores } from "./store.js";

/**
 * @typedef {import("./project_session.js").ProjectSession} ProjectSession
 * @typedef {import("./types.js").Disagreement} Disagreement
 * @typedef {import("./types.js").Disagreements} Disagreements
 * @typedef {import("./types.js").Side} Side
 */

const LIMIT = 100;
/** @type {Record<string, {name: string, about: string, none: string}>} */
const KINDS = {
  people: {
    name: "Between people",
    about: "Sentences that two people have labelled differently. A second reading (under Next) finds more.",
    none: "People agree about everything that was read twice.",
  },
  decided: {
    name: "Decided",
    about: "What was decided. Take another side to change it.",
    none: "Nothing is decided yet.",
  },
};

/** @param {{session: ProjectSession, visit: object | null, onSay: (text: string) => void}} props */
export function AdjudicateView({ session, visit, onSay }) {
  const active = visit !== null;
  useStores(session, session.outbox);
  const [kind, setKind] = useState("people");
  const [asked, setAsked] = useState(0);
  const waiting = session.outbox.writes.length; // a decision is listed when it is saved
  const answer = useAnswer(
    active ? (signal) => read("/disagreements", { kind, limit: LIMIT }, signal) : null,
    [kind, asked, active, waiting],
    100,
  );
  const reply = /** @type {Disagreements | null} */ (answer.value);
  const undo = async () => {
    await session.outbox.settled();
    const said = await act("/undo", {}).then(
      (done) =>
        `Undone: ${done.what} of ${done.sentences.map((/** @type {number} */ n) => `sentence ${n}`).join(", ")}.`,
      (/** @type {Error} */ error) => error.message,
    );
    onSay(said);
    setAsked((count) => count + 1);
  };
  const tab = (/** @type {string} */ id) => html`<button type="button" aria-pressed=${id === kind ? "true" : "false"}
    onClick=${() => setKind(id)}>${KINDS[id].name}${reply ? ` (${reply.counts[id]})` : ""}</button>`;
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || !session.isAdmin) return;
    event.preventDefault();
    undo();
  };
  return html`<div class="page issues adjudicate" onKeyDown=${press}>
    <h1>Adjudicate</h1>
    <div class="tabs" role="group" aria-label="Kinds of disagreements">${Object.keys(KINDS).map(tab)}</div>
    <p class="quiet">${KINDS[kind].about}</p>
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    <${Conflicts} session=${session} />
    ${!session.isAdmin && html`<p class="hint">Admins decide. You can see what there is to decide.</p>`}
    ${
      reply?.kind === kind &&
      html`<${Cards} session=${session} reply=${reply} visit=${visit} onSay=${onSay} onUndo=${undo} />`
    }
    ${reply?.agreement && html`<${AgreementTables} agreement=${reply.agreement} kind=${session.project.kind} />`}
  </div>`;
}

/**
 * @param {{session: ProjectSession, reply: Disagreements, visit: object | null, onSay: (text: string) => void,
 *   onUndo: () => void}} props
 */
function Cards({ session, reply, visit, onSay, onUndo }) {
  const done = useRef(/** @type {Set<string>} */ (new Set())).current; // until the list comes without them
  const asSeen = (/** @type {Disagreement} */ card) => `${card.id} ${card.revision}`;
  const cards = reply.items.filter((one) => !done.has(asSeen(one)));
  const decide = (/** @type {Disagreement} */ card, /** @type {Side} */ side) => {
    const body = { labels: side.labels, base_revision: card.revision, seconds: 0, actions: 1, source: "decided" };
    done.add(asSeen(card));
    session.outbox.add("PUT", `/sentences/${card.id}/labels`, body, card);
    onSay(`Sentence ${card.id}: the labels of ${nameOf(side)}.`);
  };
  const press = (/** @type {string} */ key, /** @type {Disagreement} */ card) => {
    const side = /^[1-9]$/.test(key) ? card.sides[Number(key) - 1] : undefined;
    if (!side || !session.isAdmin) return false;
    decide(card, side);
    return Promise.resolve();
  };
  const { none } = KINDS[reply.kind];
  const draw = (/** @type {Disagreement} */ card) =>
    html`<${Card} card=${card} session=${session} onTake=${(/** @type {Side} */ side) => decide(card, side)} />`;
  return html`<p class="quiet"><span role="status">${cards.length ? counted(reply.total, "sentence") : none}</span>
      ${session.isAdmin && html` <${Hints} onUndo=${onUndo} />`}</p>
    ${
      cards.length > 0 &&
      html`<${CardList} cards=${cards} draw=${draw} onKey=${press} visit=${visit}
        nameOf=${(/** @type {Disagreement} */ card) => String(card.id)} />`
    }`;
}

/** @param {{onUndo: () => void}} props */
function Hints({ onUndo }) {
  return html`<span class="hints"><kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>1</kbd> <kbd>2</kbd> take a side, <kbd>Enter</kbd>
    ${" "}labels the sentence otherwise, <kbd>Ctrl Z</kbd> undoes.</span>
    ${" "}<button type="button" class="plain" onClick=${onUndo}>Undo</button>`;
}

/** @param {Side} side */
function nameOf(side) {
  return side.who ?? "the file";
}

/** The words about which sides differ. @param {Disagreement} card */
function contested({ sides, tokens }) {
  return tokens.flatMap((_, t) => (sides.some((one) => one.labels[t] !== sides[0].labels[t]) ? [t] : []));
}

/** @param {{card: Disagreement, session: ProjectSession, onTake: (side: Side) => void}} props */
function Card({ card, session, onTake }) {
  const { tokens, sides, decided } = card;
  const { kind } = session.project;
  const marked = contested(card);
  const draw = (/** @type {Side} */ side, /** @type {number} */ i) => {
    const isChosen = decided !== null && same(decided.labels, side.labels);
    const sentence = drawable(/** @type {any} */ ({ tokens, labels: side.labels, proposal: null }), side.labels, kind);
    return html`<div class=${isChosen ? "chosen" : ""}>
      <h2>${shown(nameOf(side))}${isChosen && html` <span class="quiet">decided by ${shown(decided.who ?? "")}</span>`}</h2>
      <${PlainSentence} sentence=${sentence} marked=${marked} name=${`Labels of ${nameOf(side)}`} />
      ${
        session.isAdmin &&
        !isChosen &&
        html`<button type="button" onClick=${() => onTake(side)}>Take this <kbd aria-hidden="true">${i + 1}</kbd></button>`
      }
    </div>`;
  };
  const isOther = decided !== null && !sides.some((side) => same(decided.labels, side.labels));
  const shownSides = isOther ? [...sides, { ...decided, who: `decided by ${decided.who}` }] : sides;
  return html`<p class="quiet">Sentence ${card.id} · <a
      href=${`#annotate?sentence=${card.id}${session.isAdmin ? "&decide=1" : ""}`}>${
        session.isAdmin ? "label it otherwise" : "open"
      }</a></p>
    <div class="two">${shownSides.map(draw)}</div>`;
}

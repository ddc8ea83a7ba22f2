// The view "Issues": labels that look wrong, each one key away from being put right.
import { useAnswer } from "../asking.js";
import { shown } from "../characters.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { Problems } from "../problems.js";
import { read } from "./calls.js";
import { CardList } from "./card_list.js";
import { Dismissed } from "./dismissed.js";
import { KINDS, drawIssue, nameOfIssue } from "./issue_kinds.js";
import { MarkAll } from "./mark_all.js";
import { takeSuggestion } from "./suggestions.js";
import { useStores } from "./store.js";
import { counted } from "./figures.js";

/** @typedef {import("./project_session.js").ProjectSession} ProjectSession @typedef {import("./issue_kinds.js").Issue} Issue */

const LIMIT = 100;
const LATER = 1500; // milliseconds

/** @param {{session: ProjectSession, visit: object | null, onSay: (text: string) => void}} props */
export function IssuesView({ session, visit, onSay }) {
  const active = visit !== null;
  useStores(session);
  const [kind, setKind] = useState("errors");
  const [asked, setAsked] = useState(0);
  const news = useRef(0); // what was told when the list was asked for
  const ask = (/** @type {AbortSignal} */ signal) => {
    news.current = session.findings;
    return read("/issues", { kind, limit: LIMIT }, signal);
  };
  const answer = useAnswer(active ? ask : null, [kind, asked, active], 100);
  const reply = /** @type {any} */ (answer.value?.kind === kind ? answer.value : null);
  const isEmpty = !reply?.items.length;
  const again = () => setAsked((count) => count + 1);
  useEffect(() => {
    if (!isEmpty || !(reply?.running || reply?.stale)) return undefined;
    const timer = setTimeout(again, LATER);
    return () => clearTimeout(timer);
  }, [reply]);
  const hasNews = reply && !isEmpty && session.findings !== news.current; // a list is not changed under somebody's context
  const { about } = KINDS[kind];
  return html`<div class="page issues">
    <h1>Issues</h1>
    <div class="tabs" role="group" aria-label="Kinds of issues">
      ${Object.entries(KINDS).map(
        ([id, one]) => html`<button type="button" aria-pressed=${id === kind ? "true" : "false"}
        onClick=${() => setKind(id)}>${one.name}</button>`,
      )}
    </div>
    <p class="quiet">${about}</p>
    ${answer.problem && html`<${Problems} problem=${answer.problem} />`}
    ${reply?.reason && html`<p>${shown(reply.reason)}</p>`}
    ${hasNews && html`<p><button type="button" onClick=${again}>Look again: labels have changed</button></p>`}
    ${
      reply &&
      html`<${IssueList} key=${kind} session=${session} kind=${kind} reply=${reply} visit=${visit}
      onSay=${onSay} />`
    }
    ${!reply && !answer.problem && html`<p class="quiet">…</p>`}
  </div>`;
}

/**
 * What is left of the issues, and what can be done with one.
 * @param {ProjectSession} session @param {string} kind @param {any} reply @param {(text: string) => void} onSay
 */
function useIssues(session, kind, reply, onSay) {
  const [, redraw] = useState(0);
  const [marking, setMarking] = useState(/** @type {{words: string[], label: string} | null} */ (null));
  const dismissed = useRef(new Dismissed(session.place)).current;
  const taken = useRef(/** @type {Set<string>} */ (new Set())).current;
  const nameOf = (/** @type {Issue} */ issue) => nameOfIssue(kind, issue);
  const issues = reply.items.filter((/** @type {Issue} */ i) => !dismissed.has(nameOf(i)) && !taken.has(nameOf(i)));
  const again = () => redraw((count) => count + 1);
  const leave = (/** @type {Issue} */ issue) => {
    dismissed.add(nameOf(issue));
    again();
  };
  const take = async (/** @type {Issue} */ issue, /** @type {number} */ side = 0) => {
    if (kind === "inconsistent") {
      if (issue.sides[side]) setMarking({ words: issue.words, label: issue.sides[side].label });
      return;
    }
    const said = await takeSuggestion(session, kind, issue);
    if (said.done) taken.add(nameOf(issue));
    onSay(said.text);
    again();
  };
  return { issues, dismissed, nameOf, again, leave, take, marking, setMarking };
}

/**
 * @param {{session: ProjectSession, kind: string, reply: any, visit: object | null, onSay: (text: string) => void}} props
 */
function IssueList({ session, kind, reply, visit, onSay }) {
  const { issues, dismissed, nameOf, again, leave, take, marking, setMarking } = useIssues(session, kind, reply, onSay);
  const press = (/** @type {string} */ key, /** @type {Issue} */ issue) => {
    if (!session.mayEdit) return false;
    if (key === "x") return Promise.resolve(leave(issue));
    if (key === "t" && kind !== "inconsistent") return take(issue);
    return /^[1-9]$/.test(key) && kind === "inconsistent" ? take(issue, Number(key) - 1).then(() => true) : false;
  };
  const bring = dismissed.size > 0 && html`<${Bring} dismissed=${dismissed} onDone=${again} />`;
  if (!issues.length)
    return html`<p role="status">${reply.running || reply.stale ? "Looking …" : "Nothing was found."} ${bring}</p>`;
  return html`<${Hints} kind=${kind} reply=${reply} count=${issues.length} mayEdit=${session.mayEdit} /> ${bring}
    <${CardList} cards=${issues} nameOf=${nameOf} onKey=${press} visit=${visit}
      draw=${(/** @type {Issue} */ issue) => drawIssue(kind, issue, session, { take, leave })} />
    ${
      marking &&
      html`<${MarkAll} session=${session} words=${marking.words} label=${marking.label} scope="labelled" onSay=${onSay}
        onClose=${() => setMarking(null)} />`
    }`;
}

/** @param {{kind: string, reply: any, count: number, mayEdit: boolean}} props */
function Hints({ kind, reply, count, mayEdit }) {
  const state = reply.stale ? "Labels have changed since." : "";
  const weaker = reply.weaker ? `${counted(reply.weaker, "weaker doubt is", "weaker doubts are")} not listed.` : "";
  const takes =
    kind === "inconsistent"
      ? html`<kbd>1</kbd> … <kbd>9</kbd> gives all the same label`
      : html`<kbd>t</kbd> takes what is suggested`;
  return html`<p class="quiet"><span role="status">${counted(count, "place")}. ${weaker} ${state}</span>
    ${" "}<span class="hints"><kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd> opens${
      mayEdit && html`, ${takes}, <kbd>x</kbd> dismisses`
    }.</span></p>`;
}

/** @param {{dismissed: Dismissed, onDone: () => void}} props */
function Bring({ dismissed, onDone }) {
  const bring = () => {
    dismissed.clear();
    onDone();
  };
  return html`<button type="button" class="plain"
    onClick=${bring}>Show the ${dismissed.size} that were dismissed</button>`;
}

// The same words everywhere: first a list, then what was chosen of it gets the label, as one step that can be undone.
import { shown } from "../characters.js";
import { html, useEffect, useState } from "../html.js";
import { toneStyle, percent } from "../labels.js";
import { act, write } from "./calls.js";
import { Dialog } from "./dialog.js";
import { counted } from "./figures.js";

/** @typedef {import("../types.js").Changed} Changed */

/**
 * @typedef {{id: number, start: number, end: number, tokens: string[], revision: number, status: string,
 *   label_now: string | null, label_proposed: string | null, confidence: number | null}} Match
 */
const AROUND = 6; // words on each side

/** @param {Match} match */
function nameOf(match) {
  return `${match.id} ${match.start}`;
}

/** Whether the words are a part of something else: "Houston" in "Travis Houston". @param {Match} match */
function isPart({ status, label_now: now, label_proposed: proposed, confidence }) {
  return status === "labelled" ? now === null : proposed === null && typeof confidence === "number";
}

/** @typedef {{label: string, scope: string, ignoreCase: boolean}} Choice */

/** What is found, and the matches that are not marked. @param {string[]} words @param {Choice} choice */
function useMatches(words, { label, scope, ignoreCase }) {
  const [found, setFound] = useState(/** @type {{total: number, matches: Match[]} | null} */ (null));
  const [left, setLeft] = useState(/** @type {Set<string>} */ (new Set()));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!label) return undefined;
    let isOld = false;
    const body = { words, label, scope, ignore_case: ignoreCase, preview: true };
    write("POST", "/mark-all", body).then(
      (reply) => {
        if (isOld) return;
        setFound(reply);
        setLeft(new Set(reply.matches.filter(isPart).map(nameOf))); // these only on purpose
        setProblem("");
      },
      (error) => !isOld && setProblem(error.message),
    );
    return () => {
      isOld = true;
    };
  }, [words.join(" "), label, scope, ignoreCase]);
  return { found, left, setLeft, problem, setProblem };
}

/**
 * @param {{session: import("./project_session.js").ProjectSession, words: string[], label: string, scope?: string,
 *   onSay: (text: string) => void, onClose: () => void}} props
 */
export function MarkAll({ session, words, label, scope = "unlabelled", onSay, onClose }) {
  const [choice, setChoice] = useState({
    label: label || session.project.labels[0]?.name || "",
    scope,
    ignoreCase: false,
  });
  const { found, left, setLeft, problem, setProblem } = useMatches(words, choice);
  const matches = found?.matches ?? [];
  const chosen = matches.filter((match) => !left.has(nameOf(match)));
  const turn = (/** @type {Match} */ match) => {
    const next = new Set(left);
    if (!next.delete(nameOf(match))) next.add(nameOf(match));
    setLeft(next);
  };
  const apply = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const targets = chosen.map(({ id, start, revision }) => ({ id, start, revision }));
    try {
      const done = await act("/mark-all", { words, label: choice.label, ignore_case: choice.ignoreCase, targets });
      onSay(`${doneWords(done)} Ctrl+Z undoes it.`);
      session.renew();
      session.editor.marked(
        chosen.filter(({ id }) => !done.conflicts.includes(id)),
        choice.label,
      );
      onClose();
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const line = (/** @type {Match} */ match) =>
    html`<${MatchLine} key=${nameOf(match)} match=${match} on=${!left.has(nameOf(match))} onTurn=${turn} />`;
  const some = html` <button type="button" class="plain" onClick=${() => setLeft(new Set())}>all</button>
    <button type="button" class="plain" onClick=${() => setLeft(new Set(matches.map(nameOf)))}>none</button>`;
  const state = found ? `${counted(found.total, "place")} found, ${counted(chosen.length, "is", "are")} chosen.` : "…";
  return html`<${Dialog} title="Mark all the same words" wide onClose=${onClose}>
    <form class="mark-all" onSubmit=${apply}>
      <p class="lead"><bdi><b>${shown(words.join(" "))}</b></bdi></p>
      <${Choices} labels=${session.project.labels.map((one) => one.name)} choice=${choice} onChoice=${setChoice} />
      ${problem && html`<p class="problem" role="alert">${shown(problem)}</p>`}
      <p class="quiet" role="status">${state}${matches.length > 0 && some}</p>
      <ul class="matches">${matches.map(line)}</ul>
      <button type="submit" class="main" disabled=${!chosen.length}>Mark ${counted(chosen.length, "place")}</button>
    </form>
  <//>`;
}

/** @param {{changed: number, conflicts: number[]}} done */
function doneWords({ changed, conflicts }) {
  const missed = conflicts.length ? ` ${counted(conflicts.length, "sentence")} had changed and stayed.` : "";
  return `Marked ${counted(changed, "sentence")}.${missed}`;
}

/** @param {{labels: string[], choice: Choice, onChoice: (choice: Choice) => void}} props */
function Choices({ labels, choice, onChoice }) {
  const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ now) =>
    html`<option value=${value} selected=${value === now}>${text}</option>`;
  const set = (/** @type {Partial<Choice>} */ change) => onChoice({ ...choice, ...change });
  return html`<div class="options-row">
    <label class="field">Label <select value=${choice.label}
      onChange=${(/** @type {Changed} */ e) => set({ label: e.target.value })}>
      ${labels.map((name) => option(name, name, choice.label))}</select></label>
    <label class="field">In <select value=${choice.scope}
      onChange=${(/** @type {Changed} */ e) => set({ scope: e.target.value })}>
      ${option("unlabelled", "sentences without labels", choice.scope)}
      ${option("labelled", "labelled sentences", choice.scope)}${option("all", "all sentences", choice.scope)}
    </select></label>
    <label class="check"><input type="checkbox" checked=${choice.ignoreCase}
      onChange=${(/** @type {Changed} */ e) => set({ ignoreCase: e.target.checked })} /> ignore case</label>
  </div>`;
}

/** @param {{match: Match, on: boolean, onTurn: (match: Match) => void}} props */
function MatchLine({ match, on, onTurn }) {
  const { tokens, start, end, label_now: now, label_proposed: proposed, confidence } = match;
  const before = tokens.slice(Math.max(0, start - AROUND), start).join(" ");
  const after = tokens.slice(end, end + AROUND).join(" ");
  const sure = typeof confidence === "number" ? `, ${percent(confidence)}` : "";
  const model = proposed === null ? "" : `the model says ${proposed}${sure}`;
  const says = isPart(match) ? "part of another span" : now !== null ? `now ${now}` : model;
  return html`<li><label>
    <input type="checkbox" checked=${on} onChange=${() => onTurn(match)} />
    <span class="match"
      dir="auto">${shown(before)} <mark>${shown(tokens.slice(start, end).join(" "))}</mark> ${shown(after)}</span>
    <span class="quiet" style=${toneStyle(now ?? proposed ?? "O")}>${shown(says)}</span>
  </label></li>`;
}

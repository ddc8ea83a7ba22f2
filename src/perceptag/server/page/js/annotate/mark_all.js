// The same words everywhere: first a list, then what was chosen of it gets the label, as one step that can be undone.
import { shown } from "../characters.js";
import { html, useEffect, useState } from "../html.js";
import { hueStyle, percent } from "../labels.js";
import { act, write } from "./calls.js";
import { Dialog } from "./dialog.js";
import { counted } from "./words.js";

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

/** What is found. @param {string[]} words @param {string} label @param {string} scope @param {boolean} ignoreCase */
function useMatches(words, label, scope, ignoreCase) {
  const [found, setFound] = useState(/** @type {{total: number, matches: Match[]} | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!label) return undefined;
    let isOld = false;
    const body = { words, label, scope, ignore_case: ignoreCase, preview: true };
    write("POST", "/mark-all", body).then(
      (reply) => !isOld && (setFound(reply), setProblem("")),
      (error) => !isOld && setProblem(error.message),
    );
    return () => {
      isOld = true;
    };
  }, [words.join(" "), label, scope, ignoreCase]);
  return { found, problem, setProblem };
}

/**
 * @param {{bench: import("./bench.js").Bench, words: string[], label: string, scope?: string,
 *   onSay: (text: string) => void, onClose: () => void}} props
 */
export function MarkAll({ bench, words, label, scope: firstScope = "unlabelled", onSay, onClose }) {
  const [chosenLabel, setLabel] = useState(label || bench.project.labels[0]?.name || "");
  const [scope, setScope] = useState(firstScope);
  const [ignoreCase, setIgnoreCase] = useState(false);
  const [left, setLeft] = useState(/** @type {Set<string>} */ (new Set())); // matches that are not marked
  const { found, problem, setProblem } = useMatches(words, chosenLabel, scope, ignoreCase);
  const matches = found?.matches ?? [];
  useEffect(() => setLeft(new Set(matches.filter(isPart).map(nameOf))), [found]); // these only on purpose
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
      const done = await act("/mark-all", { words, label: chosenLabel, ignore_case: ignoreCase, targets });
      const missed = done.conflicts.length
        ? ` ${counted(done.conflicts.length, "sentence")} had changed and stayed.`
        : "";
      onSay(`Marked ${counted(done.changed, "sentence")}.${missed} Ctrl+Z undoes it.`);
      bench.renew();
      bench.desk.refresh(true);
      onClose();
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message);
    }
  };
  const option = (/** @type {string} */ value, /** @type {string} */ text, /** @type {string} */ now) =>
    html`<option value=${value} selected=${value === now}>${text}</option>`;
  return html`<${Dialog} title="Mark all the same words" wide onClose=${onClose}>
    <form class="mark-all" onSubmit=${apply}>
      <p class="lead"><bdi><b>${shown(words.join(" "))}</b></bdi></p>
      <div class="options-row">
        <label class="field">Label <select value=${chosenLabel}
          onChange=${(/** @type {any} */ e) => setLabel(e.target.value)}>
          ${bench.project.labels.map((one) => option(one.name, one.name, chosenLabel))}</select></label>
        <label class="field">In <select value=${scope} onChange=${(/** @type {any} */ e) => setScope(e.target.value)}>
          ${option("unlabelled", "sentences without labels", scope)}${option("labelled", "labelled sentences", scope)}
          ${option("all", "all sentences", scope)}</select></label>
        <label class="check"><input type="checkbox" checked=${ignoreCase}
          onChange=${(/** @type {any} */ e) => setIgnoreCase(e.target.checked)} /> ignore case</label>
      </div>
      ${problem && html`<p class="problem" role="alert">${shown(problem)}</p>`}
      <p class="quiet"
        role="status">${found ? `${counted(found.total, "place")} found, ${counted(chosen.length, "is", "are")} chosen.` : "…"}
        ${
          matches.length > 0 &&
          html` <button type="button" class="plain" onClick=${() => setLeft(new Set())}>all</button>
          <button type="button" class="plain" onClick=${() => setLeft(new Set(matches.map(nameOf)))}>none</button>`
        }</p>
      <ul class="matches">${matches.map(
        (match) => html`<${MatchLine} key=${nameOf(match)} match=${match}
        on=${!left.has(nameOf(match))} onTurn=${turn} />`,
      )}</ul>
      <button type="submit" class="main" disabled=${!chosen.length}>Mark ${counted(chosen.length, "place")}</button>
    </form>
  <//>`;
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
    <span class="quiet" style=${hueStyle(now ?? proposed ?? "O")}>${shown(says)}</span>
  </label></li>`;
}

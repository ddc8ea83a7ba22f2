// The page: what it begins with, its views, and messages for those who hear it.
import { get, keepToken } from "./api.js";
import { isGone } from "./asking.js";
import { shown } from "./characters.js";
import { EXAMPLES, inputFor } from "./composer.js";
import { PROJECT_VIEWS, readFragment } from "./fragment.js";
import { HelpView } from "./help_view.js";
import { html, render, useEffect, useState } from "./html.js";
import { keepText, keptText } from "./kept_text.js";
import { coloursOf, giveColours, giveMeanings } from "./labels.js";
import { ModelsView } from "./models_view.js";
import { Problems } from "./problems.js";
import { TagView } from "./tag_view.js";
import { ThemeSwitch } from "./theme.js";

/** @typedef {import("./types.js").Changed} Changed */

/** @typedef {import("./types.js").Model} Model @typedef {import("./types.js").Input} Input */

/** The fragment with which the page was opened. A token is kept for the tab and taken out of the address. */
function opened() {
  const fragment = readFragment(location.hash);
  if (fragment.token) {
    keepToken(fragment.token);
    history.replaceState(null, "", location.pathname);
  }
  return fragment;
}

/** @param {ReturnType<typeof readFragment>} fragment @returns {Input} */
function inputOf(fragment) {
  const { kind, text, names } = fragment;
  return { kind, text: text ?? "", names };
}

const first = opened();

/** What the page begins with: what a link holds, what this tab had before, or an example. @returns {import("./kept_text.js").Kept} */
function beginning() {
  const { model, layer, text } = first;
  if (text !== null) return { model, layer, input: inputOf(first) };
  return (
    keptText() ?? { model, layer, input: { kind: "text", text: EXAMPLES[0].text, names: "", word: EXAMPLES[0].word } }
  );
}

/** Colours and meanings of labels. @param {import("./types.js").Layer} layer */
function learnLabels(layer) {
  giveColours(layer.colours);
  giveMeanings(layer.meanings);
}

/** The models of the server, or why they are not there. */
function useModels() {
  const [models, setModels] = useState(/** @type {Model[] | null} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const fail = (/** @type {any} */ error) => {
    setProblem(error);
    if (isGone(error)) setTimeout(load, 2000);
  };
  const load = () => {
    get("v1/models").then((found) => {
      for (const model of found) for (const layer of model.layers) learnLabels(layer);
      setProblem(null);
      setModels(found);
    }, fail);
  };
  useEffect(load, []);
  return { models, problem, load };
}

/**
 * The project of the server with its views, or null if it has none; undefined until that is known.
 * @param {any} models @param {(problem: any) => void} onProblem
 */
function useProject(models, onProblem) {
  const [projectPage, setProjectPage] = useState(/** @type {any} */ (undefined));
  useEffect(() => {
    if (!models) return; // the token is missing, or the server
    const open = async () => {
      const project = await get("v1/project");
      giveColours(coloursOf(project.labels));
      const { openSession, views } = await import("./annotate/project_views.js");
      return { session: openSession(project), views };
    };
    open().then(setProjectPage, (problem) => {
      setProjectPage(null);
      if (problem.status !== 404) onProblem(problem);
    });
  }, [models === null]);
  return projectPage;
}

/** Call a function when the address changes, and show the help when its key is pressed. @param {() => void} turn */
function useAddress(turn) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const typing = event.target instanceof Element && event.target.closest("textarea, input, select");
      if (event.key === "?" && !typing && !event.isComposing && !event.defaultPrevented) location.hash = "help";
    };
    addEventListener("hashchange", turn);
    addEventListener("keydown", press);
    return () => {
      removeEventListener("hashchange", turn);
      removeEventListener("keydown", press);
    };
  }, []);
}

function App() {
  const { models, problem: ofModels, load } = useModels();
  const [ofProject, setOfProject] = useState(/** @type {any} */ (null));
  const projectPage = useProject(models, setOfProject);
  const problem = ofModels ?? ofProject;
  const again = () => (ofModels ? load() : location.reload());
  const [fragment, setFragment] = useState(first);
  const [chosen, setChosen] = useState(beginning);
  const { input } = chosen;
  const setInput = (/** @type {Input} */ next) => setChosen((old) => ({ ...old, input: next }));
  useEffect(() => {
    keepText(chosen);
    const old = fragment.text !== null && (fragment.text !== input.text || fragment.model !== chosen.model);
    if (old) history.replaceState(null, "", "#tag"); // the text of the address is not the one on the page any more
  }, [chosen]);
  const [message, setMessage] = useState({ text: "", number: 0 });
  const say = (/** @type {string} */ text) => setMessage((old) => ({ text, number: old.number + 1 }));
  useAddress(() => {
    const next = readFragment(location.hash);
    setFragment(next);
    if (next.text === null) return;
    setChosen({ model: next.model, layer: next.layer, input: inputOf(next) });
  });
  const view = viewOf(fragment, projectPage);
  useEffect(() => {
    document.title = view === "tag" ? "perceptag" : `perceptag: ${view}`;
  }, [view]);
  const [wasTag, setWasTag] = useState(false);
  useEffect(() => {
    if (view === "tag") setWasTag(true);
    if (projectPage && ["tag", "models"].includes(view)) load(); // its model changes
  }, [view]);
  const model = models?.find((one) => one.name === chosen.model) ?? models?.[0];
  const layer = model?.layers.find((one) => one.name === chosen.layer) ?? model?.layers[model.layers.length - 1];
  const choose = (/** @type {string} */ name) => {
    const next = models?.find((one) => one.name === name);
    setChosen({ model: name, layer: "", input: next ? inputFor(input, next) : input });
    if (view !== "tag") location.hash = "tag";
  };
  const chooseLayer = (/** @type {string} */ layer) => setChosen({ model: model?.name ?? "", layer, input });
  const example = (/** @type {Input} */ next, layerOfIt = "") => {
    const has = model?.layers.some((one) => one.name === layerOfIt);
    setChosen({ model: model?.name ?? "", layer: has ? layerOfIt : (layer?.name ?? ""), input: next });
  };
  const tagView = html`<div hidden=${view !== "tag"}>
    <h1 class="heard">Tag a text</h1>
    <${Missing} chosen=${chosen} model=${model} layer=${layer} />
    <${TagView} models=${models} model=${model} layer=${layer} input=${input}
      onModel=${choose} onLayer=${chooseLayer} onInput=${setInput} onExample=${example} onSay=${say} />
  </div>`;
  return html`<${Header} view=${view} hasProject=${Boolean(projectPage)} />
    <main id="main" tabindex="-1">
      ${problem && html`<${Problems} problem=${problem} />`}
      ${problem?.status === 401 && html`<${AskToken} onToken=${load} />`}
      ${problem && problem.status !== 401 && html`<button type="button" onClick=${again}>Try again</button>`}
      ${models && model && layer && (view === "tag" || wasTag) && tagView}
      ${models?.length === 0 && ["tag", "models"].includes(view) && html`<p>There is no model yet. Label some sentences.</p>`}
      ${projectPage && html`<${ProjectViews} projectPage=${projectPage} view=${view} fragment=${fragment} onSay=${say} />`}
      ${models && models.length > 0 && view === "models" && html`<${ModelsView} models=${models} onModel=${choose} />`}
      ${view === "help" && html`<${HelpView} />`}
    </main>
    <div class="message" role="status" aria-live="polite"><span key=${message.number}>${message.text}</span></div>`;
}

/** That a link asks for a model or layer that this server does not have. @param {Record<string, any>} props */
function Missing({ chosen, model, layer }) {
  const lacks = (/** @type {string} */ what, /** @type {string} */ name) =>
    html`<p class="problem" role="alert">This server has no ${what} ${shown(name)}. The labels are those of
      ${" "}${shown(model.name)}, layer ${shown(layer.name)}.</p>`;
  if (chosen.model && chosen.model !== model.name) return lacks("model", chosen.model);
  return chosen.layer && chosen.layer !== layer.name ? lacks("layer", chosen.layer) : null;
}

/** The view that an address means on this server. @param {ReturnType<typeof readFragment>} fragment @param {any} projectPage */
function viewOf({ view, text }, projectPage) {
  if (view && (projectPage || !PROJECT_VIEWS.includes(view))) return view;
  if (text !== null || projectPage === null) return "tag";
  return projectPage ? "annotate" : "";
}

/** Views of a project. Those that were looked at stay as they were left. @param {Record<string, any>} props */
function ProjectViews({ projectPage, view, fragment, onSay }) {
  const [opened, setOpened] = useState(/** @type {string[]} */ ([]));
  if (PROJECT_VIEWS.includes(view) && !opened.includes(view)) setOpened([...opened, view]);
  return PROJECT_VIEWS.filter((name) => name === view || opened.includes(name)).map((name) => {
    return html`<div key=${name} hidden=${name !== view}>
      <${projectPage.views[name]} session=${projectPage.session} visit=${name === view ? fragment : null} onSay=${onSay} />
    </div>`;
  });
}

/** @param {{view: string, hasProject: boolean}} props */
function Header({ view, hasProject }) {
  const link = (/** @type {string} */ id, /** @type {string} */ name) =>
    html`<a href=${`#${id}`} aria-current=${view === id ? "page" : undefined}>${name}</a>`;
  return html`<header>
    <a class="skip" href="#main" onClick=${skip}>Skip to the text</a>
    <a class="brand" href=${hasProject ? "#annotate" : "#tag"}>perceptag</a>
    <nav aria-label="Views">
      ${hasProject && PROJECT_VIEWS.map((name) => link(name, name.charAt(0).toUpperCase() + name.slice(1)))}
      ${link("tag", "Tag")}${link("models", "Models")}${link("help", "Help")}
    </nav>
    <${ThemeSwitch} />
  </header>`;
}

/** @param {MouseEvent} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {{onToken: () => void}} props */
function AskToken({ onToken }) {
  const [token, setToken] = useState("");
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    keepToken(token.trim());
    onToken();
  };
  return html`<form class="ask-token" onSubmit=${enter}>
    <label class="field">Token of the server
      <input type="password" autocomplete="off" value=${token}
        onInput=${(/** @type {Changed} */ event) => setToken(event.target.value)} /></label>
    <button type="submit">Open</button>
  </form>`;
}

const root = document.getElementById("app");
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
}

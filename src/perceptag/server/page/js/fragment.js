// The part of the address after "#". It is never sent: a view, or a text to tag, or the token of the server.

export const VIEWS = ["tag", "models", "help"];
export const PROJECT_VIEWS = ["annotate", "sentences", "adjudicate", "progress"]; // if the server has a project

/** @typedef {{view: string, sentence: number | null, place: number | null, decide: boolean, label: string, who: string, model: string, layer: string,
 *   kind: "text" | "columns", text: string | null, names: string, token: string}} Fragment */

/** @param {string} hash @returns {Fragment} */
export function readFragment(hash) {
  const [view, query = ""] = hash.replace(/^#/, "").split("?", 2);
  const values = new URLSearchParams(view.includes("=") ? view : query);
  const read = (/** @type {string} */ name) => values.get(name) ?? "";
  return {
    view: [...VIEWS, ...PROJECT_VIEWS].includes(view) ? view : "",
    sentence: number(values.get("sentence")),
    place: number(values.get("word")),
    decide: values.get("decide") === "1",
    label: read("label"),
    who: read("who"),
    model: read("model"),
    layer: read("layer"),
    kind: values.has("columns") ? "columns" : "text",
    text: values.get("text"),
    names: read("columns"),
    token: read("token"),
  };
}

/** @param {string | null} text */
function number(text) {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/**
 * An address that holds a text.
 * @param {string} model @param {string} layer @param {import("./types.js").Input} input
 */
export function linkTo(model, layer, input) {
  const query = new URLSearchParams({ model, layer, text: input.text });
  if (input.kind === "columns") query.set("columns", input.names);
  return `${location.href.split("#")[0]}#tag?${query}`;
}

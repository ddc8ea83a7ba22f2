// Signs of the film's buttons.
import { html } from "./html.js";

const PATHS = {
  first: "M4 3v10M13 3 6 8l7 5z",
  back: "M11 3 5 8l6 5",
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  on: "M5 3l6 5-6 5",
  last: "M12 3v10M3 3l7 5-7 5z",
};
const FILLED = ["first", "play", "last"];

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return html`<svg class=${FILLED.includes(name) ? "icon filled" : "icon"} viewBox="0 0 16 16" aria-hidden="true"><path
    d=${PATHS[name]} /></svg>`;
}

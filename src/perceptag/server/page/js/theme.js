// Light, dark, or as the system has it: a choice that this browser keeps.
import { html, useState } from "./html.js";

const KEPT = "perceptag.theme";
const THEMES = ["system", "light", "dark"];
const SIGNS = ["◐", "○", "●"];

/** @returns {number} */
function kept() {
  return Math.max(0, THEMES.indexOf(localStorage.getItem(KEPT) ?? ""));
}

/** @param {number} theme */
function apply(theme) {
  document.documentElement.style.colorScheme = theme ? THEMES[theme] : "";
}

apply(kept());

export function ThemeSwitch() {
  const [theme, setTheme] = useState(kept);
  const turn = () => {
    const next = (theme + 1) % THEMES.length;
    localStorage.setItem(KEPT, THEMES[next]);
    apply(next);
    setTheme(next);
  };
  const name = `Theme: ${THEMES[theme]}`;
  return html`<button type="button" class="theme" aria-label=${name} title=${name} onClick=${turn}>${SIGNS[theme]}</button>`;
}

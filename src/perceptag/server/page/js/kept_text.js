// The text, the model and the layer of this tab, which a reload must not lose. They are kept by the browser alone.

const KEPT = "perceptag.text";

/** @typedef {{model: string, layer: string, input: import("./types.js").Input}} Kept */

/** @returns {Kept | null} */
export function keptText() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    return typeof found?.input?.text === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Kept} kept */
export function keepText(kept) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    sessionStorage.removeItem(KEPT); // too long to be kept: better nothing than an older text
  }
}

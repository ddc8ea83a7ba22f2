// State that outlives the view that shows it. Views that show it are drawn again when it changes.
import { useEffect, useState } from "../html.js";

export class Store {
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {() => void} listener @returns {() => void} what ends it */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  changed() {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Draw the component again when one of the stores changes. @param {...Store} stores */
export function useStores(...stores) {
  const [, redraw] = useState(0);
  useEffect(() => {
    const ends = stores.map((store) => store.subscribe(() => redraw((count) => count + 1)));
    return () => {
      for (const end of ends) end();
    };
  }, stores);
}

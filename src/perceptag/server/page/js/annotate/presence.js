// Who else has the sentence in front: the page says what it shows, and hears of others.
import { leave, write } from "./calls.js";
import { Store } from "./store.js";

export class Presence extends Store {
  /** @type {string[]} people who have the same sentence in front */
  others = [];
  /** @type {number | null} */
  #shown = null;
  #name;

  /** @param {string} name who looks at this page */
  constructor(name) {
    super();
    this.#name = name;
    addEventListener("pagehide", () => leave());
  }

  /** @param {number | null} id the sentence in front */
  show(id) {
    if (id === this.#shown) return;
    this.#shown = id;
    this.#say([]);
    this.tell();
  }

  /** Tell the server what is in front, again if the connection was lost. */
  async tell() {
    const id = this.#shown;
    if (id === null) return;
    const reply = await write("POST", "/presence", { sentence: id }).catch(() => null); // told again when connected
    if (reply && id === this.#shown) this.#say(reply.others);
  }

  /** @param {{id: number, who: string[]}} news */
  heard({ id, who }) {
    if (id === this.#shown) this.#say(who.filter((name) => name !== this.#name));
  }

  /** @param {string[]} others */
  #say(others) {
    this.others = others;
    this.changed();
  }
}

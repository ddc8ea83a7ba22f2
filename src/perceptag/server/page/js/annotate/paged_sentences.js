// A long list of which only the part that is looked at is fetched.
import { read } from "./calls.js";
import { Store } from "./store.js";

/** @typedef {import("./types.js").Item} Item */
/**
 * @typedef {{status: string, flagged: string, label: string, q: string, order: string, who: string,
 *   commented: string, doubtful: string}} Filter
 */

const PAGE = 100;
const KEPT = 30; // pages

export class PagedSentences extends Store {
  /** @type {number | null} */
  total = null;
  /** @type {Error | null} */
  problem = null;
  /** @type {Map<number, Item[]>} */
  #pages = new Map();
  /** @type {Set<number>} */
  #asked = new Set();
  #stop = new AbortController();

  /** @param {Filter} filter */
  constructor(filter) {
    super();
    this.filter = filter;
  }

  /** Those that are there of a part of the list; the others are fetched. @param {number} from @param {number} to */
  part(from, to) {
    const found = [];
    for (let i = from; i < to; i += 1) {
      const page = Math.floor(i / PAGE);
      const items = this.#pages.get(page);
      if (!items) this.#ask(page);
      found.push(items?.[i % PAGE] ?? null);
    }
    return found;
  }

  /** Everything is asked for again when it is looked at. */
  forget() {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#pages.clear();
    this.#asked.clear();
    this.#ask(0);
  }

  /** @param {number} page */
  async #ask(page) {
    if (this.#asked.has(page)) return;
    this.#asked.add(page);
    const { signal } = this.#stop;
    try {
      const reply = await read("/sentences", { ...this.filter, offset: page * PAGE, limit: PAGE }, signal);
      if (signal.aborted) return;
      this.#pages.set(page, reply.sentences);
      this.total = reply.total;
      this.problem = null;
      for (const old of this.#pages.keys()) {
        if (this.#pages.size <= KEPT) break;
        this.#pages.delete(old);
        this.#asked.delete(old);
      }
    } catch (error) {
      if (signal.aborted) return;
      this.#asked.delete(page);
      this.problem = /** @type {Error} */ (error);
    }
    this.changed();
  }

  start() {
    this.#ask(0);
  }
}

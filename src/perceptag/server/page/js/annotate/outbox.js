// What has been decided here and not yet acknowledged by the server. It is in localStorage before it is sent: that is
// done at once, so an edit survives even if the page is closed in the same moment, and each write is small.
import { write } from "./calls.js";
import { keyOf, tabId } from "./identity.js";
import { Store } from "./store.js";

/** @typedef {import("./types.js").Write} Write @typedef {import("./types.js").Item} Item */

const GONE = 10_000; // milliseconds after which the tab that has written something is thought to be gone
const SHORTEST = 500;
const LONGEST = 8000;
const AGAIN = [0, 401, 408, 425, 429, 500, 502, 503, 504, 507]; // not a decision of the server about this write

export class Outbox extends Store {
  problem = ""; // why nothing is sent now
  full = false; // the browser keeps no more: what is not saved is only in this page
  #prefix;
  /** @type {Map<string, Write>} */
  #writes = new Map();
  #sending = false;
  #wait = SHORTEST;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {((done: Write, reply: any) => void)[]} */
  #handlers = [];

  /** @param {string} project */
  constructor(project) {
    super();
    this.#prefix = `perceptag.outbox.${project}.`;
    for (const name of Object.keys(localStorage)) this.#load(name);
    addEventListener("storage", (event) => this.#heard(event));
    addEventListener("online", () => this.send());
  }

  /** @param {(done: Write, reply: any) => void} handler */
  onSaved(handler) {
    this.#handlers.push(handler);
  }

  /** All writes in the order in which they were made. */
  get writes() {
    return [...this.#writes.values()].sort((a, b) => a.at - b.at);
  }

  get waiting() {
    return this.writes.filter((one) => one.state === "waiting");
  }

  /** Those about which a person has to decide. */
  get stuck() {
    return this.writes.filter((one) => one.state !== "waiting");
  }

  /**
   * @param {string} method @param {string} path @param {Record<string, any>} body
   * @param {{id: number, tokens: string[]} | null} [about]
   */
  add(method, path, body, about = null) {
    const key = keyOf();
    const last = Math.max(0, ...this.writes.map((one) => one.at));
    this.#keep({
      key,
      method,
      path,
      body: { ...body, key },
      sentence: about?.id ?? null,
      tokens: about?.tokens ?? null,
      at: Math.max(Date.now(), last + 1),
      tab: tabId(),
      tried: false,
      state: "waiting",
    });
    this.send();
  }

  /** Send what was in conflict again, now on top of the newer labels. @param {Write} one */
  insist(one) {
    this.#forget(one);
    const body = { ...one.body, base_revision: one.current?.revision ?? one.body.base_revision };
    const about = one.sentence === null ? null : { id: one.sentence, tokens: one.tokens ?? [] };
    this.add(one.method, one.path, body, about);
  }

  /** @param {Write} one */
  giveUp(one) {
    this.#forget(one);
  }

  /** Send everything, one after the other. */
  async send() {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    for (let one = this.#next(); one; one = this.#next()) {
      if (!(await this.#sendOne(one))) break;
    }
    this.#sending = false;
    if (this.waiting.length) this.#later();
    this.changed();
  }

  /** Resolves when nothing is left that can be sent. */
  async settled() {
    await this.send();
    while (this.#sending) await new Promise((done) => setTimeout(done, 20));
    return this.waiting.length === 0;
  }

  #next() {
    const old = Date.now() - GONE;
    const blocked = new Set(this.stuck.map((one) => one.sentence));
    return this.waiting.find((one) => (one.tab === tabId() || one.at < old) && !blocked.has(one.sentence));
  }

  #later() {
    this.#timer = setTimeout(() => this.send(), this.#wait);
    this.#wait = Math.min(LONGEST, this.#wait * 2);
  }

  /** @param {Write} one @returns {Promise<boolean>} whether to go on */
  async #sendOne(one) {
    this.#keep({ ...one, tried: true });
    try {
      const reply = await write(one.method, one.path, one.body);
      this.#done(one, reply);
    } catch (error) {
      const problem = /** @type {import("../api.js").Problem} */ (error);
      if (AGAIN.includes(problem.status ?? 0)) {
        this.problem = problem.message;
        this.changed();
        return false;
      }
      const state = problem.status === 409 ? "conflict" : "refused";
      this.#keep({ ...one, state, detail: problem.message, current: problem.body?.current ?? null });
    }
    this.problem = "";
    this.#wait = SHORTEST;
    return true;
  }

  /** @param {Write} one @param {any} reply */
  #done(one, reply) {
    this.#forget(one);
    const base = one.body.base_revision; // comments and flags have none
    for (const later of this.waiting) {
      const isOnTop = later.sentence === one.sentence && base !== undefined && later.body.base_revision === base;
      if (isOnTop) this.#keep({ ...later, body: { ...later.body, base_revision: reply.revision } });
    }
    for (const handler of this.#handlers) handler(one, reply);
  }

  /** @param {Write} one */
  #keep(one) {
    this.#writes.set(one.key, one);
    try {
      localStorage.setItem(this.#prefix + one.key, JSON.stringify(one));
      this.full = false;
    } catch {
      this.full = true;
    }
    this.changed();
  }

  /** @param {Write} one */
  #forget(one) {
    this.#writes.delete(one.key);
    localStorage.removeItem(this.#prefix + one.key);
    this.changed();
  }

  /** @param {string} name */
  #load(name) {
    if (!name.startsWith(this.#prefix)) return;
    try {
      const one = JSON.parse(localStorage.getItem(name) ?? "");
      this.#writes.set(one.key, one);
    } catch {
      localStorage.removeItem(name); // not written by this page
    }
  }

  /** Another tab has written or sent something. @param {StorageEvent} event */
  #heard(event) {
    if (!event.key?.startsWith(this.#prefix)) return;
    if (event.newValue) this.#load(event.key);
    else this.#writes.delete(event.key.slice(this.#prefix.length));
    this.changed();
  }
}

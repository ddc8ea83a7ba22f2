// What the server says on its own: read by fetch, as an EventSource cannot send a token.
import { authorization } from "../api.js";
import { EVENTS, tab } from "./calls.js";
import { Store } from "./store.js";

const SHORTEST = 500; // milliseconds until the next try
const LONGEST = 8000;

/**
 * The events of a text that may end in the middle of one.
 * @param {string} text @returns {{events: {id: string, name: string, data: string}[], rest: string}}
 */
export function eventsIn(text) {
  const blocks = text.replace(/\r\n?/g, "\n").split("\n\n");
  const rest = blocks.pop() ?? "";
  const events = blocks.map((block) => {
    const fields = /** @type {Record<string, string>} */ ({ event: "message", data: "", id: "" });
    for (const line of block.split("\n")) {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
      if (name === "data") fields.data += fields.data ? `\n${value}` : value;
      else if (name) fields[name] = value;
    }
    return { id: fields.id, name: fields.event, data: fields.data };
  });
  return { events: events.filter((event) => event.data), rest };
}

/** The stream of events. It is closed while the page is hidden: a browser opens few connections to one server. */
export class EventStream extends Store {
  connected = false;
  #last = "";
  #wait = SHORTEST;
  /** @type {AbortController | null} */
  #stop = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {((name: string, data: unknown) => void)[]} */
  #handlers = [];

  /** @param {(name: string, data: unknown) => void} handler */
  listen(handler) {
    this.#handlers.push(handler);
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#open()));
    addEventListener("online", () => this.#open());
    this.#open();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = null;
  }

  #open() {
    if (this.#stop || document.hidden) return;
    clearTimeout(this.#timer);
    const stop = new AbortController();
    this.#stop = stop;
    this.#follow(stop.signal)
      .catch(() => undefined)
      .then(() => {
        if (this.#stop === stop) this.#stop = null;
        this.#say(false);
        if (document.hidden) return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), this.#wait);
        this.#wait = Math.min(LONGEST, this.#wait * 2);
      });
  }

  /** @param {AbortSignal} signal */
  async #follow(signal) {
    /** @type {Record<string, string>} */
    const known = this.#last ? { "Last-Event-ID": this.#last } : {};
    const reply = await fetch(EVENTS, { headers: { ...authorization(), ...tab(), ...known }, signal });
    if (!reply.ok || !reply.body) return;
    this.#wait = SHORTEST;
    this.#say(true);
    const reader = reply.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const { events, rest } = eventsIn(text + decoder.decode(part.value, { stream: true }));
      text = rest;
      for (const event of events) this.#tell(event);
    }
  }

  /** @param {{id: string, name: string, data: string}} event */
  #tell({ id, name, data }) {
    if (id) this.#last = id;
    const value = JSON.parse(data);
    for (const handler of this.#handlers) handler(name, value);
  }

  /** @param {boolean} connected */
  #say(connected) {
    if (connected === this.connected) return;
    this.connected = connected;
    for (const handler of this.#handlers) handler(connected ? "connected" : "disconnected", {});
    this.changed();
  }
}

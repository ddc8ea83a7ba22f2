// The edit that is under way, kept in this browser: it is there again after the page was loaded again, or has died.
import { tabId } from "./identity.js";

/** @typedef {import("./types.js").Labels} Labels */
/** @typedef {{id: number, revision: number, labels: Labels, source: string, why: string, at: number, tab: string}} Kept */

const LEASE = 600_000; // milliseconds for which a sentence is this tab's

export class KeptEdits {
  #prefix;

  /** @param {string} project */
  constructor(project) {
    this.#prefix = `perceptag.edit.${project}.`;
  }

  /** @param {import("./types.js").Item} item @param {Labels} labels @param {string} source */
  keep({ id, revision, why }, labels, source) {
    const kept = { id, revision, labels, source, why: why?.kind ?? "", at: Date.now(), tab: tabId() };
    try {
      localStorage.setItem(this.#prefix + id, JSON.stringify(kept));
    } catch {
      // The browser keeps no more. The edit is still on the page.
    }
  }

  /** @param {number} id */
  drop(id) {
    localStorage.removeItem(this.#prefix + id);
  }

  /** @param {number} id @returns {Kept | null} */
  of(id) {
    try {
      return JSON.parse(localStorage.getItem(this.#prefix + id) ?? "null");
    } catch {
      return null;
    }
  }

  /** The edit that this tab was at, or one that no tab is at any more. */
  open() {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(this.#prefix));
    const all = names.map((name) => this.of(Number(name.slice(this.#prefix.length)))).filter((one) => one !== null);
    const left = all.filter((one) => one.tab === tabId() || one.at < Date.now() - LEASE);
    return left.sort((a, b) => b.at - a.at)[0] ?? null;
  }
}

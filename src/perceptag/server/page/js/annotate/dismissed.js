// Issues that somebody has looked at and found to be none. They are kept in this browser.

export class Dismissed {
  #place;
  /** @type {Set<string>} */
  #names;

  /** @param {string} project */
  constructor(project) {
    this.#place = `perceptag.dismissed.${project}`;
    try {
      this.#names = new Set(JSON.parse(localStorage.getItem(this.#place) ?? "[]"));
    } catch {
      this.#names = new Set();
    }
  }

  get size() {
    return this.#names.size;
  }

  /** @param {string} name */
  has(name) {
    return this.#names.has(name);
  }

  /** @param {string} name */
  add(name) {
    this.#names.add(name);
    this.#write();
  }

  clear() {
    this.#names.clear();
    this.#write();
  }

  #write() {
    try {
      localStorage.setItem(this.#place, JSON.stringify([...this.#names]));
    } catch {
      // It is dismissed as long as the page is open.
    }
  }
}

// The sentence in front, those that come next, and what was decided about them.
import { act, next, read, sentence as fetchSentence } from "./calls.js";
import { Edit } from "./sentence_edit.js";
import { same } from "./spans.js";
import { Store } from "./store.js";

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./outbox.js").Outbox} Outbox
 */

const BLIND = "second"; // the reason to show neither labels nor proposals
const AHEAD = 5; // sentences that are fetched before they are needed

/** A sentence that was read blindly before the page was loaded again is so still. @param {Item} item @param {string} why */
function asItWas(item, why) {
  if (why !== BLIND) return item;
  return { ...item, labels: null, draft: null, proposal: null, why: { kind: why } };
}

export class SentenceEditor extends Store {
  /** @type {Edit | null} */
  edit = null;
  /** @type {Item[]} */
  queue = [];
  strategy = "mixed";
  fetching = false;
  finished = false; // there is nothing left to label in this way
  starved = false; // the next sentence is wanted, and was not there
  /** @type {Error | null} */
  problem = null;
  note = ""; // about the sentence in front
  /** @type {number[]} sentences that were in front, and the place of the one that is */
  #trail = [];
  #place = -1;
  /** @type {Map<number, string>} why sentences were shown whose labels are hidden */
  #blind = new Map();

  /**
   * @param {import("./types.js").Project} project @param {Outbox} outbox @param {import("./kept_edits.js").KeptEdits} kept
   */
  constructor(project, outbox, kept) {
    super();
    this.project = project;
    this.outbox = outbox;
    this.kept = kept;
    outbox.onSaved((done, reply) => this.#saved(done, reply));
  }

  get item() {
    return this.edit?.item ?? null;
  }

  /** Whether labels and proposals are hidden from the annotator. */
  get blind() {
    return this.item?.why?.kind === BLIND;
  }

  /** Whether what is accepted is a decision between the labels of others. */
  get deciding() {
    return this.item?.why?.kind === "decide";
  }

  /** Open a sentence; without one, that whose edit was under way, or the next. @param {number | null} id @param {boolean} [decide] */
  async open(id, decide = false) {
    const under = id ?? this.kept.open()?.id ?? null;
    if (under === null) {
      if (!this.edit) await this.advance();
      return;
    }
    if (this.item?.id === under && decide === this.deciding) return;
    try {
      await this.#visit(under, decide);
    } catch (error) {
      if (id === null) this.kept.drop(under);
      this.problem = /** @type {Error} */ (error);
      this.changed();
    }
  }

  /** Put a sentence in front; the one that is there comes next. @param {number} id @param {boolean} [decide] */
  async #visit(id, decide = false) {
    const found = asItWas(await fetchSentence(id), this.kept.of(id)?.why ?? this.#blind.get(id) ?? "");
    if (this.item && !this.deciding) this.queue.unshift(this.item);
    this.queue = this.queue.filter((one) => one.id !== id);
    this.#show(decide ? { ...found, why: { kind: "decide" } } : found);
  }

  /** Go back to the sentence that was in front before this one. @returns {Promise<boolean>} whether there is one */
  async previous() {
    try {
      if (this.#place <= 0) {
        const id = await this.#labelledBefore();
        if (id === undefined) return false;
        this.#trail.unshift(id);
        this.#place += 1;
      }
      this.#place -= 1;
      await this.#visit(this.#trail[this.#place]);
    } catch (error) {
      this.problem = /** @type {Error} */ (error);
      this.changed();
    }
    return true;
  }

  /** What this person labelled last, before the page was opened. @returns {Promise<number | undefined>} */
  async #labelledBefore() {
    const { revisions } = await read("/history", { limit: 200 });
    const own = revisions.find(
      (/** @type {any} */ one) =>
        one.who === this.project.you.name && one.kind === "label" && !this.#trail.includes(one.sentence),
    );
    return own?.sentence;
  }

  /** @param {string} strategy */
  choose(strategy) {
    this.strategy = strategy;
    this.queue = [];
    this.finished = false;
    if (!this.edit?.touched) return this.advance();
    this.note = "The new order begins with the next sentence.";
    this.changed();
    return this.fill();
  }

  /** Put the next sentence in front. */
  async advance() {
    if (this.project.you.role === "read") {
      this.finished = true;
      this.changed();
      return;
    }
    if (!this.queue.length) {
      this.edit = null;
      this.changed();
      await this.fill();
    }
    this.starved = this.queue.length === 0;
    if (this.starved) return;
    this.#showNext();
    this.fill();
  }

  /** Fetch sentences until enough are there. */
  async fill() {
    if (this.project.you.role === "read") return;
    if (this.fetching || this.queue.length >= AHEAD - 2) return;
    this.fetching = true;
    const { strategy } = this;
    try {
      const found = await next(strategy, AHEAD, this.#known());
      if (strategy === this.strategy) this.#add(found);
      this.problem = null;
    } catch (error) {
      this.problem = /** @type {Error} */ (error);
    }
    this.fetching = false;
    if (strategy !== this.strategy) await this.fill(); // another order was chosen meanwhile
    if (this.starved && this.queue.length) this.#showNext();
    this.changed();
  }

  #showNext() {
    this.#show(/** @type {Item} */ (this.queue.shift()));
  }

  /** Sentences that are here, or that were decided about and the server does not know it yet. */
  #known() {
    const decided = this.outbox.writes.filter((one) => /\/(labels|skip)$/.test(one.path)).map((one) => one.sentence);
    const here = [this.item?.id, ...this.queue.map((one) => one.id), ...decided];
    return /** @type {number[]} */ ([...new Set(here)].filter((id) => typeof id === "number")).slice(0, 900);
  }

  /** @param {Item[]} found */
  #add(found) {
    const known = this.#known();
    const fresh = found.filter((one) => !known.includes(one.id));
    this.queue.push(...fresh);
    this.finished = fresh.length === 0 && this.queue.length === 0;
  }

  /** @param {Item} item */
  #show(item) {
    if (this.#trail[this.#place] !== item.id) {
      this.#place += 1;
      this.#trail.splice(this.#place, Infinity, item.id);
    }
    if (item.why?.kind === BLIND) this.#blind.set(item.id, BLIND);
    this.edit = new Edit(item, this.project.kind);
    this.note = "";
    this.problem = null;
    this.finished = false;
    this.starved = false;
    const kept = this.kept.of(item.id);
    if (kept && (kept.labels.length !== item.tokens.length || same(kept.labels, this.edit.labels))) {
      this.kept.drop(item.id);
    } else if (kept) {
      this.edit.take(kept.labels, kept.source);
      this.note =
        kept.revision === item.revision
          ? "Your edit was kept."
          : "Your edit was kept. Since then somebody has changed this sentence: undo shows what it is now.";
    }
    this.changed();
  }

  /** The edit has changed: keep it in case that the page dies. */
  touched() {
    const { edit } = this;
    if (edit?.touched) this.kept.keep(edit.item, edit.labels, edit.source);
    this.changed();
  }

  /** Accept the labels that are shown. @returns {Promise<void> | null} null: a word has no label yet */
  accept() {
    const { edit } = this;
    if (!edit) return null;
    if (edit.missing >= 0) {
      edit.moveTo(edit.missing, false);
      this.changed();
      return null;
    }
    if (!edit.isUnchanged || this.blind || this.deciding) this.#send(edit);
    this.kept.drop(edit.item.id);
    return this.advance();
  }

  /** @param {Edit} edit */
  #send(edit) {
    const { item, labels, seconds, actions } = edit;
    const source = item.proposal && same(item.proposal.labels, labels) ? "accepted" : edit.source;
    const own = source === "accepted" && !item.proposal ? "edited" : source;
    const given = this.deciding ? "decided" : own;
    const reading = item.why?.kind === "second" ? { reading: true } : {};
    const version = item.proposal?.version ? { version: item.proposal.version } : {};
    const body = { labels, base_revision: item.revision, seconds, actions, source: given, ...version, ...reading };
    this.outbox.add("PUT", `/sentences/${item.id}/labels`, body, item);
  }

  skip() {
    const { item } = this;
    if (!item) return;
    const body = { base_revision: item.revision };
    this.outbox.add("POST", `/sentences/${item.id}/${item.status === "skipped" ? "unskip" : "skip"}`, body, item);
    this.kept.drop(item.id);
    this.advance();
  }

  flag() {
    const { item } = this;
    if (!item) return;
    item.flagged = !item.flagged;
    this.outbox.add("POST", `/sentences/${item.id}/flag`, { on: item.flagged }, item);
    this.changed();
  }

  /** @param {string} text */
  comment(text) {
    const { item } = this;
    if (!item) return;
    item.comments += 1;
    this.outbox.add("POST", `/sentences/${item.id}/comment`, { text }, item);
    this.changed();
  }

  /**
   * Undo the last change here, or if there is none the last one on the server.
   * @param {"undo" | "redo"} what @returns {Promise<string>} what was done, in words
   */
  async step(what) {
    if (this.edit?.[what]()) {
      this.touched();
      return what === "undo" ? "Undone." : "Done again.";
    }
    if (!(await this.outbox.settled())) return "Not possible now: the server does not answer.";
    try {
      const done = await act(`/${what}`, {});
      const [id] = done.sentences;
      if (id !== undefined) await this.#again(id);
      const words = what === "undo" ? "Undone" : "Done again";
      return `${words}.`;
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  }

  /** Show a sentence as the server has it now. @param {number} id */
  async #again(id) {
    this.kept.drop(id);
    await this.#visit(id);
  }

  /** There is a new model: what comes next is fetched again. What is in front stays as it is. */
  async refresh() {
    const ids = this.queue
      .slice(0, 2)
      .filter((one) => one.why?.kind !== BLIND)
      .map((one) => one.id);
    const found = await Promise.all(ids.map((id) => fetchSentence(id).catch(() => null)));
    for (const fresh of found) if (fresh) this.#renew(fresh);
    this.changed();
  }

  /** @param {Item} fresh */
  #renew(fresh) {
    const { queue } = this;
    const place = queue.findIndex((one) => one.id === fresh.id);
    if (place >= 0) queue[place] = { ...fresh, why: queue[place].why, sampled: queue[place].sampled };
  }

  /** Somebody has saved a sentence: it is not offered here any more. @param {number} id @param {number} revision */
  savedElsewhere(id, revision) {
    this.queue = this.queue.filter((one) => one.id !== id || one.revision >= revision);
    this.changed();
  }

  /** @param {import("./types.js").Write} done @param {any} reply */
  #saved(done, reply) {
    const revision = reply.revision;
    for (const item of [this.item, ...this.queue]) {
      if (item && item.id === done.sentence && revision && done.path.endsWith("labels")) item.revision = revision;
    }
  }
}

// Everything that the views of a project share: the project, what is unsaved, the editor, and what the server says.
import { coloursOf, giveColours } from "../labels.js";
import { project as fetchProject } from "./calls.js";
import { SentenceEditor } from "./sentence_editor.js";
import { EventStream } from "./events.js";
import { KeptEdits } from "./kept_edits.js";
import { Outbox } from "./outbox.js";
import { Presence } from "./presence.js";
import { Store } from "./store.js";

/** @typedef {import("./types.js").Project} Project */
/** @typedef {{version: number, seconds: number, sentences: number, changed?: number | null}} Learned */

const PAUSE = 1000; // milliseconds between two looks at the counts

export class ProjectSession extends Store {
  /** @type {Learned | null} what the newest model has learned */
  learned = null;
  training = false;
  learnerProblem = "";
  estimates = 0; // counts new figures, so that a view asks for them again
  guidelines = 0; // counts new versions of the guidelines
  /** @type {import("./guidelines.js").GuidelinesDraft | null} what an admin is writing */
  guidelinesDraft = null;
  #again = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Project} project */
  constructor(project) {
    super();
    this.project = project;
    this.place = `${project.id}.${project.you.name}`; // of what this browser keeps
    this.outbox = new Outbox(this.place);
    this.editor = new SentenceEditor(project, this.outbox, new KeptEdits(this.place));
    this.presence = new Presence(project.you.name);
    if (this.mayEdit) this.editor.subscribe(() => this.presence.show(this.editor.item?.id ?? null));
    this.events = new EventStream();
    this.events.listen((event, data) => this.#heard(event, data));
    this.outbox.onSaved((done) => this.#saved(done));
    this.events.start();
    this.outbox.send();
  }

  get mayEdit() {
    return this.project.you.role !== "read";
  }

  get isAdmin() {
    return this.project.you.role === "admin";
  }

  /** Look at the project again, soon, and not more often than needed. */
  renew() {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#again) this.renew();
      this.#again = false;
    }, PAUSE);
    fetchProject().then(
      (found) => {
        if (found.labels.length !== this.project.labels.length) giveColours(coloursOf(found.labels));
        this.project = found;
        this.editor.project = found;
        this.changed();
      },
      () => undefined, // the state of the connection is shown elsewhere
    );
  }

  /** @param {import("./types.js").Write} done */
  #saved(done) {
    if (done.path.endsWith("/labels") && !this.events.connected) this.renew();
  }

  /** @param {string} event @param {any} data */
  #heard(event, data) {
    if (event === "model") {
      const isNew = this.learned?.version !== data.version; // how many labels it changes is told later
      this.learned = data;
      this.training = false;
      this.learnerProblem = "";
      if (isNew) this.editor.refresh();
      this.renew();
    } else if (event === "training") {
      this.training = true;
    } else if (event === "saved") {
      if (data.who !== this.project.you.name) this.editor.savedElsewhere(data.id, data.revision);
      this.renew();
    } else if (event === "presence") {
      this.presence.heard(data);
    } else if (event === "estimate") {
      this.estimates += 1;
    } else if (event === "guidelines") {
      this.guidelines += 1;
      this.renew();
    } else if (event === "learner") {
      this.learnerProblem = String(data.error ?? "");
      this.training = false;
    } else if (event === "connected") {
      this.outbox.send();
      this.presence.tell();
      this.renew();
      if (!this.editor.edit) this.editor.fill();
    }
    this.changed();
  }
}

// The views of a project. They are fetched only if the server has one.
import { AdjudicateView } from "./adjudicate_view.js";
import { AnnotateView } from "./annotate_view.js";
import { ProjectSession } from "./project_session.js";
import { ProgressView } from "./progress_view.js";
import { SentencesView } from "./sentences_view.js";

export const views = {
  annotate: AnnotateView,
  sentences: SentencesView,
  adjudicate: AdjudicateView,
  progress: ProgressView,
};

/** @param {import("./types.js").Project} project */
export function openSession(project) {
  return new ProjectSession(project);
}

// What went wrong, in the words of the server.
import { shown } from "./characters.js";
import { html } from "./html.js";

const COUNTED_FROM_0 = /^sentence \d+(?:, token \d+)?: /;

/** @param {{problem: Error & {status?: number, where?: {sentence?: number, token?: number}}}} props */
export function Problems({ problem }) {
  const { where } = problem;
  const place =
    where?.sentence === undefined
      ? ""
      : `Sentence ${where.sentence + 1}${where.token === undefined ? "" : `, word ${where.token + 1}`}: `;
  const message = place ? problem.message.replace(COUNTED_FROM_0, "") : problem.message;
  return html`<p class="problem" role="alert">${place}${shown(message)}</p>`;
}

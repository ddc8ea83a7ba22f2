// What went wrong, in the words of the server.
import { shown } from "./characters.js";
import { html } from "./html.js";

const COUNTED_FROM_0 = /^sentence \d+(?:, token \d+)?: /;

/** What limits of the server count. @type {Record<string, string>} */
const COUNTED = {
  body: "bytes",
  text: "characters",
  sentences: "sentences",
  tokens: "words",
  sentence_tokens: "words in a sentence",
  token_characters: "characters in a word",
  nbest: "labellings",
};

/** @param {Record<string, any>} body what the server said @param {string} message */
function inWords(body, message) {
  const counted = COUNTED[body.limit];
  if (counted) return `That is too much: the server takes at most ${body.most} ${counted}, and this has ${body.found}.`;
  return body.limit ? "That is too much work for the server. Try a shorter text." : message;
}

/** @param {{problem: Error & {status?: number, body?: any, where?: {sentence?: number, token?: number}}}} props */
export function Problems({ problem }) {
  const { where } = problem;
  const place =
    where?.sentence === undefined
      ? ""
      : `Sentence ${where.sentence + 1}${where.token === undefined ? "" : `, word ${where.token + 1}`}: `;
  const said = inWords(problem.body ?? {}, problem.message);
  const message = place ? said.replace(COUNTED_FROM_0, "") : said;
  return html`<p class="problem" role="alert">${place}${shown(message)}</p>`;
}

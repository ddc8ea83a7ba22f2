// Requests to the server that this page came from. A token, if the server wants one, comes once in the fragment.

const KEPT_TOKEN = "perceptag.token";
const NO_TOKEN = "The server does not know this link. Open the link that you were given again, or enter its token.";

/** What the server said instead of what was asked for. */
export class Problem extends Error {
  /** @param {number} status @param {string} detail @param {Record<string, any>} [body] all that the server said */
  constructor(status, detail, body = {}) {
    super(detail);
    this.status = status;
    /** @type {{sentence?: number, token?: number} | undefined} */
    this.where = body.where;
    this.body = body;
  }
}

/** @param {string} token */
export function keepToken(token) {
  sessionStorage.setItem(KEPT_TOKEN, token);
}

/** What a request says about who sends it. @returns {Record<string, string>} */
export function authorization() {
  const token = sessionStorage.getItem(KEPT_TOKEN);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** @param {string} path @param {RequestInit} options @returns {Promise<any>} */
async function ask(path, options) {
  const response = await fetch(path, options).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The server does not answer. Is it still running?");
  });
  if (response.ok) return response.json();
  const body = await response.json().catch(() => ({}));
  if (response.status === 401) throw new Problem(401, NO_TOKEN, body);
  throw new Problem(response.status, String(body.detail ?? response.statusText), body);
}

/** @param {string} path @param {AbortSignal} [signal] @param {Record<string, string>} [more] further headers */
export function get(path, signal, more = {}) {
  return ask(path, { headers: { ...authorization(), ...more }, signal });
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] */
export function post(path, body, signal) {
  return send("POST", path, body, {}, signal);
}

/**
 * @param {string} method @param {string} path @param {object} body @param {Record<string, string>} more further headers
 * @param {AbortSignal} [signal]
 */
export function send(method, path, body, more, signal) {
  const headers = { "Content-Type": "application/json", ...authorization(), ...more };
  return ask(path, { method, headers, body: JSON.stringify(body), signal });
}

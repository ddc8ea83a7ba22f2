// Requests to the server that this page came from. A token, if the server wants one, comes once in the fragment.

const KEPT_TOKEN = "perceptag.token";

/** What the server said instead of what was asked for. */
export class Problem extends Error {
  /** @param {number} status @param {string} detail @param {{sentence?: number, token?: number}} [where] */
  constructor(status, detail, where) {
    super(detail);
    this.status = status;
    this.where = where;
  }
}

/** @param {string} token */
export function keepToken(token) {
  sessionStorage.setItem(KEPT_TOKEN, token);
}

/** @returns {Record<string, string>} */
function authorization() {
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
  throw new Problem(response.status, String(body.detail ?? response.statusText), body.where);
}

/** @param {string} path */
export function get(path) {
  return ask(path, { headers: authorization() });
}

/** @param {string} path @param {object} body @param {AbortSignal} [signal] */
export function post(path, body, signal) {
  const headers = { "Content-Type": "application/json", ...authorization() };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

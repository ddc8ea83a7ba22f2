// What the page asks the workbench for.
import { authorization, get, send } from "../api.js";
import { keyOf, tabId } from "./identity.js";

/**
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Project} Project
 */

const HOME = "v1/project";

/** @returns {Record<string, string>} */
export function tab() {
  return { "Perceptag-Tab": tabId() };
}

/** @param {string} path @param {Record<string, unknown>} [query] @param {AbortSignal} [signal] @returns {Promise<any>} */
export function read(path, query = {}, signal) {
  const filled = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
  return get(`${HOME}${path}${text ? `?${text}` : ""}`, signal, tab());
}

/** @param {string} method @param {string} path @param {object} body @returns {Promise<any>} */
export function write(method, path, body) {
  return send(method, `${HOME}${path}`, body, tab());
}

/** A write that has a key of its own, so that sending it twice does it once. @param {string} path @param {object} body */
export function act(path, body) {
  return write("POST", path, { ...body, key: keyOf() });
}

/** The page is closed: what was kept for it is free. The request outlives the page. */
export function leave() {
  const headers = { "Content-Type": "application/json", ...authorization(), ...tab() };
  fetch(`${HOME}/presence`, { method: "POST", keepalive: true, headers, body: "{}" }).catch(() => undefined);
}

/** @returns {Promise<Project>} */
export function project() {
  return read("");
}

/** @param {number} id @param {AbortSignal} [signal] @returns {Promise<Item>} */
export function sentence(id, signal) {
  return read(`/sentences/${id}`, {}, signal);
}

/**
 * @param {string} strategy @param {number} k @param {number[]} exclude what the page has already
 * @returns {Promise<Item[]>}
 */
export async function next(strategy, k, exclude) {
  return (await read("/next", { k, strategy, exclude: exclude.join(",") })).sentences;
}

/** Save a file that the server writes. @param {string} path @param {Record<string, any>} query @param {string} name */
export async function download(path, query, name) {
  const text = new URLSearchParams(query).toString();
  const reply = await fetch(`${HOME}${path}${text ? `?${text}` : ""}`, { headers: { ...authorization(), ...tab() } });
  if (!reply.ok) throw new Error(String((await reply.json().catch(() => ({}))).detail ?? reply.statusText));
  const address = URL.createObjectURL(await reply.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = nameIn(reply.headers.get("Content-Disposition")) ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {string | null} disposition */
function nameIn(disposition) {
  return /filename="([^"/\\]+)"/.exec(disposition ?? "")?.[1] ?? null;
}

export const EVENTS = `${HOME}/events`;

// Markdown as elements of the page: headings, lists, quotes, tables, code, emphasis and links. HTML in it stays text.
import { shown } from "../characters.js";
import { html } from "../html.js";

const DEEPEST = 6; // lists in lists and quotes in quotes; what is deeper is plain text
const HEADING = /^(#{1,6})\s+(.*)$/;
const FENCE = /^\s{0,3}```/;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})\s*$/;
const QUOTE = /^>\s?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const CELL_RULE = /^:?-+:?$/; // below the head of a table
// Code, strong, emphasis (two ways), a link with words, a bare link, a character that means nothing special. No part may
// contain its own mark, so that reading takes time in proportion to the text.
const INLINE =
  /`([^`]+)`|\*\*([^*\s](?:[^*]*[^*\s])?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|(?<![\p{L}\p{N}])_([^_\s](?:[^_]*[^_\s])?)_(?![\p{L}\p{N}])|\[([^[\]]+)\]\(([^\s()]+)\)|<(https?:\/\/[^\s<>]+)>|\\([\\`*_{}[\]()#+\-.!|<>])/gu;
const SAFE = /^(?:https?:\/\/|mailto:)/i;

/** A link that leaves the page; nothing but web and mail addresses. @param {unknown} words @param {string} address */
function link(words, address) {
  return html`<a href=${address} target="_blank" rel="noopener noreferrer">${words}</a>`;
}

/** @param {RegExpMatchArray} match */
function element(match) {
  const [whole, code, strong, starred, underlined, words, address, bare, plain] = match;
  if (code) return html`<code>${shown(code)}</code>`;
  if (strong) return html`<strong>${inline(strong)}</strong>`;
  if (starred || underlined) return html`<em>${inline(starred || underlined)}</em>`;
  if (words) return SAFE.test(address) ? link(inline(words), address) : shown(whole);
  if (bare) return link(shown(bare), bare);
  return plain;
}

/** Words with marks in them. @param {string} text @returns {unknown[]} */
export function inline(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) found.push(shown(text.slice(end, match.index)));
    found.push(element(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push(shown(text.slice(end)));
  return found;
}

/** The same without marks, where only text can be shown: tooltips. @param {string} text */
export function unmarked(text) {
  return text.replace(INLINE, (...parts) => parts.slice(1, 9).find((part) => part !== undefined) ?? "");
}

/** @param {string[]} lines @param {number} i */
function beginsBlock(lines, i) {
  const line = lines[i];
  return (
    HEADING.test(line) ||
    FENCE.test(line) ||
    RULE.test(line) ||
    QUOTE.test(line) ||
    ITEM.test(line) ||
    isTable(lines, i)
  );
}

/** @param {string[]} lines @param {number} i */
function isTable(lines, i) {
  const next = lines[i + 1] ?? "";
  return lines[i].includes("|") && next.includes("|") && parts(next).every((part) => CELL_RULE.test(part));
}

/** Lines from `i` on, as long as they fit. @param {string[]} lines @param {number} i @param {(line: string, k: number) => boolean} fits */
function run(lines, i, fits) {
  let end = i;
  while (end < lines.length && fits(lines[end], end)) end += 1;
  return lines.slice(i, end);
}

/** The cells of a row of a table. @param {string} line */
function parts(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((part) => part.trim());
}

/** @param {string} line */
function cells(line) {
  return parts(line).map(inline);
}

/** @param {string[]} rows */
function table([head, , ...rows]) {
  return html`<div class="scrolling" tabindex="0" role="group" aria-label="Table"><table class="figures">
    <thead><tr>${cells(head).map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${cells(row).map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

/** A list: its items have what is indented below them. @param {string[]} lines @param {number} depth */
function list(lines, depth) {
  const indent = lines[0].search(/\S/);
  const isItem = (/** @type {string} */ line) => (ITEM.exec(line)?.[1].length ?? Infinity) <= indent;
  const starts = lines.flatMap((line, k) => (isItem(line) ? [k] : []));
  const outdented = (/** @type {string} */ line) => line.slice(Math.min(2 + indent, line.search(/\S|$/)));
  const items = starts.map((start, k) => {
    const first = ITEM.exec(lines[start])?.[3] ?? "";
    const rest = lines.slice(start + 1, starts[k + 1]).map(outdented);
    return html`<li>${blocks([first, ...rest], depth + 1)}</li>`;
  });
  const number = Number.parseInt(lines[0].trim(), 10);
  return Number.isNaN(number) ? html`<ul>${items}</ul>` : html`<ol start=${number}>${items}</ol>`;
}

/** Lines as elements. @param {string[]} lines @param {number} [depth] @returns {unknown[]} */
function blocks(lines, depth = 0) {
  const found = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const heading = HEADING.exec(line);
    let used = 1;
    if (!line.trim()) {
      // nothing
    } else if (heading) {
      const level = Math.min(6, heading[1].length + 2); // the page has headings of its own above these
      found.push(html`<${`h${level}`}>${inline(heading[2].trim())}<//>`);
    } else if (FENCE.test(line)) {
      const code = run(lines, i + 1, (other) => !FENCE.test(other));
      used = code.length + 2;
      found.push(html`<pre tabindex="0"><code>${shown(code.join("\n"))}</code></pre>`);
    } else if (RULE.test(line)) {
      found.push(html`<hr />`);
    } else if (QUOTE.test(line) && depth < DEEPEST) {
      const quoted = run(lines, i, (other) => QUOTE.test(other));
      used = quoted.length;
      found.push(
        html`<blockquote>${blocks(
          quoted.map((one) => one.replace(QUOTE, "")),
          depth + 1,
        )}</blockquote>`,
      );
    } else if (isTable(lines, i)) {
      const rows = run(lines, i, (other) => other.includes("|"));
      used = rows.length;
      found.push(table(rows));
    } else if (ITEM.test(line) && depth < DEEPEST) {
      const items = run(lines, i, (other) => ITEM.test(other) || /^\s+\S/.test(other));
      used = items.length;
      found.push(list(items, depth));
    } else {
      const words = [line, ...run(lines, i + 1, (other, k) => Boolean(other.trim()) && !beginsBlock(lines, k))];
      used = words.length;
      found.push(html`<p>${inline(words.join("\n"))}</p>`);
    }
    i += used;
  }
  return found;
}

/** @param {{text: string}} props */
export function Markdown({ text }) {
  return html`<div class="markdown">${blocks(text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"))}</div>`;
}

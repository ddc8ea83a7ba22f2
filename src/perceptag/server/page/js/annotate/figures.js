// Figures and times as people read them.

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** A score in per cent. @param {number} score */
export function figure(score, digits = 1) {
  return score.toFixed(digits);
}

/** When something was done, in the words of this machine. @param {number | string} at seconds, or a date */
export function timeOf(at) {
  const date = typeof at === "number" ? new Date(at * 1000) : new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

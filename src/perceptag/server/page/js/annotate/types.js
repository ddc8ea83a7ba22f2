// The shapes of what the workbench sends, for the type checker alone.

/**
 * @typedef {{start: number, end: number, label: string, confidence?: number | null, rule?: string}} Span
 * @typedef {{labels: string[], score: number | null}} Ranked
 * @typedef {{labels: string[], spans?: Span[], confidence: number[] | null, nbest?: Ranked[], version: number | null
 *   }} Proposal
 * @typedef {{kind: string, margin?: number | null, confidence?: number | null}} Reason why a sentence is shown
 * @typedef {{id: number, revision: number, source: number | string, document?: number | null, tokens: string[],
 *   columns: Record<string, string[]>, labels: string[] | null, draft: (string | null)[] | null, status: string,
 *   flagged: boolean, comments: number, who: string | null, sampled?: string | null, proposal: Proposal | null,
 *   why?: Reason | null}} Item
 * @typedef {{name: string, key?: string, description?: string, examples?: string[],
 *   colour?: import("../types.js").LabelColour}} LabelEntry
 * @typedef {{version: number, at: number | null, who: string, text: string,
 *   labels: Record<string, {description: string, examples: string[]}>,
 *   versions: {version: number, at: number, who: string}[]}} Guidelines
 * @typedef {{id: number, digest: string, sentences: number, seconds: number, at?: number, calibrated: boolean}} Version
 * @typedef {{name: string, id: string, kind: "spans" | "tags", column: string, labels: LabelEntry[],
 *   counts: Record<string, number>, version: Version | null, start: string | null, you: {name: string, role: string},
 *   settings: Record<string, unknown>, last_revision: number}} Project
 */

/**
 * What the page holds. A label is null where nothing has been said yet: in a project of tags, before the first model.
 * @typedef {(string | null)[]} Labels
 * @typedef {{from: number, to: number}} Range tokens `from` to `to`, both of them in it
 * @typedef {{key: string, method: string, path: string, body: Record<string, any>, sentence: number | null,
 *   tokens: string[] | null, at: number, tab: string, tried: boolean, state: "waiting" | "conflict" | "refused",
 *   detail?: string, current?: Item | null}} Write something that the server has not acknowledged yet
 */

/**
 * What is known about the model and about those who label.
 * @typedef {{score: number, low: number, high: number, sentences: number,
 *   raw: {score: number, low: number, high: number}, unlabelled: number, measure: string
 *   }} Estimate
 * @typedef {{next: number, expected: number, low: number, high: number}} Gain
 * @typedef {{points: import("./charts.js").Point[], gain: Gain}} LearningCurve
 * @typedef {{bins: import("./charts.js").Bin[]}} Reliability
 * @typedef {{kappa: number | null, f1: number | null, tokens: number, sentences: number, between: string[]}} Agreement
 * @typedef {{estimate: Estimate | null, reason?: string, curve: LearningCurve | null, reliability: Reliability | null,
 *   agreement: Agreement | null, labels: LabelCount[], people: PersonProgress[]}} Progress
 * @typedef {{who: string, labels: number, readings: number, tokens: number, seconds: number,
 *   agreement: {kappa: number | null, f1: number | null} | null}} PersonProgress
 * @typedef {{name: string, count: number, sentences: number}} LabelCount
 * @typedef {{id: number, at: number, who: string, text: string}} Comment
 * @typedef {{id: number, at: number, who: string, kind: string, source: string, labels: string[] | null}} Revision
 */

/**
 * What is to be decided.
 * @typedef {{kind: string, who: string | null, labels: string[]}} Side
 * @typedef {{id: number, revision: number, tokens: string[], sides: Side[], decided: Side | null}} Disagreement
 * @typedef {{kappa: number | null, f1: number | null, observed: number | null}} AgreementFigures
 * @typedef {{f1: number | null, kappa: number | null}} LabelFigures
 * @typedef {{people: string[], sentences: number, before: AgreementFigures, after: AgreementFigures,
 *   labels: {label: string, given: number, both: number, before: LabelFigures, after: LabelFigures}[],
 *   with_decided: (AgreementFigures & {who: string, sentences: number})[]}} Agreements
 * @typedef {{kind: string, total: number, counts: Record<string, number>, items: Disagreement[], reason: string | null,
 *   running: boolean, agreement: Agreements | null}} Disagreements
 */

export {};

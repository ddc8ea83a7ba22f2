// The shapes of replies, for the type checker alone.

/**
 * @typedef {{target: HTMLInputElement}} Changed the event of an input, a list or a text area
 * @typedef {{light: string, dark: string}} LabelColour
 * @typedef {{name: string, kind: string, learner: string, recipe: string, labels: string[],
 *   colours: Record<string, LabelColour>, meanings: Record<string, string>, columns: string[], scheme: string, calibrated: boolean, looks_at_documents: boolean, can: string[]}} Layer
 * @typedef {{name: string, digest: string, has_tokenizer: boolean, columns: string[], layers: Layer[]}} Model
 * @typedef {{start: number, end: number, label: string, text?: string, confidence?: number, proposed?: boolean}} Span
 * @typedef {{labels: string[], score: number}} Ranked
 * @typedef {{labels: string[], spans?: Span[], confidence?: number[], proposed?: boolean[]}} Labelled
 * @typedef {Labelled & {tokens: string[], offsets?: [number, number][], nbest?: Ranked[],
 *   layers?: Record<string, Labelled>}} Sentence
 * @typedef {{model: {name: string, digest: string}, layer: string, tokenizer?: string, sentences: Sentence[],
 *   notes: string[]}} TagReply
 * @typedef {{feature: string, meaning: string, weight: number, rival_weight: number}} Contribution
 * @typedef {{position: number, token: string, label: string, score: number, rival: string | null,
 *   rival_labels: string[], margin: number | null, contributions: Contribution[],
 *   rest: {count: number, weight: number, rival_weight: number}, elsewhere: number | null}} TokenReasons
 * @typedef {{name: string, value: number, meaning: string}} Share
 * @typedef {{start: number, end: number, text: string, label: string, scores: Record<string, number>,
 *   features: Share[], support_vectors: Share[]}} PhraseReasons
 * @typedef {{tokens: string[], labels: string[], score: number, details?: TokenReasons[], phrases?: PhraseReasons[],
 *   sentencesRead?: number | null, nonlocal_contributions?: {feature: string, value: number, contribution: number}[]}} ExplainReply
 * @typedef {{position: number, token: string, label: string, score: number}} Choice
 * @typedef {Choice & {spans: [number, number][], runner_up: Choice | null}} Step
 * @typedef {{tokens: string[], labels: string[], steps: Step[]}} OrderReply
 */

/**
 * What the page holds. A place is a token of a sentence.
 * @typedef {{sentence: number, token: number}} Place
 * @typedef {Record<number, string>} Pins labels that the user has set, by token
 * @typedef {{kind: "text" | "columns", text: string, names: string, byPage?: boolean, word?: string}} Input `byPage`:
 *   that it is columns was found by the page, not said by the user; `word`: the one to begin with
 */

export {};

// The view "Help": how to read the page, and its keys.
import { html } from "./html.js";

/** @type {[string[], string][]} */
const KEYS = [
  [["←", "→", "h", "l"], "the word before, the word after"],
  [["↑", "↓"], "the sentence before, the sentence after"],
  [["Home", "End"], "the first word, the last word of the sentence"],
  [["Enter", "e"], "why the word has its label"],
  [["n"], "the n best labellings"],
  [["g"], "the film; there, arrows step and space plays"],
  [["c"], "compare with another model"],
  [["w"], "what if: set the label of the word"],
  [["u"], "undo what was set in the sentence"],
  [["d"], "the next doubtful word"],
  [["Esc"], "from the panel back to the word"],
  [["?"], "this page"],
];

/** @param {[string[], string]} row */
function keyRow([keys, what]) {
  return html`<tr><th scope="row">${keys.map((key) => html`<kbd>${key}</kbd> `)}</th><td>${what}</td></tr>`;
}

export function HelpView() {
  return html`<div class="page help">
    <h1>Help</h1>
    <h2>Reading the labels</h2>
    <p>A bracket above words marks a span, such as a name, and says what it is. A word on its own has its tag below.
      Colours only repeat what is written.</p>
    <p>A dotted line under a word means doubt: the thicker it is, the less sure the model is, and the figure next to the
      label says how likely it is to be right. Only calibrated models know this.</p>
    <p>A long text begins as running text with its spans marked, and a list of them. ${" "}<i>Words</i> shows every word with
      its labels.</p>
    <h2>Why</h2>
    <p>The score of a label is a sum of weights of features. The table shows what each feature gives to the label and to
      its best rival: the label that this word has in the best labelling of the sentence that differs here. Each bar
        begins where the one above ends, so all of them together are the margin. If other words would change too, their
          part is in a line of its own.</p>
    <p>Labels in this table are those inside the model. There <code>B</code>, <code>I</code> and <code>E</code> are the
      first, a middle and the last word of a span, and <code>S</code> is a span of one word.</p>
    <h2>What if</h2>
    <p>Set the label of a word, and the model finds the best labels for the rest of the sentence. Words that change say
      what they were.</p>
    <h2>Film</h2>
    <p>A guided model does not read from left to right. It labels first where it is most certain, and uses what it knows
      for the words around. The number above a word is its step; a dashed frame shows the word that was next best.</p>
    <h2>Labelling</h2>
    <p>A server of <code>perceptag annotate</code> has a project, and this page four more views. <i>Annotate</i> shows one
      sentence with what the model proposes: correct it and accept it, and the model learns from it at once. There
        ${" "}<kbd>?</kbd> lists the keys, and you can choose others. What is not saved yet is kept in this browser and sent
          again.</p>
    <h2>Characters that cannot be seen</h2>
    <p>Marks of direction and characters without width are shown by their numbers, such as
      ${" "}<span class="hidden-character">U+202E</span>: two words that look the same may not be the same.</p>
    <h2>What leaves this page</h2>
    <p>The text is sent to the server that this page came from, and to no other. The server keeps nothing of it; the browser keeps it until this tab is closed. A
      copied link holds the text behind <code>#</code>, which browsers do not send.</p>
    <h2>Keys</h2>
    <table class="keys">
      <caption class="heard">Keys, when a word has the focus</caption>
      <tbody>${KEYS.map(keyRow)}</tbody>
    </table>
  </div>`;
}

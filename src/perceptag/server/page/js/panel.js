// What the page says about one word and its sentence: why, alternatives, the film, another model.
import { Alternatives } from "./alternatives.js";
import { shown as shownText } from "./characters.js";
import { Compare } from "./compare.js";
import { Film } from "./film.js";
import { html } from "./html.js";
import { Problems } from "./problems.js";
import { Head, Why } from "./why.js";
import { activeLabels } from "./views.js";

/** @typedef {{id: string, name: string}} Tab */

/** @param {import("./types.js").Layer} layer @returns {Tab[]} */
export function tabsOf(layer) {
  const can = (/** @type {string} */ what) => layer.can.includes(what);
  return [
    ...(can("explain") ? [{ id: "why", name: "Why" }] : []),
    ...(can("nbest") ? [{ id: "alternatives", name: "Alternatives" }] : []),
    ...(can("order") ? [{ id: "film", name: "Film" }] : []),
    { id: "compare", name: "Compare" },
  ];
}

/** @param {Record<string, any>} props */
export function Panel(props) {
  const { work, place, pins, followed, shown, tab, onTab, onPin, onRelease, onClose } = props;
  const sentence = work.reply.sentences[place.sentence];
  const labels = followed[place.sentence] ?? activeLabels(sentence, shown);
  const tabs = tabsOf(work.layer);
  const current = tabs.some((one) => one.id === tab) ? tab : tabs[0].id;
  const fixed = pins[place.sentence] ?? NO_PINS;
  return html`<aside class="panel" aria-label="About the word">
    <button type="button" class="close" aria-label="Close" onClick=${onClose}>×</button>
    <${Head} token=${sentence.tokens[place.token]} label=${labels.labels[place.token]} confidence=${labels.confidence?.[place.token]} />
    ${work.layer.can.includes("given") && html`<${WhatIf} work=${work} place=${place} labels=${labels.labels} fixed=${fixed} onPin=${onPin} onRelease=${onRelease} />`}
    ${props.problem && html`<${Problems} problem=${props.problem} />`}
    <${TabList} tabs=${tabs} current=${current} onTab=${onTab} />
    <div role="tabpanel" id="tabpanel" class="tabpanel" tabindex="0" aria-labelledby=${`tab-${current}`}>
      ${current === "why" && html`<${Why} work=${work} place=${place} pins=${fixed} />`}
      ${current === "alternatives" && html`<${Alternatives} work=${work} sentence=${place.sentence} labels=${activeLabels(sentence, shown).labels} onPlace=${props.onPlace} />`}
      ${current === "film" && html`<${Film} key=${place.sentence} work=${work} sentence=${place.sentence} pins=${fixed} calls=${props.calls} />`}
      ${current === "compare" && html`<${Compare} ...${props} />`}
    </div>
  </aside>`;
}

const NO_PINS = Object.freeze({});

/** @param {{tabs: Tab[], current: string, onTab: (id: string) => void}} props */
function TabList({ tabs, current, onTab }) {
  const press = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex((one) => one.id === current) + step + tabs.length) % tabs.length];
    onTab(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return html`<div role="tablist" class="tabs" aria-label="What to show" onKeyDown=${press}>
    ${tabs.map(
      (one) => html`<button
        type="button"
        role="tab"
        id=${`tab-${one.id}`}
        aria-selected=${one.id === current ? "true" : "false"}
        aria-controls="tabpanel"
        tabindex=${one.id === current ? 0 : -1}
        onClick=${() => onTab(one.id)}
      >
        ${one.name}
      </button>`,
    )}
  </div>`;
}

/** Change one label and watch the rest follow. @param {Record<string, any>} props */
function WhatIf({ work, place, labels, fixed, onPin, onRelease }) {
  const count = Object.keys(fixed).length;
  const now = labels[place.token];
  return html`<div class="what-if">
    <label class="field">What if it were
      <select id="what-if" value=${now} onChange=${(/** @type {any} */ event) => onPin(place, event.target.value)}>
        ${work.layer.labels.map((/** @type {string} */ label) => html`<option value=${label}>${shownText(label)}</option>`)}
      </select></label>
    ${count > 0 && html`<button type="button" onClick=${() => onRelease(place.sentence)}>Undo ${count === 1 ? "the change" : `${count} changes`}</button>`}
  </div>`;
}

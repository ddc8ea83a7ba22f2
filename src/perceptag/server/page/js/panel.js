// What the page says about one word and its sentence: why, alternatives, the film, another model.
import { Alternatives } from "./alternatives.js";
import { Compare, rivalsOf } from "./compare.js";
import { Film } from "./film.js";
import { html } from "./html.js";
import { Problems } from "./problems.js";
import { Head, Why } from "./why.js";
import { activeLabels } from "./views.js";

/** @typedef {import("./types.js").Changed} Changed */

/** @typedef {{id: string, name: string}} Tab */

/** @param {import("./types.js").Model[]} models @param {import("./asking.js").Work} work @returns {Tab[]} */
export function tabsOf(models, work) {
  const can = (/** @type {string} */ what) => work.layer.can.includes(what);
  return [
    ...(can("explain") ? [{ id: "why", name: "Why" }] : []),
    ...(can("nbest") ? [{ id: "alternatives", name: "Alternatives" }] : []),
    ...(can("order") ? [{ id: "film", name: "Film" }] : []),
    ...(rivalsOf(models, work).length ? [{ id: "compare", name: "Compare" }] : []),
  ];
}

/** @param {Record<string, any>} props */
export function Panel(props) {
  const { work, place, shown, followed, tab, onTab, onPlace, onClose } = props;
  const sentence = work.reply.sentences[place.sentence];
  const own = activeLabels(sentence, shown);
  const { labels, confidence } = followed[place.sentence] ?? own;
  const tabs = tabsOf(props.models, work);
  const current = tabs.some((one) => one.id === tab) ? tab : tabs[0]?.id;
  const pins = props.pins[place.sentence] ?? NO_PINS;
  const about = { work, sentence: place.sentence, pins };
  const views = /** @type {Record<string, () => any>} */ ({
    why: () => html`<${Why} work=${work} place=${place} label=${labels[place.token]} pins=${pins} />`,
    alternatives: () => html`<${Alternatives} ...${about} labels=${own.labels} onPlace=${onPlace} />`,
    film: () => html`<${Film} key=${place.sentence} ...${about} calls=${props.calls} />`,
    compare: () => html`<${Compare} ...${props} />`,
  });
  return html`<aside class="panel" aria-label="About the word">
    <button type="button" class="close" aria-label="Close" onClick=${onClose}>×</button>
    <${Head} token=${sentence.tokens[place.token]} label=${labels[place.token]} confidence=${confidence?.[place.token]}
      />
    ${work.layer.can.includes("given") && html`<${WhatIf} ...${props} labels=${labels} pins=${pins} />`}
    ${props.problem && html`<${Problems} problem=${props.problem} />`}
    ${
      current &&
      html`<${TabList} tabs=${tabs} current=${current} onTab=${onTab} />
      <div role="tabpanel" id="tabpanel" class="tabpanel" tabindex="0" aria-labelledby=${`tab-${current}`}>
        ${views[current]()}
      </div>`
    }
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
function WhatIf({ work, place, labels, pins, onPin, onRelease }) {
  const count = Object.keys(pins).length;
  const option = (/** @type {string} */ label) => html`<option value=${label}>${label}</option>`;
  const choose = (/** @type {Changed} */ event) => onPin(place, event.target.value);
  const undo = html`<button type="button" onClick=${() => onRelease(place.sentence)}>
    Undo ${count === 1 ? "the change" : `${count} changes`}
  </button>`;
  return html`<div class="what-if">
    <label class="field">What if it were
      <select id="what-if" value=${labels[place.token]}
        onChange=${choose}>${work.layer.labels.map(option)}</select></label>
    ${count > 0 && undo}
  </div>`;
}

// A list of cards that is used by keys: arrows move, Enter opens the link of a card, other keys are those of the view.
import { html, useEffect, useRef, useState } from "../html.js";

/**
 * @param {{cards: any[], nameOf: (card: any) => string, draw: (card: any) => unknown,
 *   onKey: (key: string, card: any) => Promise<unknown> | boolean, visit?: object | null}} props `onKey` returns false for
 *   a key without meaning; each new `visit` puts the focus on a card
 */
export function CardList({ cards, nameOf, draw, onKey, visit = null }) {
  const [place, setPlace] = useState(0);
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const at = Math.min(place, cards.length - 1);
  const lines = () => /** @type {HTMLElement[]} */ ([...(list.current?.querySelectorAll("li.issue") ?? [])]);
  const focus = (/** @type {number} */ i) => setTimeout(() => (lines()[i] ?? lines().pop())?.focus(), 0); // a card may be gone
  useEffect(() => {
    const isInView = list.current?.closest(".page")?.contains(document.activeElement); // say, on the tab that was chosen
    if (visit && !isInView) focus(at);
  }, [visit]);
  // A button that was clicked may have gone with its card, and the focus with it; keys need a focus in the list.
  const click = () => setTimeout(() => document.activeElement === document.body && focus(at), 0);
  const press = (/** @type {KeyboardEvent} */ event) => {
    const { target, key } = event;
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (target instanceof Element && target.closest("dialog")) return;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key];
    if (step) {
      const next = Math.min(Math.max(at + step, 0), cards.length - 1);
      setPlace(next);
      focus(next);
    } else if (key === "Enter" && target === lines()[at]) lines()[at].querySelector("a")?.click();
    else {
      const done = onKey(key, cards[at]);
      if (done === false) return;
      Promise.resolve(done).then((isElsewhere) => isElsewhere || focus(at));
    }
    event.preventDefault();
  };
  return html`<ul class="issue-list" ref=${list} onKeyDown=${press} onClick=${click}>
    ${cards.map(
      (card, i) => html`<li class="issue" key=${nameOf(card)} tabindex=${i === at ? 0 : -1}
        onfocusin=${() => i !== at && setPlace(i)}>${draw(card)}</li>`,
    )}
  </ul>`;
}

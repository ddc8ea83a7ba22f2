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
    // The card with the focus: another one may have come before it since, say after an undo.
    const found = lines().findIndex((line) => target instanceof Node && line.contains(target));
    const here = found < 0 ? at : found;
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[key];
    if (step) {
      const next = Math.min(Math.max(here + step, 0), cards.length - 1);
      setPlace(next);
      focus(next);
    } else if (key === "Enter" && target === lines()[here]) lines()[here].querySelector("a")?.click();
    else {
      const done = onKey(key, cards[here]);
      if (done === false) return;
      setPlace(here);
      Promise.resolve(done).then((isElsewhere) => isElsewhere || focus(here));
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

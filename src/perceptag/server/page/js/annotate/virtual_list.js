// A list of any length: rows of one height, of which only those in sight are drawn.
import { html, useEffect, useRef, useState } from "../html.js";

const MORE = 8; // rows above and below those in sight

/**
 * @param {{total: number, height: number, name: string, place: number, onPlace: (i: number) => void,
 *   onEnter: (i: number) => void, rows: (from: number, to: number) => any[], draw: (row: any, i: number) => any}} props
 *   `draw` gives what is in a row; the row with the focus is `place`
 */
export function VirtualList({ total, height, name, place, onPlace, onEnter, rows, draw }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const [view, setView] = useState({ top: 0, size: 800 });
  const look = () => box.current && setView({ top: box.current.scrollTop, size: box.current.clientHeight || 800 });
  useEffect(() => {
    look();
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  const from = Math.max(0, Math.min(total, Math.floor(view.top / height) - MORE));
  const to = Math.min(total, Math.ceil((view.top + view.size) / height) + MORE);
  const go = (/** @type {number} */ i) => {
    const next = Math.min(Math.max(i, 0), total - 1);
    const { current } = box;
    if (current) {
      const [top, size] = [next * height, current.clientHeight];
      if (top < current.scrollTop) current.scrollTop = top;
      else if (top + height > current.scrollTop + size) current.scrollTop = top + height - size;
    }
    onPlace(next);
    look();
    setTimeout(
      () => /** @type {HTMLElement | null} */ (current?.querySelector(`[data-row="${next}"]`) ?? null)?.focus(),
      0,
    );
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(view.size / height) - 1);
    const to = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + page,
      PageUp: place - page,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === "Enter") onEnter(place);
    else return;
    event.preventDefault();
  };
  const enter = (/** @type {number} */ i) => {
    onPlace(i);
    onEnter(i);
  };
  const row = (/** @type {any} */ one, /** @type {number} */ k) => {
    const i = from + k;
    return html`<div role="option" class="row" key=${i} data-row=${i} aria-selected=${i === place ? "true" : "false"}
      aria-setsize=${total} aria-posinset=${i + 1} tabindex=${i === place ? 0 : -1} style=${{ top: `${i * height}px`, height: `${height}px` }}
      onClick=${() => enter(i)}>${draw(one, i)}</div>`;
  };
  const isThere = from <= place && place < to;
  return html`<div class="virtual" role="listbox" aria-label=${name} ref=${box} onScroll=${look} onKeyDown=${press}
    tabindex=${isThere ? -1 : 0}>
    <div role="none" style=${{ height: `${total * height}px` }}></div>
    ${rows(from, to).map(row)}
  </div>`;
}

// Types of what the page uses of the vendored file, for the type checker alone.
export type Node = any;
export class Component<P = any, S = any> {
  constructor(props?: P);
  props: P;
  state: S;
  setState(change: Partial<S> | ((state: S) => Partial<S>)): void;
  render(props?: P, state?: S): Node;
}
export function html(strings: TemplateStringsArray, ...values: any[]): Node;
export function render(node: Node, parent: Element): void;
export function useState<T>(initial: T | (() => T)): [T, (value: T | ((old: T) => T)) => void];
export function useEffect(effect: () => void | (() => void), inputs?: readonly any[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly any[]): void;
export function useMemo<T>(make: () => T, inputs: readonly any[]): T;
export function useCallback<T extends Function>(callback: T, inputs: readonly any[]): T;
export function useRef<T>(initial: T): { current: T };

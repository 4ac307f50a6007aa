/**
 * Calls a function once, unless the returned function is called before. Injected, so that tests
 * need not wait.
 */
export type Timer = (milliseconds: number, call: () => void) => () => void;

export function systemTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

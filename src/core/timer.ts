/**
 * Calls a function once, after a number of milliseconds, unless the returned function is called before.
 * Injected, so that timing is testable without waiting.
 */
export type Timer = (milliseconds: number, call: () => void) => () => void;

/** The system's own timer. */
export function systemTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

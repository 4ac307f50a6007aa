/**
 * Calls a function once, after so many milliseconds, unless what it returns is called before. Injected
 * where something waits, so that its timing is testable without waiting.
 */
export type Timer = (milliseconds: number, call: () => void) => () => void;

/** The system's own timer. */
export function systemTimer(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

import type { Clock } from "../../src/core/clock.ts";
import type { Timer } from "../../src/core/timer.ts";

/** A clock and timers that move only on request. */
export interface ManualTime {
  readonly clock: Clock;
  readonly timer: Timer;
  /** Milliseconds until each pending call. */
  readonly waiting: readonly number[];
  /** Runs due timers at their times, and waits for each call to settle. */
  advance(milliseconds: number): Promise<void>;
}

interface Wait {
  readonly milliseconds: number;
  readonly at: number;
  readonly call: () => void;
}

export function manualTime(): ManualTime {
  let now = Date.parse("2026-11-20T12:00:00.000Z");
  const waiting = new Set<Wait>();
  const nextUntil = (end: number) =>
    [...waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  return {
    clock: () => new Date(now),
    timer(milliseconds, call) {
      const wait = { milliseconds, at: now + milliseconds, call };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    get waiting() {
      return Array.from(waiting, ({ milliseconds }) => milliseconds);
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      await rest();
      for (let next = nextUntil(end); next !== undefined; next = nextUntil(end)) {
        now = next.at;
        waiting.delete(next);
        next.call();
        await rest();
      }
      now = end;
    },
  };
}

/** Runs all pending promise callbacks. */
export function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

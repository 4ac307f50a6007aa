/**
 * Events of refused calls, at most two a minute for each assistant, tool and module. The event of
 * the first call is written before its answer is sent. Later calls are counted in memory, and
 * written as one event with their count: when the minute has passed, with the next call after it,
 * or at shutdown.
 */

import type { AccessEvent } from "../accounts/port.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Timer } from "../core/timer.ts";

const MINUTE_MS = 60_000;

export interface RefusedCallServices {
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
}

export type CallEvent = AccessEvent & Required<Pick<AccessEvent, "toolCall" | "credential">>;

interface Minute {
  readonly startedAt: number;
  /** The newest call after the first, with the count of these; null without one. */
  others: CallEvent | null;
  cancel: () => void;
}

export class RefusedCalls {
  readonly #services: RefusedCallServices;
  readonly #write: (event: CallEvent) => Promise<unknown>;
  readonly #minutes = new Map<string, Minute>();

  /** @param write Stores an event with a count. */
  constructor(services: RefusedCallServices, write: (event: CallEvent) => Promise<unknown>) {
    this.#services = services;
    this.#write = write;
  }

  /** @param writeFirst Stores the event of a minute's first call. */
  async log(event: CallEvent, writeFirst: (event: CallEvent) => Promise<unknown>): Promise<void> {
    const { credential, toolCall: { tool, moduleCode } } = event;
    const kind = JSON.stringify([credential?.id, tool, moduleCode]);
    const open = this.#minutes.get(kind);
    if (open !== undefined && Math.abs(event.now.getTime() - open.startedAt) < MINUTE_MS) {
      const count = (open.others?.toolCall.count ?? 0) + 1;
      open.others = { ...event, toolCall: { ...event.toolCall, count } };
      return;
    }
    const minute = this.#begin(kind, event.now);
    try {
      await Promise.all([open && this.#end(kind, open), writeFirst(event)]);
    } catch (error) {
      // Nothing was written, so the next refused call is the first one.
      if (minute.others === null && this.#minutes.get(kind) === minute) this.#forget(kind, minute);
      throw error;
    }
  }

  /** Writes the counted calls. Call it when no call runs. */
  async stop(): Promise<void> {
    const open = [...this.#minutes];
    await Promise.all(open.map(([kind, minute]) => this.#end(kind, minute)));
  }

  #begin(kind: string, now: Date): Minute {
    const minute: Minute = { startedAt: now.getTime(), others: null, cancel: () => {} };
    minute.cancel = this.#services.timer(MINUTE_MS, () => void this.#end(kind, minute));
    this.#minutes.set(kind, minute);
    return minute;
  }

  #forget(kind: string, minute: Minute): void {
    minute.cancel();
    if (this.#minutes.get(kind) === minute) this.#minutes.delete(kind);
  }

  /** Ends a minute. The calls were answered, so an event that cannot be stored is only logged. */
  async #end(kind: string, minute: Minute): Promise<void> {
    this.#forget(kind, minute);
    const { others } = minute;
    if (others === null) return;
    minute.others = null;
    const { clock, log } = this.#services;
    // The time of writing: a reader of the trail may already have passed the time of the call.
    await this.#write({ ...others, now: clock() }).catch((error) =>
      log.error("refused_calls_not_noted", {
        ...errorFields(error),
        count: others.toolCall.count ?? 0,
      })
    );
  }
}

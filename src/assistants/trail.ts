/** The access events of an assistant's calls, and the limits of its calls and records. */

import type { EventContextReader } from "../access/event_context.ts";
import { countCalls, insertAccessEvent, type ToolCall } from "../accounts/port.ts";
import { constraintRefusal, storageFull } from "../command/refusals.ts";
import { limitStorage, type WriteLimits } from "../command/write_limits.ts";
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { RateLimit } from "../http/rate_limit.ts";
import type { SignedInCall } from "../http/route.ts";
import { lockAssistant } from "./assistant_store.ts";
import { type CallEvent, RefusedCalls, type RefusedCallServices } from "./refused_calls.ts";

/** The limits of an assistant. */
export interface AssistantLimits {
  readonly callsPerMinute: number;
  readonly callsPerDay: number;
  readonly recordsPerDay: number;
}

/** The dependencies of `AssistantTrail`. */
export interface TrailServices extends RefusedCallServices {
  readonly database: Database;
  readonly eventContextOf: EventContextReader;
  readonly assistants: AssistantLimits;
  readonly writes: WriteLimits;
}

/** Limits and logs calls. */
export class AssistantTrail {
  readonly #services: TrailServices;
  readonly #minute: RateLimit;
  readonly #today = new CallsOfDay();
  readonly #refused: RefusedCalls;

  constructor(services: TrailServices) {
    this.#services = services;
    this.#minute = new RateLimit("assistant", services.assistants.callsPerMinute);
    const { database } = services;
    // Without the limit of the account's storage: these calls were answered.
    const write = (event: CallEvent) => database.write((sql) => insertAccessEvent(sql, event));
    this.#refused = new RefusedCalls(services, write);
  }

  /**
   * Counts a call, before anything is read.
   *
   * @throws ServiceError `HTTP_429` with `Retry-After` beyond the calls of a minute, or of a day in this
   *   process; `HTTP_503` if the disk is nearly full, because a call that cannot be logged is not answered.
   */
  countCall({ caller: { credential }, now }: SignedInCall): void {
    const { secondsToWait } = this.#minute.consume(credential.id, now);
    if (secondsToWait !== null) throw tooMany(secondsToWait);
    const calls = this.#today.count(credential.id, now);
    if (calls > this.#services.assistants.callsPerDay) throw tooManyToday(now);
    this.#services.writes.assertDiskRoom();
  }

  /** @throws ServiceError `HTTP_429` with `Retry-After` if the calls or the records of the day are used up. */
  async assertWithinLimits(call: SignedInCall): Promise<void> {
    await this.#services.database.read((sql) => this.#assertWithinLimits(sql, call));
  }

  /** Counts from the trail, so that a restart changes nothing and all processes count together. */
  async #assertWithinLimits(sql: Sql, { caller: { account, credential }, now }: SignedInCall) {
    const { callsPerDay, recordsPerDay } = this.#services.assistants;
    const today = new Date(dayOf(now) * DAY_MS);
    const { calls, records } = await countCalls(sql, account.accountId, credential.id, today);
    if (calls >= callsPerDay || records >= recordsPerDay) throw tooManyToday(now);
  }

  /**
   * Writes the event of an answered call. It must be durable before the answer is sent.
   *
   * @throws ServiceError `HTTP_429` if other calls were given the records of the day, `ACCOUNT_STORAGE_FULL`:
   *   the answer is not sent.
   */
  async logCall(call: SignedInCall, toolCall: ToolCall, proposes: boolean): Promise<void> {
    const { account: { accountId }, credential: { id } } = call.caller;
    await this.#write(this.#eventOf(call, toolCall, proposes), async (sql) => {
      if (toolCall.records === 0) return;
      await lockAssistant(sql, accountId, id);
      // A later statement than the lock: it sees the calls that the lock waited for.
      await this.#assertWithinLimits(sql, call);
    });
  }

  /**
   * Notes a refused call: the first of a minute durably, the others with their count later.
   *
   * @throws ServiceError `ACCOUNT_STORAGE_FULL`.
   */
  async logRefusedCall(call: SignedInCall, toolCall: ToolCall, proposes: boolean): Promise<void> {
    const event = this.#eventOf(call, toolCall, proposes);
    await this.#refused.log(event, (first) => this.#write(first, () => Promise.resolve()));
  }

  /** The event of a call, in the transaction of its proposal. */
  insert(sql: Sql, call: SignedInCall, toolCall: ToolCall, proposes: boolean): Query<object> {
    return insertAccessEvent(sql, this.#eventOf(call, toolCall, proposes));
  }

  /** Writes the refused calls that are counted. Called when no call runs. */
  async stop(): Promise<void> {
    await this.#refused.stop();
  }

  /** Writes an event within the account's storage, after a check in the same transaction. */
  async #write(event: CallEvent, check: (sql: Sql) => Promise<void>): Promise<void> {
    const { database, writes: { accountBytes } } = this.#services;
    await database.transaction(async ({ sql }) => {
      await Promise.all([limitStorage(sql, accountBytes), check(sql)]);
      await insertAccessEvent(sql, event);
    }).catch((error) => {
      const full = () => storageFull(accountBytes ?? 0);
      throw constraintRefusal(error, { account_storage_limit: full });
    });
  }

  #eventOf(call: SignedInCall, toolCall: ToolCall, proposes: boolean): CallEvent {
    const { account: { accountId }, credential: { id } } = call.caller;
    return {
      ...this.#services.eventContextOf(call),
      event: proposes ? "ASSISTANT_PROPOSED" : "ASSISTANT_READ",
      accountId,
      credential: { kind: "ASSISTANT", id },
      toolCall,
    };
  }
}

/** Counts the calls of a UTC day by assistant, also those that leave no event. */
class CallsOfDay {
  #day = 0;
  readonly #calls = new Map<string, number>();

  count(assistantId: string, now: Date): number {
    const day = dayOf(now);
    if (day !== this.#day) this.#calls.clear();
    this.#day = day;
    const calls = (this.#calls.get(assistantId) ?? 0) + 1;
    this.#calls.set(assistantId, calls);
    return calls;
  }
}

/** Days of UTC since 1970. */
function dayOf(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS);
}

function tooManyToday(now: Date): ServiceError {
  return tooMany(Math.ceil((DAY_MS - now.getTime() % DAY_MS) / 1000));
}

function tooMany(seconds: number): ServiceError {
  return new ServiceError("HTTP_429", { headers: { "Retry-After": String(seconds) } });
}

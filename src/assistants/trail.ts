/** Access events of assistants' calls, and limits of calls and records. */

import type { EventContextReader } from "../access/event_context.ts";
import { countCalls, insertAccessEvent, type ToolCall } from "../accounts/port.ts";
import { constraintRefusal, storageFull } from "../command/refusals.ts";
import { limitStorage, type WriteLimits } from "../command/write_limits.ts";
import { DAY_MS } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { type ServiceError, tooManyRequests } from "../errors/service_error.ts";
import { RateLimit } from "../http/rate_limit.ts";
import type { SignedInCall } from "../http/route.ts";
import { lockAssistant } from "./assistant_store.ts";
import { type CallEvent, RefusedCalls, type RefusedCallServices } from "./refused_calls.ts";

export interface AssistantLimits {
  readonly callsPerMinute: number;
  readonly callsPerDay: number;
  readonly recordsPerDay: number;
}

export interface TrailServices extends RefusedCallServices {
  readonly database: Database;
  readonly eventContextOf: EventContextReader;
  readonly assistants: AssistantLimits;
  readonly writes: WriteLimits;
}

export class AssistantTrail {
  readonly #services: TrailServices;
  readonly #minute: RateLimit;
  readonly #today = new CallsOfDay();
  readonly #refused: RefusedCalls;

  constructor(services: TrailServices) {
    this.#services = services;
    this.#minute = new RateLimit("assistant", services.assistants.callsPerMinute);
    const { database } = services;
    // Ignores the limit of the account's storage: these calls were answered.
    const write = (event: CallEvent) => database.write((sql) => insertAccessEvent(sql, event));
    this.#refused = new RefusedCalls(services, write);
  }

  /**
   * Counts a call before it reads anything.
   *
   * @throws ServiceError `HTTP_429` with `Retry-After` if the calls of a minute, or of a day in
   *   this process, are used up; `HTTP_503` if the disk is nearly full, because the call cannot be
   *   logged.
   */
  countCall({ caller: { credential }, now }: SignedInCall): void {
    const { secondsToWait } = this.#minute.consume(credential.id, now);
    if (secondsToWait !== null) throw tooManyRequests(secondsToWait);
    const calls = this.#today.count(credential.id, now);
    if (calls > this.#services.assistants.callsPerDay) throw tooManyToday(now);
    this.#services.writes.assertDiskRoom();
  }

  /** @throws ServiceError `HTTP_429` with `Retry-After` if a limit of the day is used up. */
  async assertWithinLimits(call: SignedInCall): Promise<void> {
    await this.#services.database.read((sql) => this.#assertWithinLimits(sql, call));
  }

  /** Counts events, so that restarts do not reset the limits, and processes share them. */
  async #assertWithinLimits(sql: Sql, { caller: { account, credential }, now }: SignedInCall) {
    const { callsPerDay, recordsPerDay } = this.#services.assistants;
    const today = new Date(dayOf(now) * DAY_MS);
    const { calls, records } = await countCalls(sql, account.accountId, credential.id, today);
    if (calls >= callsPerDay || records >= recordsPerDay) throw tooManyToday(now);
  }

  /**
   * Writes the event of an answered call. It must be durable before the answer is sent.
   *
   * @throws ServiceError `HTTP_429` if concurrent calls used up the records of the day;
   *   `ACCOUNT_STORAGE_FULL`. The answer is then not sent.
   */
  async logCall(call: SignedInCall, toolCall: ToolCall, proposes: boolean): Promise<void> {
    const { account: { accountId }, credential: { id } } = call.caller;
    await this.#write(this.#eventOf(call, toolCall, proposes), async (sql) => {
      if (toolCall.records === 0) return;
      await lockAssistant(sql, accountId, id);
      // In a later statement than the lock, to see the calls that the lock waited for.
      await this.#assertWithinLimits(sql, call);
    });
  }

  /**
   * Logs a refused call: the first of a minute at once, later ones as a count.
   *
   * @throws ServiceError `ACCOUNT_STORAGE_FULL`.
   */
  async logRefusedCall(call: SignedInCall, toolCall: ToolCall, proposes: boolean): Promise<void> {
    const event = this.#eventOf(call, toolCall, proposes);
    await this.#refused.log(event, (first) => this.#write(first, () => Promise.resolve()));
  }

  /** Inserts the event of a call, in the transaction of its proposal. */
  insert(sql: Sql, call: SignedInCall, toolCall: ToolCall, proposes: boolean): Query<object> {
    return insertAccessEvent(sql, this.#eventOf(call, toolCall, proposes));
  }

  /** Writes the counted refused calls. Call it when no call runs. */
  async stop(): Promise<void> {
    await this.#refused.stop();
  }

  /** Writes an event within the limit of the account's storage, after `check`. */
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

/** Calls of a UTC day by assistant, including those without an event. */
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

/** Days since 1970, in UTC. */
function dayOf(now: Date): number {
  return Math.floor(now.getTime() / DAY_MS);
}

function tooManyToday(now: Date): ServiceError {
  return tooManyRequests(Math.ceil((DAY_MS - now.getTime() % DAY_MS) / 1000));
}

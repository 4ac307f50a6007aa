/** The access events of an assistant's calls, and the limits that are counted from them. */

import { lockAssistant } from "../access/assistants.ts";
import type { EventContextReader } from "../access/event_context.ts";
import { countGivenRecords, insertAccessEvent, type ToolCall } from "../accounts/port.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { RateLimit } from "../http/rate_limit.ts";
import type { SignedInCall } from "../http/route.ts";

/** The limits of an assistant. */
export interface AssistantLimits {
  readonly callsPerMinute: number;
  readonly recordsPerDay: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Limits and notes calls. */
export class AssistantTrail {
  readonly #database: Database;
  readonly #eventContextOf: EventContextReader;
  readonly #calls: RateLimit;
  readonly #recordsPerDay: number;

  constructor(database: Database, eventContextOf: EventContextReader, limits: AssistantLimits) {
    this.#database = database;
    this.#eventContextOf = eventContextOf;
    this.#calls = new RateLimit("assistant", limits.callsPerMinute);
    this.#recordsPerDay = limits.recordsPerDay;
  }

  /** @throws ServiceError `HTTP_429` with `Retry-After` beyond the calls of a minute. */
  countCall({ caller: { credential }, now }: SignedInCall): void {
    const { secondsToWait } = this.#calls.consume(credential.id, now);
    if (secondsToWait !== null) throw tooMany(secondsToWait);
  }

  /** @throws ServiceError `HTTP_429` with `Retry-After` if the records of the day were given. */
  async assertRecordsLeft(call: SignedInCall): Promise<void> {
    await this.#database.read((sql) => this.#assertLeft(sql, call));
  }

  async #assertLeft(sql: Sql, { caller: { account, credential }, now }: SignedInCall) {
    const passed = now.getTime() % DAY_MS;
    const begun = new Date(now.getTime() - passed);
    const given = await countGivenRecords(sql, account.accountId, credential.id, begun);
    if (given >= this.#recordsPerDay) throw tooMany(Math.ceil((DAY_MS - passed) / 1000));
  }

  /**
   * Writes the event of a call. It must be durable before the answer is sent.
   *
   * @throws ServiceError `HTTP_429` if other calls were given the records of the day: the answer is not sent.
   */
  async note(call: SignedInCall, toolCall: ToolCall, proposes: boolean): Promise<void> {
    if (toolCall.records === 0) {
      await this.#database.write((sql) => this.insert(sql, call, toolCall, proposes));
      return;
    }
    const { account: { accountId }, credential: { id } } = call.caller;
    await this.#database.transaction(async ({ sql }) => {
      await lockAssistant(sql, accountId, id);
      // A later statement than the lock: it sees the calls that the lock waited for.
      await this.#assertLeft(sql, call);
      await this.insert(sql, call, toolCall, proposes);
    });
  }

  /** The same in the transaction of a proposal. */
  insert(sql: Sql, call: SignedInCall, toolCall: ToolCall, proposes: boolean): Query<object> {
    const { account: { accountId }, credential: { id } } = call.caller;
    return insertAccessEvent(sql, {
      ...this.#eventContextOf(call),
      event: proposes ? "ASSISTANT_PROPOSED" : "ASSISTANT_READ",
      accountId,
      credential: { kind: "ASSISTANT", id },
      toolCall,
    });
  }
}

function tooMany(seconds: number): ServiceError {
  return new ServiceError("HTTP_429", { headers: { "Retry-After": String(seconds) } });
}

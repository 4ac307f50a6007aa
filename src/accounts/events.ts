import type { EventContext } from "../access/event_context.ts";
import { firstIdAt, newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Credential } from "../access/identity.ts";

export const ACCESS_EVENTS = [
  "ACCOUNT_CREATED",
  "ACCOUNT_DISABLED",
  "ACCOUNT_ENABLED",
  "LOGIN",
  "LOGIN_FAILED",
  "LOGOUT",
  "SESSION_REVOKED",
  "PASSWORD_CHANGED",
  "PASSWORD_RESET",
  "TOKEN_CREATED",
  "TOKEN_REVOKED",
  "STEP_UP",
  "STEP_UP_FAILED",
  "ROLE_GRANTED",
  "ROLE_REVOKED",
  "PERMISSION_GRANTED",
  "PERMISSION_REVOKED",
  "SECOND_FACTOR_ENABLED",
  "SECOND_FACTOR_DISABLED",
  "SECOND_FACTOR_RESET",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_FAILED",
  "SECOND_FACTOR_LOCKED",
  "RECOVERY_CODES_REPLACED",
  "RECOVERY_CODE_USED",
  "ACCOUNT_FROZEN",
  "ACCOUNT_UNFROZEN",
  "ACCOUNT_EXPORTED",
  "ACCOUNT_IMPORTED",
  "ACCOUNT_RETIRED",
  "SECRET_READ",
  "PASSKEY_ADDED",
  "PASSKEY_REMOVED",
  "PASSKEY_COUNTER",
  "CALENDAR_FEED_CREATED",
  "CALENDAR_FEED_ROTATED",
  "CALENDAR_FEED_REVOKED",
  "ASSISTANT_CREATED",
  "ASSISTANT_REVOKED",
  "ASSISTANT_READ",
  "ASSISTANT_PROPOSED",
  "ASSISTANT_ALLOWED",
  "ASSISTANT_SIGNED_IN",
  "ASSISTANT_TOKEN_REUSED",
] as const;

export type AccessEventName = (typeof ACCESS_EVENTS)[number];

/** The kinds of credentials that events name: those of requests, and addresses of calendars. */
export type EventCredentialKind = Credential["kind"] | "CALENDAR";

/** An event names what happened, never a value (specification, Events). */
export interface AccessEvent extends EventContext {
  readonly event: AccessEventName;
  /** Null for a failed login with an unknown email. */
  readonly accountId: string | null;
  /** The credential that was created, used or ended; `ADMIN` for the admin command. */
  readonly credential: {
    readonly kind: EventCredentialKind;
    readonly id: string | null;
  } | null;
  /** Absent unless an assistant called. */
  readonly toolCall?: ToolCall;
}

/** The request of an assistant's call, without any of its text. */
export interface ToolCall {
  readonly tool: string;
  /** Null if it named no module, or several. */
  readonly moduleCode: string | null;
  /** How many records or revisions it was given. */
  readonly records: number;
  /** The number of refused calls that the event reports; absent if it reports one call. */
  readonly count?: number;
}

/** The account identifier in events that concern no existing account. */
const UNKNOWN_ACCOUNT = "0".repeat(26);

/** Minimum time between stored logins with unknown emails, which anyone can cause. */
const UNKNOWN_EVERY_MS = 60_000;

/**
 * Stores an event, but skips one of an unknown account within a minute of another; two concurrent
 * ones may both be stored.
 */
export function insertAccessEvent(sql: Sql, event: AccessEvent): Query<object> {
  return sql`
    insert into access_events (account_id, event_id, event, credential_kind, credential_id,
                               address_digest, client, request_id, created_at, tool, module_code,
                               records, count)
    select ${event.accountId ?? UNKNOWN_ACCOUNT}, ${newId(event.now)}, ${event.event},
           ${event.credential?.kind ?? null}, ${event.credential?.id ?? null},
           ${event.client?.addressDigest ?? null}, ${event.client?.name ?? null},
           ${event.requestId}, ${event.now}, ${event.toolCall?.tool ?? null},
           ${event.toolCall?.moduleCode ?? null}, ${event.toolCall?.records ?? null}::integer,
           ${event.toolCall?.count ?? null}::integer
     where ${event.accountId !== null} or not exists (
             select from access_events
              where account_id = ${UNKNOWN_ACCOUNT} and event_id >= ${
    idAfter(event.now, -UNKNOWN_EVERY_MS)
  }
                and event_id < ${idAfter(event.now, UNKNOWN_EVERY_MS)})`;
}

/** Counts an assistant's noted calls since a time, and the records that it was given. */
export async function countCalls(
  sql: Sql,
  accountId: string,
  assistantId: string,
  since: Date,
): Promise<{ readonly calls: number; readonly records: number }> {
  const [row] = await sql<{ readonly calls: number; readonly records: number }>`
    select coalesce(sum(coalesce(count, 1)), 0)::integer as calls,
           coalesce(sum(records), 0)::integer as records
      from access_events
     where account_id = ${accountId} and credential_kind = 'ASSISTANT'
       and credential_id = ${assistantId} and event_id >= ${firstIdAt(since)}
       and records is not null`;
  return row ?? { calls: 0, records: 0 };
}

function idAfter(moment: Date, milliseconds: number): string {
  return firstIdAt(new Date(moment.getTime() + milliseconds));
}

import {
  type ClientRow,
  SHOWN_CLIENT,
  type ShownClient,
  toShownClient,
} from "../access/event_context.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { ACCESS_EVENTS, type AccessEvent, type AccessEventName, type ToolCall } from "./events.ts";

/** An access event as shown: its names, never a value (specification, Events). */
export interface PublicAccessEvent extends ShownClient, Partial<ToolCall> {
  readonly eventId: string;
  readonly event: AccessEventName;
  readonly credentialKind: NonNullable<AccessEvent["credential"]>["kind"] | null;
  readonly credentialId: string | null;
  readonly requestId: string;
  readonly createdAt: string;
}

export const ACCESS_EVENT_SCHEMA: JsonSchema = component<PublicAccessEvent>("AccessEvent", {
  eventId: ULID,
  event: enumOf(ACCESS_EVENTS),
  credentialKind: nullable(enumOf(["SESSION", "TOKEN", "ADMIN", "CALENDAR", "ASSISTANT"])),
  credentialId: nullable(ULID),
  ...SHOWN_CLIENT,
  requestId: TEXT,
  createdAt: TIME,
  tool: TEXT,
  moduleCode: nullable(TEXT),
  records: COUNT,
  count: {
    ...COUNT,
    description:
      "The number of refused calls that the event reports; absent if it reports one call.",
  },
}, ["tool", "moduleCode", "records", "count"]);

export interface AccessEventRow extends ClientRow {
  readonly event_id: string;
  readonly event: PublicAccessEvent["event"];
  readonly credential_kind: PublicAccessEvent["credentialKind"];
  readonly credential_id: string | null;
  readonly request_id: string;
  readonly created_at: Date;
  /** Absent unless an assistant called. */
  readonly tool?: string | null;
  readonly module_code?: string | null;
  readonly records?: number | null;
  readonly count?: number | null;
}

/**
 * Reads one more row than the page holds, newest first.
 *
 * @throws ServiceError `PAYLOAD_INVALID` for a cursor that is not one of this account's events.
 */
export async function readAccessTrail(
  database: Database,
  accountId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<AccessEventRow[]> {
  return await database.read(async (sql) => {
    const [cursors, rows] = await Promise.all([
      cursor === null ? null : sql`
        select 1 from access_events where account_id = ${accountId} and event_id = ${cursor}`,
      sql<AccessEventRow>`
        select ${accessEventColumns(sql)} from access_events
         where account_id = ${accountId} ${cursor === null ? sql`` : sql`and event_id < ${cursor}`}
         order by event_id desc limit ${limit + 1}`,
    ]);
    if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return rows;
  });
}

function accessEventColumns(sql: Sql): Query<object> {
  return sql`event_id, event, credential_kind, credential_id, address_digest, client, request_id,
    created_at, tool, module_code, records, count`;
}

/** The rows to seal: `account_id`, `id`, `transaction_id` and an event's columns. */
export function accessEventRows(sql: Sql): Query<object> {
  return sql`
    select account_id, event_id as id, transaction_id, ${accessEventColumns(sql)}
      from access_events`;
}

export function toPublicAccessEvent(row: AccessEventRow): PublicAccessEvent {
  return {
    eventId: row.event_id,
    event: row.event,
    credentialKind: row.credential_kind,
    credentialId: row.credential_id,
    ...toShownClient(row),
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
    ...toToolCall(row),
  };
}

/**
 * Absent from all other events, whose hashes are sealed without it. A forged part of it shows, too.
 */
function toToolCall(
  { tool = null, module_code: moduleCode = null, records = null, count = null }: AccessEventRow,
): Partial<ToolCall> {
  if (tool === null && moduleCode === null && records === null && count === null) return {};
  return { tool: tool ?? "", moduleCode, records: records ?? 0, ...(count !== null && { count }) };
}

/** An assistant as its owner sees it, and how one is requested. No SQL, no HTTP. */

import {
  ASSISTANT_LIFETIME_MS,
  type AssistantRow,
  type NewAssistant,
} from "../access/assistants.ts";
import { moduleCodes } from "../accounts/port.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import {
  boolean,
  type InferObject,
  oneOf,
  optional,
  string,
  timestamp,
} from "../validate/schema.ts";

/** An assistant. */
export interface Assistant {
  readonly assistantId: string;
  readonly name: string;
  /** The codes of the modules that are lent to it. */
  readonly modules: readonly string[];
  readonly mayPropose: boolean;
  readonly sensitive: "HIDDEN" | "SHOWN";
  readonly createdAt: string;
  readonly until: string;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export const ASSISTANT_SCHEMA: JsonSchema = component<Assistant>("Assistant", {
  assistantId: ULID,
  name: TEXT,
  modules: listOf(TEXT),
  mayPropose: { type: "boolean" },
  sensitive: enumOf(["HIDDEN", "SHOWN"]),
  createdAt: TIME,
  until: TIME,
  revokedAt: nullable(TIME),
  lastUsedAt: nullable(TIME),
});

/** The body of a new assistant. */
export const ASSISTANT_BODY = {
  name: string({ maximum: 100 }),
  modules: moduleCodes,
  mayPropose: optional(boolean),
  sensitive: optional(oneOf("HIDDEN", "SHOWN")),
  until: optional(timestamp),
};

/** @throws ServiceError `PAYLOAD_INVALID` for an end that has passed, or is over 90 days away. */
export function toNewAssistant(
  { name, modules, mayPropose = false, sensitive = "HIDDEN", until }: InferObject<
    typeof ASSISTANT_BODY
  >,
  now: Date,
): NewAssistant {
  const latest = now.getTime() + ASSISTANT_LIFETIME_MS;
  const expires_at = until ?? new Date(latest);
  if (expires_at <= now || expires_at.getTime() > latest) {
    throw payloadInvalid(["field.range"], ["until"]);
  }
  return { name, modules: modules.join(" "), may_propose: mayPropose, sensitive, expires_at };
}

/** The public form of a row. */
export function toAssistant(row: AssistantRow): Assistant {
  return {
    assistantId: row.assistant_id,
    name: row.name,
    modules: row.modules.split(" "),
    mayPropose: row.may_propose,
    sensitive: row.sensitive,
    createdAt: row.created_at.toISOString(),
    until: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}

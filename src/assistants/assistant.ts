/** Assistants: columns, public form and body. No SQL, no HTTP. */

import { moduleCodes, moduleList } from "../accounts/port.ts";
import { DAY_MS } from "../core/clock.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../kit/columns.ts";
import { choice, flag, id, shortText, stamp } from "../kit/kinds.ts";
import { component, type JsonSchema } from "../validate/json_schema.ts";
import {
  boolean,
  type InferObject,
  oneOf,
  optional,
  string,
  timestamp,
} from "../validate/schema.ts";

/** Maximum lifetime of an assistant, which is also the default. */
const LIFETIME_MS = 90 * DAY_MS;

const SENSITIVE = ["HIDDEN", "SHOWN"] as const;

/** Columns by the names of the public form, in its order. */
const SHOWN = {
  assistant_id: id,
  name: shortText(),
  modules: moduleList,
  may_propose: flag,
  sensitive: choice(SENSITIVE),
  created_at: stamp,
  until: stamp,
  revoked_at: orNull(stamp),
  last_used_at: orNull(stamp),
};

const { until: expires_at, ...SAME_NAME } = SHOWN;

/** Columns of `assistants`, without the digest of the secret. */
export const ASSISTANT = { ...SAME_NAME, expires_at };

export type AssistantRow = RowOf<typeof ASSISTANT>;
type Assistant = ShownOf<typeof SHOWN>;

export const ASSISTANT_SCHEMA: JsonSchema = component<Assistant>("Assistant", membersOf(SHOWN));

/** Columns that a request states. */
export type NewAssistant = Pick<
  AssistantRow,
  "name" | "modules" | "may_propose" | "sensitive" | "expires_at"
>;

export const ASSISTANT_BODY = {
  name: string({ maximum: 100 }),
  modules: moduleCodes,
  mayPropose: optional(boolean),
  sensitive: optional(oneOf(...SENSITIVE)),
  until: optional(timestamp),
};

/** @throws ServiceError `PAYLOAD_INVALID` for an end in the past, or over 90 days away. */
export function toNewAssistant(
  { name, modules, mayPropose = false, sensitive = "HIDDEN", until }: InferObject<
    typeof ASSISTANT_BODY
  >,
  now: Date,
): NewAssistant {
  const latest = now.getTime() + LIFETIME_MS;
  const expires_at = until ?? new Date(latest);
  if (expires_at <= now || expires_at.getTime() > latest) {
    throw payloadInvalid(["field.range"], ["until"]);
  }
  return { name, modules: modules.join(" "), may_propose: mayPropose, sensitive, expires_at };
}

export function toAssistant(row: AssistantRow): Assistant {
  return showColumns(SHOWN, { ...row, until: row.expires_at });
}

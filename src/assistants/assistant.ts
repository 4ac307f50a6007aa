/** Assistants: columns, public form and body. No SQL, no HTTP. */

import { moduleCodes, moduleList } from "../accounts/port.ts";
import { DAY_MS } from "../core/clock.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { membersOf, orNull, type RowOf, showColumns, type ShownOf } from "../kit/columns.ts";
import { choice, flag, id, shortText, stamp } from "../kit/kinds.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  ULID,
} from "../validate/json_schema.ts";
import {
  boolean,
  type InferObject,
  object,
  oneOf,
  optional,
  string,
  timestamp,
} from "../validate/schema.ts";
import { storedCallbacks, typedCallbacks } from "./sign_in/callbacks.ts";
import { callbacksOf, type Program, PROGRAMS } from "./sign_in/programs.ts";

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
export const ASSISTANT = {
  ...SAME_NAME,
  expires_at,
  /** Null if the assistant has a pasted token. */
  program: orNull(choice(PROGRAMS)),
  /** The callbacks of `OTHER`, separated by spaces. */
  callbacks: orNull(shortText()),
  bound_callback: orNull(shortText()),
};

type StoredAssistant = RowOf<typeof ASSISTANT>;

export interface AssistantRow extends StoredAssistant {
  /** How many sign-ins have not ended. */
  readonly sign_ins: number;
}

/** How a program signs in as the assistant. */
interface SignIn {
  readonly clientId: string;
  readonly program: Program;
  readonly callbacks: readonly string[];
  /** The first allowed callback, if each connection of the program has one of its own. */
  readonly boundTo: string | null;
  readonly signIns: number;
}

/** The public form; `signIn` is absent if the assistant has a pasted token. */
interface Assistant extends ShownOf<typeof SHOWN> {
  readonly signIn?: SignIn;
}

const SIGN_IN: Readonly<Record<keyof SignIn, JsonSchema>> = {
  clientId: ULID,
  program: enumOf(PROGRAMS),
  callbacks: listOf(TEXT),
  boundTo: nullable(TEXT),
  signIns: COUNT,
};

export const ASSISTANT_SCHEMA: JsonSchema = component<Assistant>("Assistant", {
  ...membersOf(SHOWN),
  signIn: objectOf(SIGN_IN),
}, ["signIn"]);

/** Columns that a request states. */
export type NewAssistant = Pick<
  AssistantRow,
  "name" | "modules" | "may_propose" | "sensitive" | "expires_at" | "program" | "callbacks"
>;

export const ASSISTANT_BODY = {
  name: string({ maximum: 100 }),
  modules: moduleCodes,
  mayPropose: optional(boolean),
  sensitive: optional(oneOf(...SENSITIVE)),
  until: optional(timestamp),
  signIn: optional(object({ program: oneOf(...PROGRAMS), callbacks: optional(typedCallbacks) })),
};

/**
 * @throws ServiceError `PAYLOAD_INVALID` for an end in the past or over 90 days away, or callbacks
 *   that the program needs or may not have.
 */
export function toNewAssistant(
  { name, modules, mayPropose = false, sensitive = "HIDDEN", until, signIn }: InferObject<
    typeof ASSISTANT_BODY
  >,
  now: Date,
): NewAssistant {
  const latest = now.getTime() + LIFETIME_MS;
  const expires_at = until ?? new Date(latest);
  if (expires_at <= now || expires_at.getTime() > latest) {
    throw payloadInvalid(["field.range"], ["until"]);
  }
  return {
    name,
    modules: modules.join(" "),
    may_propose: mayPropose,
    sensitive,
    expires_at,
    program: signIn?.program ?? null,
    callbacks: signIn === undefined ? null : storedCallbacks(signIn.program, signIn.callbacks),
  };
}

export function toAssistant(row: AssistantRow): Assistant {
  const shown = showColumns(SHOWN, { ...row, until: row.expires_at });
  if (row.program === null) return shown;
  const signIn = {
    clientId: row.assistant_id,
    program: row.program,
    callbacks: callbacksOf(row.program, row.callbacks),
    boundTo: row.bound_callback,
    signIns: row.sign_ins,
  };
  return { ...shown, signIn };
}

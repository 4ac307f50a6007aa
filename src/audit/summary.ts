/** Counts of an account's events since a given time, for a notice at sign-in. */

import { ACCESS_EVENTS, countEvents, type EventCount } from "../accounts/port.ts";
import type { Caller } from "../access/identity.ts";
import { countNewSources, findPreviousSignIn } from "../access/sign_in_sources.ts";
import { countOperations } from "./audit_trail.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  TIME,
} from "../validate/json_schema.ts";
import { optional, readQuery, timestamp } from "../validate/schema.ts";

/** How many of the newest events, and of the newest audit entries, are counted. */
const COUNTED = 5_000;

/** The operations that write a file of an account's content. */
const EXPORTS = ["account.export", "memory.export.create", "resource.export.create"];

/** Counts since a given time. */
export interface TrailSummary {
  /** Null if there was no sign-in before. */
  readonly since: string | null;
  readonly until: string;
  readonly events: readonly EventCount[];
  /** Sources of sign-ins that were not seen before. */
  readonly newSources: number;
  readonly exports: number;
  /** False if there were more events than are counted. */
  readonly isWhole: boolean;
}

const SUMMARY_SCHEMA: JsonSchema = component<TrailSummary>("TrailSummary", {
  since: nullable({
    ...TIME,
    description:
      "As asked; else the sign-in before, from the session's own source if there is one.",
  }),
  until: TIME,
  events: listOf(component<EventCount>("AccessEventCount", {
    event: enumOf(ACCESS_EVENTS),
    credentialKind: nullable(enumOf(["SESSION", "TOKEN", "ADMIN"])),
    count: COUNT,
  })),
  newSources: {
    ...COUNT,
    description:
      "Pairs of address and client that signed in, and had not in 1,000 sign-ins before.",
  },
  exports: COUNT,
  isWhole: { type: "boolean" },
});

/** The endpoint of `/api/v2/audit/summary`. */
export function createSummaryEndpoint(database: Database): Endpoint {
  const query = { since: optional(timestamp) };
  return endpoint({
    contract: {
      summary: "Count what happened to the account since a moment, or since the sign-in before",
      query,
      responses: { 200: { data: SUMMARY_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: (call) => readQuery(query, call.query),
    async handle({ parsed: { since }, caller, now }) {
      return ok(await database.read((sql) => summarise(sql, caller, since, now)));
    },
  });
}

async function summarise(
  sql: Sql,
  { account: { accountId }, credential }: Caller,
  asked: Date | undefined,
  now: Date,
): Promise<TrailSummary> {
  const own = credential.kind === "SESSION" ? credential.id : null;
  const since = asked ?? (await findPreviousSignIn(sql, accountId, own))[0]?.at ?? null;
  const from = since ?? new Date(0);
  const [events, [sources], [exports]] = await Promise.all([
    countEvents(sql, accountId, from, COUNTED),
    countNewSources(sql, accountId, from, own),
    countOperations(sql, accountId, EXPORTS, from, COUNTED),
  ]);
  const count = events.reduce((sum, event) => sum + event.count, 0);
  const { counted = 0, examined = 0 } = exports ?? {};
  return {
    since: since?.toISOString() ?? null,
    until: now.toISOString(),
    events: [...events],
    newSources: sources?.count ?? 0,
    exports: counted,
    isWhole: count < COUNTED && examined < COUNTED,
  };
}

/** Counts of events for a notice at sign-in. */

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

/** Maximum events counted of each kind, newest first. */
const COUNTED = 5_000;

const EXPORTS = ["account.export", "memory.export.create", "resource.export.create"];

export interface TrailSummary {
  /** Null without an earlier sign-in. */
  readonly since: string | null;
  readonly until: string;
  readonly events: readonly EventCount[];
  readonly newSources: number;
  readonly exports: number;
  /** False if there were more events than are counted. */
  readonly isWhole: boolean;
}

const SUMMARY_SCHEMA: JsonSchema = component<TrailSummary>("TrailSummary", {
  since: nullable({
    ...TIME,
    description:
      "The requested time, or the previous sign-in, preferably from the session's own source.",
  }),
  until: TIME,
  events: listOf(component<EventCount>("AccessEventCount", {
    event: enumOf(ACCESS_EVENTS),
    credentialKind: nullable(enumOf(["SESSION", "TOKEN", "ADMIN", "CALENDAR", "ASSISTANT"])),
    count: COUNT,
  })),
  newSources: {
    ...COUNT,
    description:
      "Pairs of address and client that signed in, but not in the 1,000 earlier sign-ins.",
  },
  exports: COUNT,
  isWhole: { type: "boolean" },
});

export function createSummaryEndpoint(database: Database): Endpoint {
  const query = { since: optional(timestamp) };
  return endpoint({
    contract: {
      summary: "Count the account's events since a time, or since the previous sign-in",
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
  const [counted, [sources], [exports]] = await Promise.all([
    countEvents(sql, accountId, from, COUNTED),
    countNewSources(sql, accountId, from, own),
    countOperations(sql, accountId, EXPORTS, from, COUNTED),
  ]);
  const rows = counted.reduce((sum, { examined }) => sum + examined, 0);
  return {
    since: since?.toISOString() ?? null,
    until: now.toISOString(),
    events: counted.map(({ examined: _, ...event }) => event),
    newSources: sources?.count ?? 0,
    exports: exports?.counted ?? 0,
    isWhole: rows < COUNTED && (exports?.examined ?? 0) < COUNTED,
  };
}

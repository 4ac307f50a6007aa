/** Seals with their entries, so that a reader can recompute them without this service. */

import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { ACCESS_EVENT_SCHEMA } from "../accounts/port.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  REVISION,
} from "../validate/json_schema.ts";
import { oneOf, optional, readQuery, revision } from "../validate/schema.ts";
import { AUDIT_ENTRY_SCHEMA } from "./audit_entry.ts";
import { type Seal, SEAL_SCHEMA } from "./seal.ts";
import { readChainLinks, readCovered, toSeal } from "./seal_store.ts";
import { toTrailEntry, type Trail, TRAIL_KINDS, type TrailEntry, type TrailRow } from "./trail.ts";

/** A page ends after this many seals, or after the seal that reaches this many entries. */
const PAGE = { seals: 100, entries: 1_000 } as const;

interface SealedEntries {
  readonly seal: Seal;
  readonly entries: readonly TrailEntry[];
}

/** Seals, oldest first. */
interface ChainPart {
  readonly items: readonly SealedEntries[];
  /** Number of the next seal; null at the end of the chain. */
  readonly next: number | null;
}

const CHAIN_SCHEMA: JsonSchema = objectOf({
  items: listOf(component<SealedEntries>("SealedEntries", {
    seal: SEAL_SCHEMA,
    entries: listOf({ anyOf: [AUDIT_ENTRY_SCHEMA, ACCESS_EVENT_SCHEMA] }),
  })),
  next: nullable(REVISION),
});

export function createChainEndpoint(database: Database): Endpoint {
  const query = { kind: optional(oneOf(...TRAIL_KINDS)), from: optional(revision) };
  return endpoint({
    contract: {
      summary: "List the seals with the entries they cover, oldest first, starting at a number",
      query,
      responses: { 200: { data: CHAIN_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: (call) => readQuery(query, call.query),
    async handle({ parsed: { kind = "audit", from = 1 }, caller }) {
      const trail = { accountId: caller.account.accountId, kind };
      return ok(await database.read((sql) => readPart(sql, trail, from)));
    },
  });
}

async function readPart(sql: Sql, trail: Trail, from: number): Promise<ChainPart> {
  const links = await readChainLinks(sql, trail, from, PAGE.seals + 1);
  const items: SealedEntries[] = [];
  let count = 0;
  for (const link of links) {
    if (items.length === PAGE.seals || count >= PAGE.entries) {
      return { items, next: link.seal.number };
    }
    const entries: TrailEntry[] = [];
    for await (const row of readCovered(sql, link)) {
      if (hasMoment(row)) entries.push(toTrailEntry(row));
    }
    count += entries.length;
    items.push({ seal: toSeal(link.seal), entries });
  }
  return { items, next: null };
}

/** False for a forged row with an invalid timestamp: it has no JSON form, and breaks its seal. */
function hasMoment({ created_at }: TrailRow): boolean {
  return Number.isFinite(created_at.getTime());
}

import { ACCESS_EVENT_SCHEMA } from "../accounts/port.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, toPage } from "../http/page.ts";
import { readPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  COUNT,
  type JsonSchema,
  listOf,
  nullable,
  SHA256,
} from "../validate/json_schema.ts";
import { oneOf, optional, readQuery } from "../validate/schema.ts";
import { AUDIT_ENTRY_SCHEMA } from "./audit_entry.ts";
import { inclusionPath } from "./merkle.ts";
import { hexOf, type Seal, SEAL_SCHEMA } from "./seal.ts";
import {
  findEntry,
  findSeal,
  readCovered,
  readSealsBefore,
  sealOfCursor,
  toSeal,
} from "./seal_store.ts";
import { toTrailEntry, type Trail, TRAIL_KINDS, type TrailEntry, trailLeaf } from "./trail.ts";

/** The position of an entry: a leaf of a seal's tree (RFC 6962, 2.1.1). */
interface Inclusion {
  readonly seal: Seal;
  /** Position of the leaf, from 0. */
  readonly leafIndex: number;
  /** Hashes from the leaf up to the root, in hex. */
  readonly path: readonly string[];
}

/** `inclusion` is null while the entry waits for its seal. */
interface AuditProof {
  readonly entry: TrailEntry;
  readonly inclusion: Inclusion | null;
}

const INCLUSION_SCHEMA: JsonSchema = component<Inclusion>("Inclusion", {
  seal: SEAL_SCHEMA,
  leafIndex: COUNT,
  path: listOf(SHA256),
});

const PROOF_SCHEMA: JsonSchema = component<AuditProof>("AuditEntryProof", {
  entry: { anyOf: [AUDIT_ENTRY_SCHEMA, ACCESS_EVENT_SCHEMA] },
  inclusion: nullable(INCLUSION_SCHEMA),
});

const KIND_QUERY = { kind: optional(oneOf(...TRAIL_KINDS)) };

export function createSealEndpoints(
  database: Database,
): Readonly<Record<"seals" | "proof", Endpoint>> {
  return { seals: sealsEndpoint(database), proof: proofEndpoint(database) };
}

function sealsEndpoint(database: Database): Endpoint {
  const query = { ...PAGE_QUERY, ...KIND_QUERY };
  return endpoint({
    contract: {
      summary: "List the seals over the caller's audit entries or access events, newest first",
      query,
      responses: { 200: { data: pageOf(SEAL_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readQuery(query, call.query),
    async handle(
      { parsed: { limit = PAGE_LIMIT.standard, cursor = null, kind = "audit" }, caller },
    ) {
      const trail = { accountId: caller.account.accountId, kind };
      const seals = await database.read(async (sql) => {
        const [cursors, found] = await Promise.all([
          cursor === null ? null : sealOfCursor(sql, trail, cursor),
          readSealsBefore(sql, trail, cursor, limit + 1),
        ]);
        if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        return found;
      });
      return ok(toPage(seals, limit, toSeal, ({ sealId }) => sealId));
    },
  });
}

function proofEndpoint(database: Database): Endpoint {
  return endpoint({
    contract: {
      summary: "Prove that a seal covers an audit entry or, with `kind=access`, an access event",
      query: KIND_QUERY,
      responses: { 200: { data: PROOF_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => ({
      id: readPathId(call, "auditId"),
      kind: readQuery(KIND_QUERY, call.query).kind ?? "audit",
    }),
    async handle({ parsed: { id, kind }, caller }) {
      const trail = { accountId: caller.account.accountId, kind };
      return ok(await database.read((sql) => prove(sql, trail, id)));
    },
  });
}

/** @throws ServiceError `RECORD_NOT_FOUND`. */
async function prove(sql: Sql, trail: Trail, id: string): Promise<AuditProof> {
  const found = await findEntry(sql, trail, id);
  if (found === null) throw new ServiceError("RECORD_NOT_FOUND");
  const entry = toTrailEntry(found);
  const covering = found.number === null ? null : await findSeal(sql, trail, found.number);
  if (covering === null) return { entry, inclusion: null };
  const leaves: Uint8Array[] = [];
  let leafIndex = 0;
  for await (const row of readCovered(sql, covering)) {
    if (row.id < id) leafIndex++;
    leaves.push(trailLeaf(trail.accountId, toTrailEntry(row)));
  }
  const path = inclusionPath(leaves, leafIndex).map(hexOf);
  return { entry, inclusion: { seal: toSeal(covering.seal), leafIndex, path } };
}

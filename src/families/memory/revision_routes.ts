/** MEM-004: revisions of a memory, read back exactly, and revisions that a client states. */

import type { Query, Sql } from "../../database/sql.ts";
import { readRows } from "../../database/walk.ts";
import { changeEndpoint } from "../../kit/write_routes.ts";
import { listBelowEndpoint, revisionsOf } from "../../kit/list_routes.ts";
import { revisionEndpoint } from "../../kit/read_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { checkRevise, decideRevise } from "./memory_rules.ts";
import { REVISE_BODY } from "./memory_schema.ts";
import {
  longRevisionColumns,
  MEMORIES,
  type MemoryRevisionRow,
  type MemoryTypes,
  shortRevisionColumns,
} from "./memory_store.ts";
import { MEMORY_REVISION_SCHEMA } from "./memory_view.ts";

const REVISIONS = revisionsOf<MemoryTypes, MemoryRevisionRow>(MEMORIES, {
  cursor: revisionOfCursor,
  rows(sql, reader, key, { cursor, limit }) {
    const owner = reader.account.accountId;
    // The cursor is an identifier, but the order is by revision number.
    const before = cursor === null
      ? sql``
      : sql`and v.revision < (${revisionOfCursor(sql, owner, key, cursor)})`;
    const revisions = (columns: Query<object>, limit: number) =>
      sql`
        select ${columns}
          from memories m join memory_revisions v using (owner_id, memory_id)
         where m.owner_id = ${owner} and m.memory_id = ${key.memoryId} ${before}
         order by v.revision desc limit ${limit}`;
    return readRows<MemoryRevisionRow>(sql, revisions, {
      columns: shortRevisionColumns(sql),
      long: longRevisionColumns(sql, reader),
      limit,
    });
  },
  schema: MEMORY_REVISION_SCHEMA,
});

function revisionOfCursor(
  sql: Sql,
  owner: string,
  { memoryId }: MemoryTypes["key"],
  cursor: string,
): Query<object> {
  return sql`
    select revision from memory_revisions
     where owner_id = ${owner} and memory_id = ${memoryId} and revision_id = ${cursor}`;
}

export function createRevisionEndpoints(
  services: FamilyServices,
): Readonly<Record<"revise" | "listRevisions" | "revision", Endpoint>> {
  return {
    revise: changeEndpoint(services, MEMORIES, {
      summary: "Revise a memory",
      body: REVISE_BODY,
      example: { expectedRevision: 1, title: "The lake at dusk" },
      check: checkRevise,
      decide: decideRevise,
    }),
    listRevisions: listBelowEndpoint(services, MEMORIES, REVISIONS, {
      summary: "List the revisions of a memory, newest first",
    }),
    revision: revisionEndpoint(services, MEMORIES, MEMORY_REVISION_SCHEMA, {
      summary: "Read a memory exactly as it was at a revision",
    }),
  };
}

/** MEM-004: the revisions of a memory, each read back exactly. */

import type { Identity } from "../access/identity.ts";
import type { Query } from "../database/sql.ts";
import { readRows } from "../database/walk.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { readPageQuery, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import type { MemoryServices } from "./commands.ts";
import { REVISION_CONTRACTS } from "./contracts.ts";
import { readId, readPathId, readPathRevision } from "./schema.ts";
import {
  findMemory,
  findMemoryAt,
  longRevisionColumns,
  type MemoryRevisionRow,
  shortRevisionColumns,
} from "./store.ts";
import { showMemory, type ShownRevision } from "./view.ts";

/** One endpoint for each route. */
export interface RevisionEndpoints {
  readonly listRevisions: Endpoint;
  readonly revision: Endpoint;
}

/** The endpoints of `/texts/{memoryId}/revisions` that read. */
export function createRevisionEndpoints({ database }: MemoryServices): RevisionEndpoints {
  return {
    listRevisions: endpoint({
      contract: REVISION_CONTRACTS.listRevisions,
      body: "none",
      parse({ params, query }) {
        return { memoryId: readId(params, "memoryId"), ...readPageQuery(query) };
      },
      async handle({ parsed: { memoryId, limit, cursor }, identity }) {
        const owner = identity.account.accountId;
        const walked = await database.read(async (sql) => {
          // The cursor names a revision; revision numbers, not identifiers, give the order.
          const before = () =>
            sql<{ revision: number }>`
            select revision from memory_revisions
             where owner_id = ${owner} and memory_id = ${memoryId} and revision_id = ${cursor}`;
          const revisions = (columns: Query<object>, limit: number) =>
            sql`
            select ${columns}
              from memories m join memory_revisions v using (owner_id, memory_id)
             where m.owner_id = ${owner} and m.memory_id = ${memoryId}
               ${cursor === null ? sql`` : sql`and v.revision < (${before()})`}
             order by v.revision desc limit ${limit}`;
          const [found, known, walked] = await Promise.all([
            findMemory(sql, owner, memoryId),
            cursor === null ? null : before(),
            readRows<MemoryRevisionRow>(sql, revisions, {
              columns: shortRevisionColumns(sql),
              long: longRevisionColumns(sql, identity),
              limit,
            }),
          ]);
          if (found.length === 0) throw new ServiceError("RECORD_NOT_FOUND");
          if (known?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
          return walked;
        });
        const toItem = (row: MemoryRevisionRow) => showRevision(row, identity);
        return ok(toWalkedPage(walked, toItem, (row) => row.revision_id));
      },
    }),

    revision: endpoint({
      contract: REVISION_CONTRACTS.revision,
      body: "none",
      parse: (call) => ({
        memoryId: readPathId(call, "memoryId"),
        revision: readPathRevision(call.params),
      }),
      async handle({ parsed: { memoryId, revision }, identity }) {
        const [row] = await database.read((sql) =>
          findMemoryAt(sql, identity.account.accountId, memoryId, revision)
        );
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(showRevision(row, identity));
      },
    }),
  };
}

function showRevision(row: MemoryRevisionRow, reader: Identity): ShownRevision {
  const { revision_id: revisionId, change, level_today } = row;
  return { ...showMemory(row, reader, level_today), revisionId, change };
}

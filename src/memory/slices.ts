/** MEM-002: slices, which freeze a revision under a name, and the way back to one. */

import type { Identity } from "../access/identity.ts";
import type { Command } from "../command/command.ts";
import { newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readRows, type Walked } from "../database/walk.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { type PageQuery, readPageQuery, toWalkedPage } from "../http/page.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { readBody } from "../validate/schema.ts";
import {
  changeMemory,
  memoryCommand,
  type MemoryServices,
  replayHeader,
  TEXTS,
} from "./commands.ts";
import { SLICE_CONTRACTS } from "./contracts.ts";
import type { MemoryRow } from "./memory.ts";
import { assertWritable, decideRecover } from "./rules.ts";
import { EXPECTATION_BODY, readId, readPathId, SLICE_BODY } from "./schema.ts";
import { showSlice, type Slice, type SliceRow } from "./slice.ts";
import {
  findMemory,
  lockMemory,
  longRevisionColumns,
  revisionColumns,
  shortRevisionColumns,
} from "./store.ts";
import { maySeeSecrets } from "./view.ts";

/** One endpoint for each route. */
export interface SliceEndpoints {
  readonly createSlice: Endpoint;
  readonly listSlices: Endpoint;
  readonly slice: Endpoint;
  readonly recover: Endpoint;
}

/** The endpoints of `/texts/{memoryId}/slices`. */
export function createSliceEndpoints(services: MemoryServices): SliceEndpoints {
  const { database, commands } = services;
  const find = async (owner: string, memoryId: string, sliceId: string) =>
    (await database.read((sql) => findSlice(sql, owner, memoryId, sliceId)))[0] ?? null;

  return {
    createSlice: endpoint({
      contract: SLICE_CONTRACTS.createSlice,
      body: "json",
      parse: (call) => readPathId(call, "memoryId"),
      async handle(call) {
        const { parsed: memoryId, identity } = call;
        const owner = identity.account.accountId;
        const { label } = readBody(SLICE_BODY, call.body);
        const command: Command = {
          ...memoryCommand(call, "memory.slice.create", memoryId, false),
          policy: "memory-slice",
        };
        const { answer, replayed } = await commands.run<MemoryRow, Slice>(command, {
          check: () => {},
          lock: (sql) => lockMemory(sql, owner, memoryId),
          decide(root) {
            const memory = assertWritable(root, maySeeSecrets(identity), undefined);
            const own = { slice_id: newId(call.now), label, sliced_at: call.now };
            return {
              subjectId: own.slice_id,
              revision: memory.revision,
              answer: showSlice({ ...memory, ...own }, identity, memory.privacy_level),
              statement: (sql, ledger) =>
                sql`
                  with ${ledger.claim},
                  slice as (
                    insert into memory_slices (owner_id, slice_id, memory_id, memory_revision, label,
                                               created_at)
                    select ${owner}, ${own.slice_id}, ${memoryId}, ${memory.revision}::integer,
                           ${label}, ${call.now}::timestamptz
                      from claim where verdict = 'GO'
                  ),
                  ${ledger.entries}
                  select verdict, envelope from claim`,
            };
          },
          async replay({ recordId: sliceId }) {
            const slice = await find(owner, memoryId, sliceId);
            if (slice === null) throw new Error("An envelope names a slice that is not there");
            return showSlice(slice, identity, slice.level_today);
          },
        });
        const location = `${TEXTS}/${memoryId}/slices/${answer.sliceId}`;
        return created(answer, location, replayHeader(replayed));
      },
    }),

    listSlices: endpoint({
      contract: SLICE_CONTRACTS.listSlices,
      body: "none",
      parse({ params, query }) {
        return { memoryId: readId(params, "memoryId"), ...readPageQuery(query) };
      },
      async handle({ parsed: { memoryId, limit, cursor }, identity }) {
        const owner = identity.account.accountId;
        const [memory, known, walked] = await database.read(async (sql) =>
          await Promise.all([
            findMemory(sql, owner, memoryId),
            cursor === null ? null : findSlice(sql, owner, memoryId, cursor),
            listSlices(sql, identity, memoryId, { cursor, limit }),
          ])
        );
        if (memory.length === 0) throw new ServiceError("RECORD_NOT_FOUND");
        if (known?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        const toItem = (row: SliceRow) => showSlice(row, identity, row.level_today);
        return ok(toWalkedPage(walked, toItem, (row) => row.slice_id));
      },
    }),

    slice: endpoint({
      contract: SLICE_CONTRACTS.slice,
      body: "none",
      parse: (call) => ({
        memoryId: readPathId(call, "memoryId"),
        sliceId: readPathId(call, "sliceId"),
      }),
      async handle({ parsed: { memoryId, sliceId }, identity }) {
        const slice = await find(identity.account.accountId, memoryId, sliceId);
        if (slice === null) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(showSlice(slice, identity, slice.level_today));
      },
    }),

    recover: endpoint({
      contract: SLICE_CONTRACTS.recover,
      body: "json",
      parse: (call) => ({
        memoryId: readPathId(call, "memoryId"),
        sliceId: readPathId(call, "sliceId"),
      }),
      async handle(call) {
        const { memoryId, sliceId } = call.parsed;
        const { expectedRevision } = readBody(EXPECTATION_BODY, call.body);
        const command = memoryCommand(call, "memory.slice.recover", sliceId, false);
        // A slice never changes, so it need not be read behind the lock.
        const slice = await find(call.identity.account.accountId, memoryId, sliceId);
        const { answer, replayed } = await changeMemory(services, command, call, {
          check: () => {},
          decide(root) {
            if (slice === null) throw new ServiceError("RECORD_NOT_FOUND");
            const mayWrite = maySeeSecrets(call.identity);
            return decideRecover(assertWritable(root, mayWrite, expectedRevision), slice, call.now);
          },
        }, memoryId);
        return ok(answer, replayHeader(replayed));
      },
    }),
  };
}

function findSlice(sql: Sql, owner: string, memoryId: string, sliceId: string): Query<SliceRow> {
  return sql<SliceRow>`
    select ${sliceColumns(sql)} from ${slicesWithRevisions(sql)}
     where s.owner_id = ${owner} and s.slice_id = ${sliceId} and s.memory_id = ${memoryId}`;
}

async function listSlices(
  sql: Sql,
  reader: Identity,
  memoryId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<SliceRow>> {
  return await readRows<SliceRow>(
    sql,
    (columns, limit) =>
      sql`
        select ${columns} from ${slicesWithRevisions(sql)}
         where s.owner_id = ${reader.account.accountId} and s.memory_id = ${memoryId}
           ${cursor === null ? sql`` : sql`and s.slice_id < ${cursor}`}
         order by s.slice_id desc limit ${limit}`,
    {
      columns: sql`${shortRevisionColumns(sql)}, ${ownColumns(sql)}`,
      long: longRevisionColumns(sql, reader),
      limit,
    },
  );
}

function sliceColumns(sql: Sql): Query<object> {
  return sql`${revisionColumns(sql)}, ${ownColumns(sql)}`;
}

function ownColumns(sql: Sql): Query<object> {
  return sql`s.slice_id, s.label, s.created_at as sliced_at`;
}

function slicesWithRevisions(sql: Sql): Query<object> {
  return sql`memory_slices s
    join memories m on m.owner_id = s.owner_id and m.memory_id = s.memory_id
    join memory_revisions v on v.owner_id = s.owner_id and v.memory_id = s.memory_id
     and v.revision = s.memory_revision`;
}

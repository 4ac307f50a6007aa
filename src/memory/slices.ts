/** MEM-002: slices, which freeze a revision under a name, and the way back to one. */

import type { Identity } from "../access/identity.ts";
import type { Write } from "../command/command.ts";
import { newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readRows } from "../database/walk.ts";
import { ServiceError } from "../errors/service_error.ts";
import { type Entry, entryEndpoints } from "../family/entry.ts";
import { readOnlyKey } from "../family/route.ts";
import { changeRoot, type FamilyServices } from "../family/write.ts";
import { bodyOf } from "../http/contract.ts";
import { ok, replying } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  component,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { readBody } from "../validate/schema.ts";
import { MEMORY_MEMBERS, type MemoryRow, toMemory } from "./memory.ts";
import { decideRecover } from "./rules.ts";
import { EXPECTATION_BODY, SLICE_BODY } from "./schema.ts";
import {
  longRevisionColumns,
  MEMORIES,
  memoryCommand,
  type MemoryTypes,
  revisionColumns,
  shortRevisionColumns,
} from "./store.ts";
import { isHidden, MEMORY_SCHEMA } from "./view.ts";

/** A slice as a client sees it. */
export interface Slice {
  readonly sliceId: string;
  readonly memoryId: string;
  readonly label: string;
  readonly memoryRevision: number;
  readonly title: string;
  readonly summary: string;
  readonly memoryType: string;
  /** Null where the reader may not see the memory, like `timeText`. */
  readonly currentContent: string | null;
  readonly occurredAt: string | null;
  readonly timePrecision: string | null;
  readonly timeText: string | null;
  readonly importance: number | null;
  readonly createdAt: string;
  readonly redacted?: true;
}

const SLICE_SCHEMA: JsonSchema = component<Slice>("MemorySlice", {
  sliceId: ULID,
  memoryId: ULID,
  label: TEXT,
  memoryRevision: REVISION,
  title: TEXT,
  summary: TEXT,
  memoryType: MEMORY_MEMBERS.memoryType,
  currentContent: nullable(TEXT),
  occurredAt: nullable(TIME),
  timePrecision: MEMORY_MEMBERS.timePrecision,
  timeText: nullable(TEXT),
  importance: MEMORY_MEMBERS.importance,
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

/** A slice with the revision that it froze. */
interface SliceRow extends MemoryRow {
  readonly slice_id: string;
  readonly label: string;
  readonly sliced_at: Date;
}

const SLICES: Entry<MemoryTypes["key"], SliceRow, Slice> = {
  policy: "memory-slice",
  idName: "sliceId",
  find: (sql, owner, { memoryId }, id) => findSlice(sql, owner, memoryId, id),
  cursor: (sql, owner, { memoryId }, id) => findSlice(sql, owner, memoryId, id),
  rows: (sql, reader, { memoryId }, { cursor, limit }) =>
    readRows<SliceRow>(
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
    ),
  cursorOf: (row) => row.slice_id,
  show: showSlice,
  schema: SLICE_SCHEMA,
};

/** The endpoints of `/texts/{memoryId}/slices`. */
export function createSliceEndpoints(
  services: FamilyServices,
): Readonly<Record<"createSlice" | "listSlices" | "slice" | "recover", Endpoint>> {
  const { append, list, detail } = entryEndpoints(services, MEMORIES, SLICES, {
    append: {
      summary: "Freeze the present revision of a memory under a label",
      body: SLICE_BODY,
      example: { label: "Before the move" },
      decide: (memory, { label }, { call }) => slicing(memory, label, call.identity, call.now),
    },
    list: { summary: "List the slices of a memory, newest first" },
    detail: { summary: "Read a slice" },
  });
  return { createSlice: append, listSlices: list, slice: detail, recover: recover(services) };
}

function recover(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Go back to a slice, as a new revision",
      body: bodyOf(EXPECTATION_BODY, { expectedRevision: 1 }),
      responses: { 200: { data: MEMORY_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT"],
    },
    body: "json",
    parse: (call) => readOnlyKey(call, ["memoryId", "sliceId"]),
    async handle(call) {
      const { identity, parsed: { memoryId, sliceId } } = call;
      const { expectedRevision } = readBody(EXPECTATION_BODY, call.body);
      // A slice never changes, so it need not be read behind the lock.
      const [slice] = await services.database.read((sql) =>
        findSlice(sql, identity.account.accountId, memoryId, sliceId)
      );
      const present = (): SliceRow => {
        if (slice === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return slice;
      };
      const command = memoryCommand(call, { target: sliceId });
      const { result, replayed } = await changeRoot(services, MEMORIES, command, {
        key: { memoryId },
        expectedRevision,
        check: present,
        decide: (memory) => decideRecover(memory, present(), call.now),
      });
      return replying(ok(result), replayed);
    },
  });
}

function slicing(memory: MemoryRow, label: string, writer: Identity, now: Date): Write<Slice> {
  const slice: SliceRow = { ...memory, slice_id: newId(now), label, sliced_at: now };
  return {
    subjectId: slice.slice_id,
    revision: memory.revision,
    result: showSlice(slice, writer),
    statement: (sql, ledger) =>
      sql`
        with ${ledger.claim},
        slice as (
          insert into memory_slices (owner_id, slice_id, memory_id, memory_revision, label,
                                     created_at)
          select ${writer.account.accountId}, ${slice.slice_id}, ${memory.memory_id},
                 ${memory.revision}::integer, ${label}, ${now}::timestamptz
            from claim where verdict = 'GO'
        ),
        ${ledger.entries}
        select verdict, envelope from claim`,
  };
}

function findSlice(sql: Sql, owner: string, memoryId: string, sliceId: string): Query<SliceRow> {
  return sql<SliceRow>`
    select ${revisionColumns(sql)}, ${ownColumns(sql)} from ${slicesWithRevisions(sql)}
     where s.owner_id = ${owner} and s.slice_id = ${sliceId} and s.memory_id = ${memoryId}`;
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

/** A slice as far as its memory's level of today lets the reader see. */
function showSlice(row: SliceRow, reader: Identity): Slice {
  const memory = toMemory(row);
  const { memoryId, revision, title, summary, memoryType, currentContent } = memory;
  const { occurredAt, timePrecision, timeText, importance } = memory;
  return {
    sliceId: row.slice_id,
    memoryId,
    label: row.label,
    memoryRevision: revision,
    ...{ title, summary, memoryType, currentContent },
    ...{ occurredAt, timePrecision, timeText, importance },
    createdAt: row.sliced_at.toISOString(),
    ...(isHidden(row.level_today ?? row.privacy_level, reader) && HIDDEN),
  };
}

const HIDDEN = {
  label: "",
  title: "",
  summary: "",
  currentContent: null,
  timeText: null,
  redacted: true,
} as const;

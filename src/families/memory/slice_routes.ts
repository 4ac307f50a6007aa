import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { entryEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { readOnlyKey } from "../../kit/route.ts";
import { changeRoot, entryStatement, type FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { readBody } from "../../validate/schema.ts";
import type { MemoryRow } from "./memory.ts";
import { decideRecover } from "./memory_rules.ts";
import { EXPECTATION_BODY, SLICE_BODY } from "./memory_schema.ts";
import { showSlice, type Slice, SLICE_SCHEMA, type SliceRow } from "./slice.ts";
import { findSlice, readSlices, sliceEntry } from "./slice_store.ts";
import { MEMORIES, memoryCommand, type MemoryTypes } from "./memory_store.ts";
import { MEMORY_SCHEMA } from "./memory_view.ts";

const SLICES: LedgerEntry<MemoryTypes["key"], SliceRow, Slice> = {
  policy: "memory-slice",
  idName: "sliceId",
  find: (sql, owner, { memoryId }, id) => findSlice(sql, owner, memoryId, id),
  cursor: (sql, owner, { memoryId }, id) => findSlice(sql, owner, memoryId, id),
  rows: (sql, reader, { memoryId }, page) => readSlices(sql, reader, memoryId, page),
  cursorOf: (row) => row.slice_id,
  show: showSlice,
  schema: SLICE_SCHEMA,
};

export function createSliceEndpoints(
  services: FamilyServices,
): Readonly<Record<"createSlice" | "listSlices" | "slice" | "recover", Endpoint>> {
  const { append, list, detail } = entryEndpoints(services, MEMORIES, SLICES, {
    append: {
      summary: "Freeze the current revision of a memory under a label",
      body: SLICE_BODY,
      example: { label: "Before the move" },
      decide: (memory, { label }, { call }) => slicing(memory, label, call.caller, call.now),
    },
    list: { summary: "List the slices of a memory, newest first" },
    detail: { summary: "Read a slice" },
  });
  return { createSlice: append, listSlices: list, slice: detail, recover: recover(services) };
}

function recover(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Restore a slice as a new revision",
      body: bodyOf(EXPECTATION_BODY, { expectedRevision: 1 }),
      responses: { 200: { data: MEMORY_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "REVISION_CONFLICT"],
    },
    body: "json",
    parse: (call) => readOnlyKey(call, ["memoryId", "sliceId"]),
    async handle(call) {
      const { caller, parsed: { memoryId, sliceId } } = call;
      const { expectedRevision } = readBody(EXPECTATION_BODY, call.body);
      // Slices never change, so no lock is needed.
      const [slice] = await services.database.read((sql) =>
        findSlice(sql, caller.account.accountId, memoryId, sliceId)
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

function slicing(
  memory: MemoryRow,
  label: string,
  writer: Caller,
  now: Date,
): PlannedWrite<Slice> {
  const slice: SliceRow = { ...memory, slice_id: newId(now), label, sliced_at: now };
  return {
    subjectId: slice.slice_id,
    revision: memory.revision,
    result: showSlice(slice, writer),
    statement: (sql, ledger) =>
      entryStatement(sql, ledger, sliceEntry(sql, writer.account.accountId, slice)),
  };
}

/** What raw SQL cannot do to memories, slices and drafts, whatever role it runs in. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Person, sharedWorld } from "../support/world.ts";
import {
  insertMemory,
  memoryRevisionOf,
  newDraft,
  newMemory,
  nextMemory,
  stepMemory,
  stepProjection,
  updateMemory,
} from "./memory_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

async function storedMemory(person?: Person): Promise<Row> {
  const memory = newMemory((person ?? await world().person()).accountId);
  await world().raw(insertMemory(memory));
  return memory;
}

/** The statement is refused, also by the roles that ordinary triggers keep quiet for. */
async function assertRefusedToAll(statement: string, expected: string): Promise<void> {
  for (const role of ["origin", "replica", "local"]) {
    const script = `set local session_replication_role = ${role}; ${statement}`;
    assertEquals(await refusal(world(), script), expected, script);
  }
}

Deno.test("No statement changes the original text, identifier, owner or creation of a memory", async () => {
  const memory = await storedMemory();
  const changes: Row[] = [
    { original_content: "Forged" },
    { memory_id: ulid() },
    { owner_id: (await world().person()).accountId },
    { created_at: "2020-01-01T00:00:00Z" },
  ];
  for (const change of changes) {
    await assertRefusedToAll(updateMemory(memory, nextMemory(memory, change)), "PRS04");
  }
  await assertRefusedToAll(
    `insert into memories select * from memories
       on conflict (owner_id, memory_id) do update
         set original_content = 'Forged', revision = memories.revision + 1`,
    "PRS04",
  );
});

Deno.test("A memory's revision rises by one and with its ledger row, which equals it", async () => {
  const memory = await storedMemory();
  const skip = nextMemory(nextMemory(memory));
  await assertRefusedToAll(updateMemory(memory, skip), "PRS03");
  await assertRefusedToAll(updateMemory(memory, { ...memory, title: "Forged" }), "PRS03");
  const next = nextMemory(memory, { title: "Next" });
  const ahead = stepProjection(memory) + insertInto("memory_revisions", memoryRevisionOf(next));
  assertEquals(await refusal(world(), ahead), "PRS05");
  const columns: Row = {
    revision_id: ulid(),
    created_at: "2026-11-20T12:00:00.001Z",
    title: "Forged",
    summary: "Forged",
    memory_type: "DREAM",
    current_content: "Forged",
    occurred_at: "2020-01-01T00:00:00Z",
    time_precision: "DAY",
    time_text: "Forged",
    importance: 1,
    privacy_level: "NORMAL",
    archived_at: "2026-11-20T12:00:00Z",
  };
  for (const [column, value] of Object.entries(columns)) {
    const script = stepMemory(memory, {}, { [column]: value });
    assertEquals(await refusal(world(), script), "PRS05", column);
  }
  assertEquals(await refusal(world(), stepMemory(memory, { title: "Next" })), null);
});

Deno.test("A draft keeps its place, its version never falls, and it ends once", async () => {
  const { accountId } = await world().person();
  const draft = newDraft(accountId, { draft_version: 5, content: `{"title":"A"}` });
  await world().raw(insertInto("memory_drafts", draft));
  const set = (assignments: string) =>
    `update memory_drafts set ${assignments} where draft_id = '${draft.draft_id}'`;
  const memory = await storedMemory();
  for (
    const change of [
      `draft_id = '${ulid()}'`,
      `owner_id = '${memory.owner_id}'`,
      `memory_id = '${memory.memory_id}'`,
      "created_at = now()",
    ]
  ) {
    await assertRefusedToAll(set(change), "PRS04");
  }
  await assertRefusedToAll(set("draft_version = 4"), "PRS03");
  await assertRefusedToAll(set(`content = '{"title":"B"}'`), "PRS03");
  assertEquals(await refusal(world(), set(`draft_version = 6, content = '{}'`)), null);
  assertEquals(await refusal(world(), set("state = 'DISCARDED'")), null);
  for (const change of ["state = 'OPEN'", "draft_version = 7", "updated_at = now()"]) {
    await assertRefusedToAll(set(change), "PRS04");
  }
});

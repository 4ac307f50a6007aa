/** An export during writes shows one point in time. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { exportAccount, linesOf } from "../http/account.ts";
import { COMMITMENT } from "../http/kernel.ts";
import { remember } from "../families/memory/api.ts";
import { type Caller, createWorld, type Json } from "../support/world.ts";

const WRITERS = 3;
const EXPORTS = 2;

/** Each writer's pair. */
const pairs: [recordId: string, memoryId: string][] = [];

async function writeInTurns(caller: Caller, isOver: () => boolean): Promise<void> {
  const record = await caller.create("commitment", COMMITMENT);
  const memory = await remember(caller);
  pairs.push([record.recordId, memory.memoryId]);
  const change = async (method: string, path: string, body: Json) => {
    const response = await caller.call(method, path, { key: ulid(), body });
    assert(response.status < 300, response.text);
  };
  for (let turn = 1; !isOver(); turn++) {
    const title = `turn ${turn}`;
    await change("PATCH", `/api/v2/records/commitment/${record.recordId}`, { title });
    const path = `/api/v2/memory/texts/${memory.memoryId}/revisions`;
    await change("POST", path, { expectedRevision: turn, title });
  }
}

Deno.test("Export during writes shows the account at one point in time", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, () => writeInTurns(caller, () => isOver));
  try {
    for (let index = 0; index < EXPORTS; index++) {
      const { bytes, description } = await exportAccount(world, caller);
      const lines = linesOf(bytes);
      assertEquals(lines.length, description.counts.record + description.counts.memory + 2);
      for (const line of lines.slice(1, -1)) {
        assertEquals(line.revisions.length, line.revision);
        assertEquals(line.revisions.at(-1).title, line.title);
      }
      const revisionOf = (name: "recordId" | "memoryId", id: string): number =>
        lines.find((line) => line[name] === id)?.revision ?? 0;
      for (const [recordId, memoryId] of pairs) {
        const ahead = revisionOf("recordId", recordId) - revisionOf("memoryId", memoryId);
        // The record has at most one turn more than the memory.
        assert(ahead === 0 || ahead === 1, `The record is ${ahead} turns ahead of the memory`);
      }
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
});

// engines: postgres
/** Raw SQL on drafts, in any role. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { insertOwned, newRow } from "./family_rows.ts";
import { MEMORIES, newDraft } from "../families/memory/rows.ts";
import { assertRefusedToAll, insertInto, refusal } from "./rows.ts";

const world = sharedWorld();

Deno.test("A draft keeps its place, its version never falls, and it ends once", async () => {
  const { accountId } = await world().createCaller();
  const draft = newDraft(accountId, { draft_version: 5, content: `{"title":"A"}` });
  await world().raw(insertInto("memory_drafts", draft));
  const set = (assignments: string) =>
    `update memory_drafts set ${assignments} where draft_id = '${draft.draft_id}'`;
  const memory = newRow(MEMORIES, ulid());
  await world().raw(insertOwned(MEMORIES, memory));
  for (
    const change of [
      `draft_id = '${ulid()}'`,
      `owner_id = '${memory.owner_id}'`,
      `memory_id = '${memory.memory_id}'`,
      "created_at = now()",
    ]
  ) {
    await assertRefusedToAll(world(), set(change), "PRS04");
  }
  await assertRefusedToAll(world(), set("draft_version = 4"), "PRS03");
  await assertRefusedToAll(world(), set(`content = '{"title":"B"}'`), "PRS03");
  assertEquals(await refusal(world(), set(`draft_version = 6, content = '{}'`)), null);
  assertEquals(await refusal(world(), set("state = 'DISCARDED'")), null);
  for (const change of ["state = 'OPEN'", "draft_version = 7", "updated_at = now()"]) {
    await assertRefusedToAll(world(), set(change), "PRS04");
  }
});

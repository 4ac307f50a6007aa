/** The member `attachmentIds` of memories. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  done,
  post,
  read,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
} from "../families/memory/api.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { pictures, unusedIds } from "./attachment_ids.ts";
import { assertInvalid, walkPages } from "./kernel.ts";

const world = sharedWorld();
const [A = "", B = "", C = "", D = "", E = ""] = unusedIds(5);

Deno.test("A memory has those of its current text, then of its original one", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const sent = {
    title: pictures(E),
    summary: pictures(E),
    memoryType: "STORY",
    originalContent: pictures(A, B),
    currentContent: pictures(C, B),
    timeText: pictures(E),
  };
  const first = await caller.call("POST", TEXTS, { key, body: sent });
  const memory = first.body.data;
  assertEquals(memory.attachmentIds, [C, B, A]);
  assertEquals(await read(caller, textPath(memory)), memory);
  assertEquals((await read(caller, TEXTS)).items, [memory]);
  const stated = { attachmentIds: [A] };
  const revision = { expectedRevision: 1, title: "B", ...stated };
  assertInvalid(await post(caller, TEXTS, { ...sent, ...stated }), ["undeclared_field"]);
  assertInvalid(await post(caller, textPath(memory, "/revisions"), revision), ["undeclared_field"]);
  const slice = await done(caller, textPath(memory, "/slices"), { label: "S" });
  const steps: [string, Json, string[]][] = [
    ["/revisions", { currentContent: pictures(D) }, [D, A, B]],
    ["/ai-draft", { aiDraft: pictures(E), provider: "p" }, [D, A, B]],
    [`/slices/${slice.sliceId}/recover`, {}, [C, B, A]],
    ["/archive", {}, [C, B, A]],
  ];
  for (const [index, [end, body, expected]] of steps.entries()) {
    const changed = await done(caller, textPath(memory, end), {
      expectedRevision: index + 1,
      ...body,
    });
    assertEquals(changed.attachmentIds, expected, end);
  }
  const again = await caller.call("POST", TEXTS, { key, body: sent });
  assertEquals(again.body.data, memory);
  const others = [
    slice,
    await read(caller, textPath(memory, "/revisions/1")),
    ...(await walkPages(caller, textPath(memory, "/revisions"))).flat(),
  ];
  assertEquals(others.length, 7);
  for (const other of others) assertEquals(Object.hasOwn(other, "attachmentIds"), false);
  // Its record shows neither text, but the text of its time.
  const record = await read(caller, `/api/v2/records/memory/${memory.memoryId}`);
  assertEquals(record.attachmentIds, [E]);
});

Deno.test("A SECRET memory has none for a reader without access to secrets", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(caller, {
    originalContent: pictures(A),
    timeText: pictures(B),
    privacyLevel: "SECRET",
  });
  assertEquals(memory.attachmentIds, [A]);
  const path = textPath(memory);
  const record = `/api/v2/records/memory/${memory.memoryId}`;
  for (const [reader, own, projected] of [[other, [], []], [caller, [A], [B]]] as const) {
    assertEquals((await read(reader, path)).attachmentIds, own);
    assertEquals((await read(reader, TEXTS)).items[0].attachmentIds, own);
    assertEquals((await read(reader, record)).attachmentIds, projected);
    assertEquals((await read(reader, "/api/v2/records/memory")).items[0].attachmentIds, projected);
  }
});

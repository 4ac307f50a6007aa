/** The member `attachmentIds` of records that assistants read. */

import { assertEquals } from "@std/assert";
import { remember } from "../families/memory/api.ts";
import { uploaded } from "../support/attachments.ts";
import { fileWorld } from "../support/world.ts";
import { contentOf, createAssistant, LIMITS } from "./assistants.ts";
import { pictures, unusedIds } from "./attachment_ids.ts";

const world = fileWorld({ assistants: LIMITS });
const [A = "", B = "", C = ""] = unusedIds(3);

Deno.test("An assistant has those of the fields that it sees", async () => {
  const owner = await world().createCaller();
  const file = await uploaded(owner, "picture");
  const note = await owner.create(
    "capture",
    {
      contentType: "TEXT",
      originalContent: `${"x".repeat(1_100)}${pictures(A)}`,
      targetModule: "knowledge",
      capturedAt: world().now().toISOString(),
      attachmentIds: [file],
      routeStatus: "INBOX",
    },
  );
  const memory = await remember(owner, {
    originalContent: pictures(B),
    currentContent: pictures(C),
  });
  const modules = ["capture", "memory"];
  const keys = [
    { moduleCode: "capture", recordId: note.recordId },
    { moduleCode: "memory", recordId: memory.memoryId },
  ];
  for (
    const [sensitive, expected] of [
      ["SHOWN", [[file, A], [C, B]]],
      ["HIDDEN", [[file], []]],
    ] as const
  ) {
    const helper = await createAssistant(world(), owner, { modules, sensitive });
    for (const [index, key] of keys.entries()) {
      const { record } = contentOf(await helper.call("get_record", key));
      assertEquals(record.attachmentIds, expected[index], `${sensitive} ${key.moduleCode}`);
      const names = Object.keys(record);
      assertEquals(names[names.indexOf("localTimes") + 1], "attachmentIds");
      const { moduleCode } = key;
      // Links beyond the cut of a text in a page count too.
      const { items } = contentOf(await helper.call("list_records", { moduleCode }));
      assertEquals(items[0].attachmentIds, expected[index]);
      const past = contentOf(await helper.call("get_record", { ...key, revision: 1 })).record;
      const { items: [revision] } = contentOf(await helper.call("get_history", key));
      for (const shown of [past, revision]) {
        assertEquals(Object.hasOwn(shown, "attachmentIds"), false);
      }
    }
  }
});

import { assertEquals } from "@std/assert";
import { isLowering } from "../../../../src/families/memory/memory_rules.ts";
import { redact } from "../../../../src/families/memory/memory_view.ts";
import { randomMemory } from "../../../families/memory/export.ts";
import { seededRandom } from "../../../support/random.ts";

Deno.test("isLowering() is true for exactly the three steps down", () => {
  const levels = ["NORMAL", "PRIVATE", "SECRET"] as const;
  const lowering = levels.flatMap((from) =>
    levels.filter((to) => isLowering(from, to)).map((to) => `${from} to ${to}`)
  );
  assertEquals(lowering, ["PRIVATE to NORMAL", "SECRET to NORMAL", "SECRET to PRIVATE"]);
});

Deno.test("redact() removes all text and clocks, and keeps everything else", () => {
  const random = seededRandom(51);
  for (let run = 0; run < 50; run++) {
    const memory = randomMemory(random);
    const before = structuredClone(memory);
    assertEquals(redact(memory), {
      ...before,
      title: "",
      summary: "",
      originalContent: null,
      currentContent: null,
      timeText: null,
      localTimes: {},
      aiDraft: null,
      aiDraftProvider: null,
      aiDraftModel: null,
      redacted: true,
    });
    assertEquals(memory, before);
  }
});

import { assertEquals } from "@std/assert";
import { localSummary } from "../../../../../src/families/relationship/evaluation/local_summary.ts";

/** With texts that it must not quote. */
async function summaryOf(supporting: number, counter: number, opinion: string): Promise<string> {
  return await localSummary.propose({
    relationshipType: "FRIEND",
    importance: 3,
    lastContactAt: null,
    desiredContactIntervalDays: null,
    evidenceCounts: { supporting, counter },
    consented: { personName: "Lena", opinion, evidence: null, counterEvidence: null, entries: [] },
  }, new AbortController().signal);
}

Deno.test("local-summary counts in one sentence", async () => {
  assertEquals(
    await summaryOf(0, 1, ""),
    "Of the evidence kept, 0 entries support and 1 entry counters what is thought of this person.",
  );
  assertEquals(
    await summaryOf(1, 12, ""),
    "Of the evidence kept, 1 entry supports and 12 entries counter what is thought of this person.",
  );
});

Deno.test("local-summary uses the same words for the same counts", async () => {
  assertEquals(await summaryOf(2, 3, "Reliable"), await summaryOf(2, 3, "Late"));
  assertEquals([localSummary.name, localSummary.model], ["local-summary", null]);
});

import { assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { orderEntry } from "../../../src/records/search_index/order_entry.ts";

Deno.test("A record without an own time has no local day, whatever its payload says", () => {
  const record = { module_code: "memory", archived_at: null, guard: null };
  const clocks = JSON.stringify({ occurredAt: "+09:00[Asia/Tokyo]" });
  const payload = { occurredAt: "2025-10-31T23:00:00.000Z", timePrecision: "LIFE_PERIOD" };
  const of = (time: Date | null) => {
    const entry = orderEntry(
      CATALOG.module("memory") ?? null,
      { ...record, clocks },
      payload,
      time,
    );
    return { time: entry.time, day: entry.day };
  };
  const from = new Date("2025-10-31T15:00:00.000Z");
  assertEquals(of(from), { time: from, day: "2025-11-01" });
  assertEquals(of(null), { time: null, day: null });
});

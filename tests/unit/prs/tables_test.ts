import { assertEquals } from "@std/assert";
import { linesOf, tableOf } from "../../../src/prs/tables.ts";

Deno.test("A table aligns its columns, with titles last and a dash for null", () => {
  const items = [
    { title: "Run\tfast", count: 3, at: null },
    { title: "Swim", count: 12, at: "2026-01-01" },
  ];
  assertEquals(tableOf(items), [
    "count  at          title",
    "3      -           Run fast",
    "12     2026-01-01  Swim",
  ]);
  assertEquals(tableOf([]), []);
});

Deno.test("An answer has a line for each member, then its lists as tables", () => {
  const answer = {
    days: [{ day: "2026-01-01", total: 3, modules: [{ moduleCode: "memory", count: 3 }] }],
    zone: "Asia/Tokyo",
    contacts: { people: 1, contacts: 2 },
    measures: null,
    ranges: [],
  };
  assertEquals(linesOf(answer), [
    "zone: Asia/Tokyo",
    "contacts: people 1, contacts 2",
    "measures: -",
    "ranges: -",
    "",
    "days:",
    "day         total  modules",
    "2026-01-01  3      memory 3",
  ]);
});

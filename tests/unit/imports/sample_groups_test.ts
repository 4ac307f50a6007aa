/** The groups of a file, and the series of values in them. */

import { assertEquals } from "@std/assert";
import { ReadingBudget } from "../../../src/imports/reading_budget.ts";
import { SampleGroups } from "../../../src/imports/sample_groups.ts";

Deno.test("Groups and series are counted, sorted by name, and at most 1,000", () => {
  const groups = new SampleGroups(new ReadingBudget({ fileBytes: 0 }));
  groups.add("Trips");
  groups.add("Food", 0);
  groups.add("Trips", 2);
  groups.addSeries("StepCount", "Watch", 3);
  groups.addSeries("StepCount", "Phone");
  assertEquals(groups.shown, {
    groups: [{ name: "Food", count: 0 }, { name: "Trips", count: 3 }],
    series: [{ name: "StepCount", count: 4, groups: ["Phone", "Watch"] }],
  });
  for (let index = 0; index < 1_000; index++) groups.add(`Group ${index}`);
  assertEquals(groups.shown.groups.length, 1_000);
});

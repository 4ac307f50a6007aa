/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assertEquals } from "@std/assert";
import { shapesOf, withYear } from "../../../src/console/web/pages/memories/year.js";

Deno.test("Memories of a day and of a season lead to their lists", () => {
  const { squares, bars } = shapesOf(
    {
      days: [{ day: "2019-05-04", total: 4, modules: [] }],
      ranges: [
        {
          moduleCode: "memory",
          precision: "YEAR",
          from: "2019-01-01",
          until: "2020-01-01",
          count: 2,
        },
      ],
    },
    2019,
  );
  assertEquals(squares.map(({ level, path }) => [level, path]), [
    [3, "/console/memories?year=2019&from=2019-05-04&to=2019-05-04"],
  ]);
  assertEquals(bars.map(({ when, short, path }) => [when, short, path]), [
    ["2019", "2", "/console/memories?year=2019&from=2019-01-01&to=2019-12-31"],
  ]);
  const narrowed = (query: string) => withYear(new URLSearchParams(query)).toString();
  assertEquals(narrowed("year=2019"), "year=2019&from=2019-01-01&to=2019-12-31");
  const asTheyAre = ["year=2019&from=2019-05-04", "year=19", "year=9999", "onDay=2026-01-01"];
  assertEquals(asTheyAre.map(narrowed), asTheyAre);
});

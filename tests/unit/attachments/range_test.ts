import { assert, assertEquals } from "@std/assert";
import { readRange } from "../../../src/attachments/range.ts";
import { seededRandom } from "../../support/random.ts";

Deno.test("readRange() reads first, open-ended and suffix ranges of one unit", () => {
  const cases: [string, number, number][] = [
    ["bytes=0-0", 0, 1],
    ["bytes=2-5", 2, 6],
    ["bytes=9-9", 9, 10],
    ["bytes=2-", 2, 10],
    ["bytes=0-", 0, 10],
    ["bytes=-3", 7, 10],
    ["bytes=-10", 0, 10],
    ["bytes=-999", 0, 10],
    ["bytes=2-999", 2, 10],
    [" bytes=2-5 ", 2, 6],
    ["BYTES=2-5", 2, 6],
    ["bytes=000-001", 0, 2],
  ];
  for (const [header, start, end] of cases) assertEquals(readRange(header, 10), { start, end });
});

Deno.test("readRange() cannot satisfy ranges beyond the end", () => {
  for (const header of ["bytes=10-", "bytes=10-10", "bytes=11-20", "bytes=-0"]) {
    assertEquals(readRange(header, 10), "unsatisfiable", header);
  }
  for (const header of ["bytes=0-0", "bytes=0-", "bytes=-1"]) {
    assertEquals(readRange(header, 0), "unsatisfiable", header);
  }
});

Deno.test("readRange() ignores several ranges, other units and invalid ones", () => {
  const ignored = [
    "bytes=0-1,3-4",
    "bytes=0-1,",
    "lines=0-1",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=--1",
    "bytes=5-2",
    "bytes=a-b",
    "bytes=1.5-2",
    "bytes=0 -1",
    "bytes= 0-1",
    "bytes=+1-2",
    "",
    "bytes=0-1 x",
    "bytes=0-9999999999999999",
    "bytes=１-2",
  ];
  for (const header of [null, ...ignored]) {
    assertEquals(readRange(header, 10), "whole", `${header}`);
  }
});

Deno.test("readRange() returns a range within the size for any request", () => {
  const seed = 5;
  const random = seededRandom(seed);
  const characters = [..."0123456789-=,b bytes"];
  for (let run = 0; run < 20_000; run++) {
    const size = random.integer(0, 30);
    const noise = Array.from({ length: random.integer(0, 6) }, () => random.pick(characters));
    const header = random.chance(0.9) ? `bytes=${noise.join("")}` : noise.join("");
    const range = readRange(header, size);
    if (range === "whole" || range === "unsatisfiable") continue;
    const { start, end } = range;
    assert(0 <= start && start < end && end <= size, `seed ${seed}: "${header}" of ${size}`);
  }
});

import { assertEquals } from "@std/assert";
import { toRows } from "../../../scripts/bench/report.ts";
import type { Measured, Sample } from "../../../scripts/bench/rounds.ts";

function sample(rate: number, errors = 0): Sample {
  return { rate, p50: 1, p99: 2, errors, firstError: errors > 0 ? "why" : null };
}

function measured(
  row: Measured["row"],
  connections: number,
  subject: readonly number[],
  limit: readonly number[] = [],
): Measured {
  const samples = {
    subject: subject.map((rate) => sample(rate)),
    limit: limit.map((rate) => sample(rate)),
  };
  return { row, connections, samples };
}

Deno.test("A row's ratio is the median of the rounds' ratios", () => {
  const [row] = toRows([measured("create", 1, [100, 400, 300], [1000, 1000, 1000])], true);
  assertEquals([row?.rate, row?.limit, row?.ratio], [300, 1000, 0.3]);
  const [slowed] = toRows([measured("create", 1, [300, 30, 300], [1000, 100, 1000])], true);
  assertEquals([slowed?.rate, slowed?.ratio], [300, 0.3]);
});

Deno.test("The deep page is rated by its slowdown relative to the first", () => {
  const judge = (rate: number) => toRows([measured("deep-page", 1, [rate], [130])], true)[0];
  assertEquals([judge(100)?.ratio, judge(100)?.met], [1.3, "target"]);
  assertEquals(judge(99)?.met, "no");
});

Deno.test("A row with simulations shows how much they raise the 99th percentile", () => {
  const slow = [70, 30, 50].map((p99) => ({ ...sample(100), p99 }));
  const samples = { subject: slow, limit: [sample(200), sample(200), sample(200)] };
  const rows = toRows([
    { row: "get-simulating", connections: 1, samples },
    { row: "get", connections: 1, samples },
  ], true);
  assertEquals(rows.map(({ addedP99 }) => addedP99), [48, null]);
});

Deno.test("A row has the errors of all rounds and the first of them", () => {
  const samples = { subject: [sample(1), sample(1, 2), sample(1, 3)], limit: [] };
  const [row] = toRows([{ row: "replay", connections: 1, samples }], true);
  assertEquals([row?.errors, row?.firstError, row?.ratio, row?.met], [5, "why", null, null]);
});

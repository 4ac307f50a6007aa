import { assertEquals } from "@std/assert";
import { rateOf } from "../../../scripts/bench/pgbench.ts";

Deno.test("rateOf() reads pgbench's rate, unless a transaction failed", () => {
  const report = (failed: number) =>
    `number of transactions actually processed: 4
number of failed transactions: ${failed} (0.000%)
latency average = 0.19 ms
initial connection time = 2.1 ms
tps = 5258.123000 (without initial connection time)
`;
  assertEquals(rateOf(report(0)), 5258.123);
  assertEquals(rateOf(report(1)), null);
  assertEquals(rateOf("pgbench: error"), null);
});

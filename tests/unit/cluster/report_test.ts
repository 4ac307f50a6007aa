import { assertEquals } from "@std/assert";
import { outageLines, refusalLines } from "../../../scripts/cluster/report.ts";

Deno.test("outageLines() shows each kind's median and longest outage", () => {
  const lines = outageLines([
    { kind: "kill-service", outages: [100, 300] },
    { kind: "kill-leader", outages: [20_000, 21_000] },
    { kind: "kill-service", outages: [200, 1_500] },
  ]);
  assertEquals(lines.map((line) => line.trim().split(/\s{2,}/)), [
    ["rounds", "median s", "longest s"],
    ["kill-leader", "1", "20.5", "21.0"],
    ["kill-service", "2", "0.3", "1.5"],
  ]);
});

Deno.test("refusalLines() begins with the most frequent", () => {
  const lines = refusalLines(new Map([["503", 2], ["no response", 1], ["409", 7]]));
  assertEquals(lines, ["409: 7", "503: 2", "no response: 1"]);
});

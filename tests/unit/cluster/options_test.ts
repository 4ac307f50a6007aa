import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { KINDS, planRounds, readOptions } from "../../../scripts/cluster/options.ts";
import { OptionError } from "../../support/option_error.ts";

Deno.test("readOptions() reads seed, rounds and kinds, by default twenty rounds of all", () => {
  assertEquals(readOptions([]), { seed: 1, rounds: 20, kinds: [...KINDS] });
  const args = ["--seed", "7", "--rounds", "3", "--only", "switchover,kill-leader"];
  assertEquals(readOptions(args), { seed: 7, rounds: 3, kinds: ["switchover", "kill-leader"] });
});

Deno.test("readOptions() rejects unknown arguments", () => {
  for (const args of [["--rounds", "0"], ["--seed", "x"], ["--only", "rain"], ["--only", ""]]) {
    assertThrows(() => readOptions(args), OptionError);
  }
  assertThrows(() => readOptions(["--often"]), TypeError);
});

Deno.test("planRounds() gives each kind its share, in an order of the seed", () => {
  const plan = planRounds(readOptions(["--seed", "5"]));
  const shares = KINDS.map((kind) => plan.filter((planned) => planned === kind).length);
  assertEquals(shares, [3, 3, 3, 3, 2, 2, 2, 2]);
  assertEquals(planRounds(readOptions(["--seed", "5"])), plan);
  assertNotEquals(planRounds(readOptions(["--seed", "6"])), plan);
});

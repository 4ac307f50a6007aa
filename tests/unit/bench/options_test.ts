import { assertEquals, assertThrows } from "@std/assert";
import { readOptions } from "../../bench/options.ts";
import { OptionError } from "../../support/option_error.ts";

Deno.test("readOptions() refuses what it does not know", () => {
  const { rounds, connections, rows } = readOptions([
    "--connections",
    "1,4",
    "--only",
    "get,patch",
  ]);
  assertEquals([rounds, connections, rows], [5, [1, 4], ["get", "patch"]]);
  for (const args of [["--rounds", "0"], ["--seconds", "0.5"], ["--only", "gets"]]) {
    assertThrows(() => readOptions(args), OptionError);
  }
});

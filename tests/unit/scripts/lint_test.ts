/** The project's own lint rules, each on code that it reports and code that it accepts. */

import { assertEquals } from "@std/assert";
import plugin from "../../../scripts/lint/plugin.ts";

/** The replacements that `deno lint --fix` makes, one per report; empty for none. */
function reported(source: string): string[] {
  return Deno.lint.runPlugin(plugin, "file.ts", source)
    .map(({ fix = [] }) => fix.map(({ text }) => text).join());
}

Deno.test("A spread of a literal is reported, and its members take its place", () => {
  assertEquals(reported("const a = { ...{ b, c: 1 }, d };"), ["b, c: 1"]);
  assertEquals(reported('const a = [...["b", "c",]];'), ['"b", "c"']);
  assertEquals(reported("call(...[1, 2] as const);"), ["1, 2"]);
  assertEquals(reported("const a = { ...{ b: [...[1]] } };").length, 2);
});

Deno.test("Spreads of values, of conditions and of objects with a type are accepted", () => {
  for (
    const source of [
      "const a = { ...b, ...c() };",
      "const a = [...b, ...[1, 2].map(String)];",
      "const a = { ...d ? { b } : {} };",
      "const a = { ...{ b } as Row };",
      "const a = [...{ length: 2 }];",
    ]
  ) {
    assertEquals(reported(source), [], source);
  }
});

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

/** The lines that begin with a reported comment. */
function restated(source: string): string[] {
  return Deno.lint.runPlugin(plugin, "src/tokens.ts", source)
    .map(({ range: [start] }) => source.slice(start).split("\n")[1] ?? "");
}

Deno.test("A doc comment whose words are all in its names is reported", () => {
  for (
    const [comment, declaration] of [
      ["The email.", "const email = 1;"],
      ["Returns the records of an owner.", "function recordsOf(owner: string): void {}"],
      ["All tokens.", "export const ALL = 1;"],
    ]
  ) {
    assertEquals(restated(`/** ${comment} */\n${declaration}`), [declaration]);
  }
  const member = "interface Token {\n  /** The name of a token. */\n  readonly name: string;\n}";
  assertEquals(restated(member), ["  readonly name: string;"]);
});

Deno.test("A doc comment with a unit, a limit, a shape, a tag or a reason is accepted", () => {
  for (
    const comment of [
      "The email, in lower case.",
      "At most 64 characters.",
      "Null for an account without an email.",
      "Email of 254 bytes.",
      "@throws ServiceError",
    ]
  ) {
    assertEquals(restated(`/** ${comment} */\nconst email = 1;`), [], comment);
  }
});

Deno.test("A comment wider than the formatter's lines is reported", () => {
  const messages = (source: string) =>
    Deno.lint.runPlugin(plugin, "file.ts", source).map(({ message }) => message);
  const words = "word ".repeat(20).trim();
  const message = "A comment wider than 100 columns";
  assertEquals(messages(`// ${words}`), [message]);
  assertEquals(messages(`/**\n * Short.\n * ${words}\n */\nconst a = 1;`), [message]);
  assertEquals(messages(`// ${words.slice(0, 97)}\nconst text = "${words}";`), []);
  assertEquals(messages(`// deno-lint-ignore ${words}`), []);
  assertEquals(messages(`const row = 1; // ${words}`), []);
});

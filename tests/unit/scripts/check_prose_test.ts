import { assert, assertEquals } from "@std/assert";
import { ALLOWED, checkedFiles, findProse, proseOf } from "../../../scripts/check_prose.ts";

/** The rules that a text violates. */
function rulesOf(path: string, source: string): string[] {
  return findProse(path, source).map((line) => /^\S+: ([\w-]+) /.exec(line)?.[1] ?? line);
}

const FOUND: readonly [path: string, source: string, rule: string][] = [
  ["src/a.ts", "/** What a page is to be found of. */", "relative-clause"],
  ["src/a.ts", "/** Sends it.\n * @returns Whom the secrets stand with */", "relative-clause"],
  ["src/a.ts", "// Of the form, the first.", "verb-first"],
  ["src/a.ts", "/** Says how a write stands. */", "verb-first"],
  ["src/a.ts", "/** Returns null, where there is a newer one. */", "where-condition"],
  ["src/a.ts", "/** The header is no header. */", "negated-noun"],
  ["src/a.ts", "// Loads the page anew.", "tail-word"],
  ["src/a.ts", "/** The loop goes on after an error. */", "vague-verb"],
  ["src/a.ts", "/** The rows beside the outcome. */", "odd-preposition"],
  ["src/a.ts", "/** Checks whoever signs in. */", "vague-pronoun"],
  ["src/a.ts", 'const A = { summary: "Let a record be no record once more" };', "tail-word"],
  ["src/a.ts", 'const A = { description: "Takes nothing of it" };', "verb-first"],
  ["sql/1.sql", "-- What is counted,\n-- and why.", "relative-clause"],
  ["src/console/web/lang/en.js", 'a: "What you do not know, end.",', "relative-clause"],
  ["README.md", "Text.\n\nWhat goes by itself is skipped.", "relative-clause"],
  ["README.md", "- A key that stands for a person", "vague-verb"],
  ["src/a.ts", "/** Compares an item with what is stored. */", "noun-clause"],
  ["src/a.ts", "/** Names of what the file lacks. */", "noun-clause"],
  ["README.md", "It compares each item with what is stored.", "noun-clause"],
  ["src/a.ts", "// The type that a name's ending tells.", "speaking-thing"],
  ["src/a.ts", "/** Asks the account that is there. */", "is-there"],
  ["src/a.ts", "/** Locks the row. Of two rows, the first. */", "verb-first"],
  ["sql/0100_a.sql", "-- Locks it. What waits is refused.", "relative-clause"],
  ["deno.json", '{ "description": "Take the pictures anew" }', "tail-word"],
  ["tests/a_test.ts", "// Of the form, the first.", "verb-first"],
];

for (const [path, source, rule] of FOUND) {
  Deno.test(`findProse() finds ${rule} in ${path}: ${source.split("\n")[0]}`, () => {
    assertEquals(rulesOf(path, source), [rule]);
  });
}

const CLEAN: readonly [path: string, source: string][] = [
  ["src/a.ts", "/** Returns the cached identity, or null. */"],
  ["src/a.ts", "/** Shows errors where they belong. There is no limit. */"],
  ["src/a.ts", "/** Runs `goes on` behind a proxy. */"],
  ["src/a.ts", "// deno-lint-ignore what-it-is"],
  ["src/a.ts", 'const text = "What a page is";'],
  ["src/console/web/lang/en.js", 'a: "What happened",'],
  ["README.md", "# What you see\n\n| What | Where |\n\n```\n# What it does\n```"],
  ["README.md", "The table lists\nwhat each setting does."],
  ["src/a.ts", "/** Records what happened. Which of the two? What does it cost? */"],
  ["src/a.ts", "/** Tags that tell you the formats apart; there is one. */"],
  ["README.md", "Locks it. Which one, [the rules] show."],
  ["tests/a_test.ts", 'const A = { summary: "Takes nothing of it" };'],
];

for (const [path, source] of CLEAN) {
  Deno.test(`findProse() accepts in ${path}: ${source.split("\n")[0]}`, () => {
    assertEquals(findProse(path, source), []);
  });
}

Deno.test("findProse() names the file and the line", () => {
  const [found = ""] = findProse("src/a.ts", "const a = 1;\n\n/** Says it. */");
  assert(found.startsWith("src/a.ts:3: verb-first ("), found);
});

Deno.test("The allow-list is short, has reasons, and contains nothing unused", async () => {
  assert(ALLOWED.length <= 40, `${ALLOWED.length} entries`);
  const texts = (await Promise.all(
    (await checkedFiles()).map(async (path) => proseOf(path, await Deno.readTextFile(path))),
  )).flat().map(({ text }) => text);
  for (const { text, reason } of ALLOWED) {
    assert(reason.length > 10, text);
    assert(texts.some((found) => found.includes(text)), `not found: ${text}`);
  }
});

import { assert, assertEquals } from "@std/assert";
import { inWords, writeMarkdown } from "../../../src/portability/markdown/document.ts";
import { FILE_TYPES } from "../../../src/portability/markdown/file_types.ts";
import { membersOf } from "../../../src/portability/description.ts";
import { LINE_TYPES } from "../../../src/portability/line_types.ts";

/** Line types without Markdown files, and why. */
const TYPES_WITHOUT_FILES: Readonly<Record<string, string>> = {
  import: "reports on a file that the owner has",
  origin: "only serves repetitions of an import",
  erased: "contains identifiers only",
  attachment: "is a file itself",
  execution: "logs an operation whose results have files",
  assignment: "only joins a record and a term",
  comparison: "names two sides that have files",
  legacyDrill: "names a plan that has a file",
  contactControl: "is in the file of its contact",
  evidenceControl: "is in the file of its evidence",
  proposal: "becomes an evaluation if it is accepted",
  assistantProposal: "becomes a change of a record if it is accepted",
  proposalEvent: "is a step on the way to an evaluation",
  timelineEntry: "names entries that have files",
};

Deno.test("Front matter has any value on one line, and nothing ends it early", () => {
  const hostile = [
    "\n---\n# Other",
    "a: b",
    "- x",
    "!!js/function x",
    ..."--- \u2028---\u2028 &a *a %YAML null é漢🪜".split(" "),
    ...'"\\\u0085\u007f{\ufeff~',
  ];
  const members = hostile.map((value, index) => [`name${index}`, value] as const);
  const text = writeMarkdown({
    title: "--- \n---\n# <b>Bold</b>",
    members: [...members, ["nested", { "a\n---": ["\n---\n", 1, null] }]],
    sections: [["Summary", "---\ntitle: forged\n---"]],
  });
  const lines = text.split("\n");
  assertEquals(lines[0], "---");
  const end = lines.indexOf("---", 1);
  assertEquals(end, hostile.length + 2);
  for (const [index, value] of hostile.entries()) {
    const line = lines[index + 1] ?? "";
    assert(line.startsWith(`name${index}: "`), line);
    assertEquals(JSON.parse(line.slice(line.indexOf(":") + 1)), value);
    assert(!/[\u007f-\u009f\u2028\u2029\ufeff]/.test(line), line);
  }
  assertEquals(lines.slice(end + 1, end + 3), ["", "# ---  --- \\# \\<b\\>Bold\\</b\\>"]);
  assertEquals(lines.slice(end + 3), ["", "## Summary", "", "---", "title: forged", "---", ""]);
});

Deno.test("inWords() turns a member's name into a heading", () => {
  assertEquals(["note", "originalContent", "aiDraft"].map(inWords), [
    "Note",
    "Original content",
    "Ai draft",
  ]);
});

Deno.test("Each type of lines has files or a reason for none", () => {
  const named = [...FILE_TYPES.map(({ lines }) => lines.type), ...Object.keys(TYPES_WITHOUT_FILES)];
  assertEquals(named.toSorted(), LINE_TYPES.map(({ type }) => type).sort());
  for (const reason of Object.values(TYPES_WITHOUT_FILES)) assert(reason.length > 10);
});

Deno.test("Each member that describes a file exists in its type", () => {
  for (const { lines, title, texts } of FILE_TYPES) {
    const members = membersOf(lines.columns).map(({ member }) => member);
    for (const name of [title, ...texts]) {
      assert(name === null || members.includes(name), name ?? "");
    }
  }
});

import { assert, assertEquals, assertThrows } from "@std/assert";
import { writeExport } from "../../../../src/families/memory/export_format.ts";
import type { Memory } from "../../../../src/families/memory/memory.ts";
import {
  hostileText,
  randomMemory,
  readJsonExport,
  readMarkdownExport,
} from "../../../families/memory/export.ts";
import { seededRandom } from "../../../support/random.ts";

const NOW = new Date("2026-11-20T23:59:59.999Z");

function toMarkdown(memories: readonly Memory[]): string {
  return writeExport("MARKDOWN", memories, NOW).content;
}

function toJson(memories: readonly Memory[]): string {
  return writeExport("JSON", memories, NOW).content;
}

const MEMORY: Memory = {
  memoryId: "01JD5Q3Z9V7K2M4N6P8R0S1T2W",
  title: "The *first* snow",
  summary: 'He said "look"',
  memoryType: "EVENT",
  originalContent: "Snow.\n---\nMore snow.",
  currentContent: "```\nSnow, in a block.\n```\n",
  occurredAt: "1985-01-10T20:00:00.000Z",
  timePrecision: "DAY",
  timeText: null,
  timeRange: { from: "1985-01-09T23:00:00.000Z", to: "1985-01-10T23:00:00.000Z" },
  localTimes: { occurredAt: "1985-01-10T21:00:00.000+01:00[Europe/Berlin]" },
  importance: 4,
  aiDraft: null,
  aiDraftProvider: null,
  aiDraftModel: null,
  privacyLevel: "PRIVATE",
  revision: 2,
  createdAt: "2026-11-19T08:00:00.000Z",
  updatedAt: "2026-11-20T08:00:00.000Z",
  archivedAt: null,
};

const MARKDOWN = `---
format: "prs-memory"
version: 1
memoryId: "01JD5Q3Z9V7K2M4N6P8R0S1T2W"
title: "The *first* snow"
summary: "He said \\"look\\""
memoryType: "EVENT"
occurredAt: "1985-01-10T20:00:00.000Z"
timePrecision: "DAY"
timeText: null
timeRange: {"from":"1985-01-09T23:00:00.000Z","to":"1985-01-10T23:00:00.000Z"}
localTimes: {"occurredAt":"1985-01-10T21:00:00.000+01:00[Europe/Berlin]"}
importance: 4
aiDraftProvider: null
aiDraftModel: null
privacyLevel: "PRIVATE"
revision: 2
createdAt: "2026-11-19T08:00:00.000Z"
updatedAt: "2026-11-20T08:00:00.000Z"
archivedAt: null
---

# The \\*first\\* snow

## originalContent

\`\`\`
Snow.
---
More snow.
\`\`\`

## currentContent

\`\`\`\`
\`\`\`
Snow, in a block.
\`\`\`

\`\`\`\`
`;

/** Equal to the input in both documents. */
function assertExact(memories: readonly Memory[], message: string) {
  const given = memories.map((memory) => ({ ...memory }));
  const encoded = (content: string) =>
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(new TextEncoder().encode(content));
  assertEquals(readMarkdownExport(encoded(toMarkdown(memories))), given, message);
  assertEquals(readJsonExport(encoded(toJson(memories))), given, message);
}

Deno.test("A Markdown export writes front matter, a heading and the texts in fenced blocks", () => {
  assertEquals(toMarkdown([MEMORY]), MARKDOWN);
  assertEquals(toMarkdown([MEMORY, MEMORY]), `${MARKDOWN}\n${MARKDOWN}`);
  assertExact([MEMORY], "the example");
});

Deno.test("A JSON export names format and version before the memories", () => {
  const content = toJson([MEMORY]);
  assertEquals(JSON.parse(content), { format: "prs-memory", version: 1, memories: [MEMORY] });
  assertEquals(Object.keys(JSON.parse(content)), ["format", "version", "memories"]);
  assert(content.endsWith("}\n"));
});

Deno.test("both exports of no memories are documents without memories", () => {
  assertEquals(toMarkdown([]), "");
  assertExact([], "none");
});

Deno.test("both exports keep every text exactly", () => {
  const texts = [
    "",
    "\n\n",
    "\r\n",
    "a\r\nb",
    "ends\n",
    "ends\r\n",
    "ends  ",
    "---\n",
    "\n---",
    "---\nformat: x\n---\n# y",
    "# a",
    "## aiDraft\n\n```\nx\n```",
    "```\n",
    "\n```",
    "``` ````",
    "` `` ```",
    "`".repeat(100_000),
    ": #",
    ..."\n \r\t\u2028\u2029\u0085\ufeff\"\\'\u{10ffff}",
    ..."--- ... ` `` ``` ````` ~~~".split(" "),
    ..."\ufeffa \u0001\u001b\u007f\u009f \uffff\ufffe".split(" "),
    ...'\\" \\u0041 null 1 true {} [a] 👩‍👩‍👧'.split(" "),
  ];
  for (const text of texts) {
    const memory: Memory = {
      ...MEMORY,
      title: text,
      summary: text,
      originalContent: text,
      currentContent: text,
      timeText: text,
      aiDraft: text,
      aiDraftProvider: text,
      aiDraftModel: text,
    };
    assertExact([memory, memory], JSON.stringify(text.slice(0, 40)));
  }
});

Deno.test("both exports keep every field of any memories", () => {
  const seed = 61;
  const random = seededRandom(seed);
  for (let run = 0; run < 500; run++) {
    const memories = Array.from({ length: random.integer(0, 4) }, () => randomMemory(random));
    assertExact(memories, `seed ${seed}, run ${run}`);
  }
});

Deno.test("A Markdown export distinguishes an absent draft from an empty one", () => {
  for (const aiDraft of [null, ""]) {
    const [read] = readMarkdownExport(toMarkdown([{ ...MEMORY, aiDraft }]));
    assertEquals(read?.aiDraft, aiDraft);
  }
});

Deno.test("A Markdown export makes parts that can be joined end to end", () => {
  const random = seededRandom(62);
  for (let run = 0; run < 100; run++) {
    const parts = Array.from({ length: 3 }, () => [randomMemory(random), randomMemory(random)]);
    const joined = parts.map((part) => toMarkdown(part)).join("");
    assertEquals(readMarkdownExport(joined), parts.flat().map((memory) => ({ ...memory })));
  }
});

Deno.test("A Markdown export escapes marks in a title's heading", () => {
  const heading = (title: string) =>
    toMarkdown([{ ...MEMORY, title }]).split("\n---\n\n")[1]?.split("\n")[0];
  assertEquals(heading("Plain, 1.5 (words)"), "# Plain, 1.5 (words)");
  assertEquals(heading("<b>&amp;"), "# \\<b\\>\\&amp;");
  assertEquals(heading("![x](y) `z` \\"), "# \\!\\[x\\](y) \\`z\\` \\\\");
  assertEquals(heading("one\n---\r\ntwo\u2028three\u0085"), "# one --- two three ");
});

Deno.test("A Markdown export makes a fence longer than the longest run inside", () => {
  const random = seededRandom(63);
  for (let run = 0; run < 200; run++) {
    const originalContent = hostileText(random, 20);
    let longest = 2;
    while (originalContent.includes("`".repeat(longest + 1))) longest++;
    const [, fence] = /\n## originalContent\n\n(`+)\n/.exec(
      toMarkdown([{ ...MEMORY, title: "", originalContent }]),
    ) ?? [];
    assertEquals(fence?.length, longest + 1, JSON.stringify(originalContent));
  }
});

Deno.test("Both exports omit non-fields of a memory", () => {
  const stored = { ...MEMORY, ownerId: "01JD5Q3Z9V7K2M4N6P8R0S1T2X", redacted: false };
  assertEquals(toMarkdown([stored]), toMarkdown([MEMORY]));
  assertEquals(toJson([stored]), toJson([MEMORY]));
});

Deno.test("Both exports order fields alike, for any memory object", () => {
  const reversed = Object.fromEntries(Object.entries(MEMORY).reverse()) as unknown as Memory;
  assertEquals(toMarkdown([reversed]), MARKDOWN);
  assertEquals(toJson([reversed]), toJson([MEMORY]));
});

Deno.test("writeExport() describes its content by media type, count and digest", async () => {
  const random = seededRandom(64);
  const memories = Array.from({ length: 3 }, () => randomMemory(random));
  for (
    const [format, filename, mediaType, content] of [
      [
        "MARKDOWN",
        "memories-2026-11-20.md",
        "text/markdown; charset=utf-8",
        toMarkdown(memories),
      ],
      ["JSON", "memories-2026-11-20.json", "application/json", toJson(memories)],
    ] as const
  ) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
    assertEquals(writeExport(format, memories, NOW), {
      format,
      filename,
      mediaType,
      sha256: new Uint8Array(digest).toHex(),
      count: 3,
      content,
    });
  }
});

Deno.test("writeExport() names the day in UTC", () => {
  assertEquals(writeExport("MARKDOWN", [], NOW).filename, "memories-2026-11-20.md");
  const nextDay = writeExport("JSON", [], new Date("2026-11-21T00:00Z"));
  assertEquals(nextDay.filename, "memories-2026-11-21.json");
});

Deno.test("The tests' reader rejects a Markdown document that breaks its rules", () => {
  const broken = [
    MARKDOWN.slice(0, -1),
    MARKDOWN.replaceAll("````", "```"),
    MARKDOWN.replace("version: 1", "version: 2"),
    MARKDOWN.replace('memoryType: "EVENT"', "memoryType: EVENT"),
    MARKDOWN.replace("timeText: null", 'timeText: "\u2028"'),
    MARKDOWN.replace("timeText: null", 'title: "again"'),
    MARKDOWN.replace("currentContent", "originalContent"),
    `words\n${MARKDOWN}`,
  ];
  for (const document of broken) assertThrows(() => readMarkdownExport(document), SyntaxError);
});

/** Exports of Joplin. */

import { assertEquals, assertRejects } from "@std/assert";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { JOPLIN } from "../../../../src/imports/converters/apps/joplin.ts";
import { ReadingBudget } from "../../../../src/imports/reading_budget.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import { inputOf } from "../../../families/relationship/cards.ts";
import { archiveOf, convertFile, type Files } from "../../../support/converted_files.ts";

type Properties = Readonly<Record<string, string | number>>;

/** An identifier that ends with some digits. */
function id(digits: string): string {
  return digits.padStart(32, "0");
}

/** An entry of an item; null for a title that it does not have. */
function item(number: string, head: string | null, properties: Properties): Files {
  const lines = Object.entries({ id: id(number), ...properties })
    .map(([name, value]) => `${name}: ${value}`);
  return { [`${id(number)}.md`]: (head === null ? "" : `${head}\n\n`) + lines.join("\n") };
}

function note(number: string, head: string, properties: Properties = {}): Files {
  const created_time = "2024-04-13T16:23:00.000Z";
  return item(number, head, { created_time, ...properties, type_: 1 });
}

async function textOf(files: Files): Promise<unknown> {
  const { items } = await convertFile(JOPLIN, files);
  return (items[0]?.members.payload as Record<string, unknown>).snapshot;
}

Deno.test("Note has its notebooks, tags, place and files", async () => {
  const files = {
    ...item("b", "Trips", { parent_id: "", type_: 2 }),
    ...item("c", "Italy", { parent_id: id("b"), type_: 2 }),
    ...item("d", "sea", { type_: 5 }),
    ...item("e", null, { note_id: id("a"), tag_id: id("d"), type_: 6 }),
    ...item("f", "Map [1].png", { mime: "image/png", type_: 4 }),
    [`resources/${id("f")}.png`]: "png",
    ...note("a", `The lake\n\nWe swam: ![map](:/${id("f")})`, {
      parent_id: id("c"),
      user_created_time: "2020-01-02T03:04:05.678Z",
      latitude: "50.10000000",
      longitude: "0.00000000",
      altitude: "0.0000",
      source_url: "https://example.org/lake",
      author: "Ana\\nMar\\\\n",
      order: 5,
      user_data: "{}",
    }),
  };
  const { items: [lake], counts, groups, used } = await convertFile(JOPLIN, files, {
    mapping: { timeZone: "Europe/Berlin" },
  });
  const name = sha256Hex("png").slice(0, 26);
  assertEquals(lake?.members, {
    key: id("a"),
    target: "knowledge",
    title: "The lake",
    payload: {
      sourceType: "WEBPAGE",
      url: "https://example.org/lake",
      sourceTitle: "The lake",
      snapshot: `We swam: ![map](attachment:${name})\n\nDetails\nPlace: 50.1, 0`,
      readingStatus: "REFERENCE",
      author: "Ana Mar\\n",
    },
    tags: ["sea", "Trips/Italy"],
    attachments: [name],
    recordedAt: "2020-01-02T03:04:05.678Z",
  });
  assertEquals([lake?.filenames?.get(name), lake?.mediaTypes?.get(name)], [
    "Map [1].png",
    "image/png",
  ]);
  assertEquals(counts, { user_data: 1 });
  assertEquals(groups, { "Trips": 0, "Trips/Italy": 1 });
  assertEquals(used.size, 6);
});

Deno.test("Body keeps lines that look like properties, and blank lines", async () => {
  const body = "id: 1\n\ntype_: 2\n  \n\nlast\n";
  assertEquals(await textOf(note("a", `T\n\n${body}`)), body);
  assertEquals(await textOf(note("a", "T")), undefined);
  const windows = note("a", `T\n\n${body}`)[`${id("a")}.md`] as string;
  assertEquals(
    await textOf({ [`${id("a")}.md`]: windows.replaceAll("\n", "\r\n") + "\r\n" }),
    body,
  );
});

Deno.test("Links name notes by their titles and resources by their files", async () => {
  const files = {
    ...note(
      "a",
      [
        "Links\n",
        `[one](:/${id("1")}) [One](:/${id("1")}#part "title") [two](:/${id("2")})`,
        `<img src=":/${id("5")}" alt="a"> [pdf](<:/${id("5")}>) ![lost](:/${id("9")})`,
        `[![](:/${id("5")})](:/${id("1")}) \`[code](:/${id("1")})\` [[:/${id("5")}]]`,
      ].join("\n"),
    ),
    ...note("1", "One"),
    ...note("2", "Two"),
    ...note("3", "Two"),
    [`notes/resources/${id("5")}.pdf`]: "pdf",
    [`resources/${id("6")}.md`]: "A text\n\ntype_: 1",
  };
  const name = sha256Hex("pdf").slice(0, 26);
  const { items: [first, ...others] } = await convertFile(JOPLIN, files);
  assertEquals(others.map(({ members }) => members.title), ["One", "Two", "Two"]);
  assertEquals(
    (first?.members.payload as Record<string, unknown>).snapshot,
    [
      `[[One|one]] [[One]] [two](:/${id("2")})`,
      `<img src="attachment:${name}" alt="a"> [pdf](attachment:${name}) ![lost](:/${id("9")})`,
      `[![](attachment:${name})](:/${id("1")}) \`[code](:/${id("1")})\` [[:/${id("5")}]]`,
    ].join("\n"),
  );
  assertEquals(first?.rules, ["link.missing"]);
  assertEquals(first?.members.attachments, [name, `:/${id("9")}`]);
});

Deno.test("HTML becomes Markdown", async () => {
  const files = {
    ...note(
      "a",
      `Web\n\n<p><b>Bold</b> <img src=":/${id("5")}"/> <a href=":/${id("1")}">one</a></p>`,
      {
        markup_language: 2,
      },
    ),
    ...note("1", "One"),
    [`resources/${id("5")}`]: "png",
    ...item("5", "x.png", { mime: "image/png", type_: 4 }),
  };
  const name = sha256Hex("png").slice(0, 26);
  assertEquals(await textOf(files), `**Bold** ![](attachment:${name}) [[One|one]]`);
});

Deno.test("Task is a commitment, or a note with the mapping", async () => {
  const files = note("a", "Call\n\nAna", {
    is_todo: 1,
    todo_due: 1652385600980,
    todo_completed: 1713025684000,
  });
  const { items: [task], counts } = await convertFile(JOPLIN, files);
  assertEquals(task?.members.payload, {
    commitmentType: "OPEN_LOOP",
    content: "Ana",
    completionStatus: "COMPLETED",
    dueAt: "2022-05-12T20:00:00.980Z",
    completedAt: "2024-04-13T16:28:04.000Z",
  });
  assertEquals(counts, {});
  const noted = await convertFile(JOPLIN, files, { mapping: { tasks: "text" } });
  assertEquals(noted.items[0]?.members.target, "knowledge");
  assertEquals(noted.counts, { is_todo: 1, todo_completed: 1, todo_due: 1 });
});

Deno.test("Conflicts, the trash, encrypted and other items are reported", async () => {
  const files = {
    ...note("1", "Other", { is_conflict: 1, created_time: "soon" }),
    ...note("2", "Gone", { deleted_time: 1713025684000 }),
    ...note("3", "", { encryption_applied: 1, encryption_cipher_text: "JED01" }),
    ...item("4", null, { type_: 13 }),
    ...item("5", null, { encryption_applied: 1, type_: 5 }),
    [`${id("6")}.md`]: "# A note",
    ...note("7", `Long\n\n${"é".repeat(2 ** 21)}`),
  };
  const { items, counts, used } = await convertFile(JOPLIN, files, { chunkBytes: 64 * 1024 });
  assertEquals(items.map(({ members, rules, refused }) => [members.title, rules, refused]), [
    ["Other", ["joplin.conflict", "import.date"], undefined],
    [undefined, undefined, ["note.encrypted"]],
    [undefined, undefined, ["field.length"]],
  ]);
  assertEquals(items[0]?.members.archived, true);
  assertEquals(counts, { "joplin.type_13": 1, "joplin.type_5": 1, "note.trashed": 1 });
  assertEquals([used.size, used.has(`${id("6")}.md`)], [6, false]);
});

Deno.test("Notebooks in a circle end", async () => {
  const files = {
    ...item("1", "A", { parent_id: id("2"), type_: 2 }),
    ...item("2", "B", { parent_id: id("1"), type_: 2 }),
    ...note("3", "N", { parent_id: id("1") }),
  };
  const { groups, items } = await convertFile(JOPLIN, files, { mapping: { groupTags: false } });
  assertEquals([groups, items[0]?.members.tags], [{ "A/B": 0, "B/A": 1 }, []]);
});

Deno.test("Index counts its memory", async () => {
  const items = [
    note("1", "Note"),
    item("2", "Notebook", { type_: 2 }),
    item("3", "Resource", { type_: 4 }),
    item("4", "tag", { type_: 5 }),
    item("5", null, { note_id: id("1"), tag_id: id("4"), type_: 6 }),
    { [`resources/${id("3")}.png`]: "png" },
  ];
  for (const files of items) {
    const budget = new ReadingBudget({ fileBytes: 1, heldBytes: 100 });
    const input = { ...inputOf(new Uint8Array(), 1, budget), archive: await archiveOf(files) };
    const error = await assertRejects(() => Array.fromAsync(JOPLIN.convert(input)), FileRefusal);
    assertEquals(error.rule, "import.budget");
  }
});

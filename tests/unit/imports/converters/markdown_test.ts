/** Notes of archives and single notes, from their bytes to items. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject, JsonValue } from "../../../../src/core/json.ts";
import { Archive, type EntryTime } from "../../../../src/imports/archive/archive.ts";
import type { Converted, SourceItem } from "../../../../src/imports/converters/converter.ts";
import { MARKDOWN } from "../../../../src/imports/converters/markdown.ts";
import { inputOf } from "../../../families/relationship/cards.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

const ID = "0123456789abcdef0123456789abcdef";
const LARGE = 16 * 1024 * 1024;

/** An archive with these files, all changed at one time. */
function archiveOf(files: Files, modified: EntryTime | null): Archive {
  const entries = Object.entries(files).map(([name, content], index) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return {
      place: index + 1,
      name,
      shownName: name,
      size: bytes.length,
      modified,
      async *bytes() {
        yield await Promise.resolve(bytes);
      },
    };
  });
  return new Archive(entries, 0);
}

async function converted(
  files: Files,
  mapping: JsonObject | null = null,
  modified: EntryTime | null = null,
): Promise<{ all: readonly Converted[]; items: readonly SourceItem[]; archive: Archive }> {
  const archive = archiveOf(files, modified);
  await archive.check(() => {});
  const input = { ...inputOf(new Uint8Array(), 1), archive, mapping, source: "markdown:Vault" };
  const all = await Array.fromAsync(MARKDOWN.convert(input));
  return { all, items: itemsOf(all), archive };
}

async function single(content: string | Uint8Array, filename: string | null, mapping?: JsonObject) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const input = { ...inputOf(bytes, 64 * 1024), source: "markdown:Vault" };
  const options = { filename, mapping: mapping ?? null };
  return itemsOf(await Array.fromAsync(MARKDOWN.convert({ ...input, ...options })));
}

function itemsOf(all: readonly Converted[]): readonly SourceItem[] {
  return all.flatMap((each) => each.kind === "item" ? [each.item] : []);
}

/** The counted name; the kind of anything else. */
function nameOf(each: Converted): string {
  return each.kind === "unmapped" ? each.name : each.kind;
}

function memberOf(name: string): (item: SourceItem) => JsonValue | undefined {
  return ({ members }) => members[name];
}

function textOf({ members: { payload } }: SourceItem): JsonValue | undefined {
  const { snapshot, originalContent } = payload as JsonObject;
  return snapshot ?? originalContent;
}

/** The paths of an item's files. */
function filesOf({ members: { attachments }, paths }: SourceItem): string[] {
  return (attachments as string[]).map((name) => paths?.get(name) ?? name);
}

/** A text with a character of two bytes, in an encoding of one byte or in UTF-16. */
const WINDOWS_1252 = new Uint8Array([0x4d, 0xfc]);
const UTF_16 = new Uint8Array([0xff, 0xfe, 0x4d, 0x00, 0xfc, 0x00]);

Deno.test("A note is named by its front matter, its file, or its heading", async () => {
  const titles: Record<string, string> = {
    "A/Lake.md": "Lake",
    "Stated.md": "Stated by hand",
    "index.md": "Heading",
    "Untitled.markdown": "Heading",
    "text.txt": "text",
    [`Page ${ID}.md`]: "Page",
    [`${ID}.txt`]: "Heading",
    "Diary/2023/01/05.md": "2023-01-05",
    "Diary/2023/13/05.md": "05",
    "2023/Notes/05.md": "05",
    "A/ .md": "Heading",
    " .txt": "A line",
    [`  ${ID}.md`]: "Vault",
  };
  const texts: Files = {
    "Stated.md": "---\ntitle: Stated by hand\n---\n",
    "text.txt": "Words",
    " .txt": "> A line",
    [`  ${ID}.md`]: "",
  };
  const files = Object.keys(titles).map((name) => [name, texts[name] ?? "Words\n# Heading"]);
  const { items } = await converted(Object.fromEntries(files));
  assertEquals(
    Object.fromEntries(items.map(({ entry, members }) => [entry, members.title])),
    titles,
  );
});

Deno.test("The first of several notes with one identifier has it as key", async () => {
  const names = [`B/Page ${ID}.md`, `A/Page ${ID.toUpperCase()}.md`, `${ID}.txt`, "C.md"];
  const { items } = await converted(Object.fromEntries(names.map((name) => [name, name])));
  assertEquals(items.map(memberOf("key")), [names[0], names[1], ID, "C.md"]);
});

Deno.test("A folder of the mapping is named with or without the only one at the top", async () => {
  const files = { "V/A/1.md": "", "V/A/B/2.md": "", "V/C/3.txt": "", "V/4.md": "" };
  const targets = async (folders: JsonObject) => {
    const { all } = await converted(files, { folders });
    return all.map((each) => each.kind === "item" ? each.item.members.target : nameOf(each));
  };
  const folders = { "A": "memory", "V/A/B": "capture", "/C/": "leave" };
  assertEquals(await targets(folders), ["memory", "capture", "folder.left", "knowledge"]);
  assertEquals(await targets({ "": "memory", "V/C": "knowledge" }), [
    "memory",
    "memory",
    "knowledge",
    "memory",
  ]);
});

Deno.test("Notes are UTF-8, UTF-16 or what the mapping names", async () => {
  const files = { "old.md": WINDOWS_1252, "wide.txt": UTF_16, "new.md": "Mü" };
  const { all, items } = await converted(files);
  assertEquals(all.map((each) => each.kind === "fault" ? each.rule : each.kind), [
    "text.utf8",
    "item",
    "item",
  ]);
  assertEquals(items.map(textOf), ["Mü", "Mü"]);
  const mapped = await converted(files, { encoding: "windows-1252" });
  assertEquals(mapped.items.map(textOf), ["Mü", "Mü", "Mü"]);
  const [refused] = await single(WINDOWS_1252, "old.md");
  assertEquals([refused?.members.key, refused?.refused], ["old.md", ["text.utf8"]]);
  assertEquals((await single(WINDOWS_1252, "old.md", { encoding: "cp437" })).map(textOf), ["Mⁿ"]);
});

Deno.test("CR alone ends the lines of a note without LF, which stay", async () => {
  const [stated] = await single("---\rtitle: Stated\r---\r# Heading\rWords\r", null);
  assertEquals([stated?.members.title, stated && textOf(stated)], [
    "Stated",
    "# Heading\rWords\r",
  ]);
  const page = `Page ${ID}.md`;
  const { items } = await converted({ [page]: "# Page\r\rTags: one\r\rWords" });
  assertEquals(items.map(memberOf("tags")), [["one"]]);
});

Deno.test("An item of Joplin is counted, and not read as a note", async () => {
  const end = "\n\nid: 1\ntype_: 1";
  const { all, archive } = await converted({
    [`${ID}.md`]: `Title${end}\n \n`,
    [`Page ${ID}.md`]: `Title${end}`,
    [`a/${ID.replaceAll("0", "1")}.md`]: `${end}\nmore`,
  });
  assertEquals(all.map(nameOf), ["file.joplin", "item", "item"]);
  assertEquals(archive.used.size, 3);
});

Deno.test("A note without a date has the time at which its file was changed", async () => {
  const files = {
    "A.md": "",
    "B.md": "---\ncreated: 2020-02-03\n---\n",
    "2020-02-03.md": "",
  };
  const local = { local: "2015-08-03T09:30:00" };
  const times = async (modified: EntryTime, mapping: JsonObject | null = null) =>
    (await converted(files, mapping, modified)).items.map(({ modifiedAt }) => modifiedAt);
  assertEquals(await times({ time: 1_000 }), [1_000, null, null]);
  const utc = Date.UTC(2015, 7, 3, 9, 30);
  assertEquals(await times(local), [utc, null, null]);
  const zone = { timeZone: "Europe/Vienna" };
  assertEquals(await times(local, zone), [utc - 2 * 60 * 60 * 1000, null, null]);
});

Deno.test("A note above 16 MiB is a link to its file, and a smaller one parts", async () => {
  const line = `${"a".repeat(1023)}\n`;
  const { items: [whole, ...parts] } = await converted({
    "Huge [1].md": `${line.repeat(LARGE / 1024)}b`,
    "Large.md": line.repeat(LARGE / 1024),
  });
  assert(whole !== undefined);
  const [name] = whole.members.attachments as string[];
  assertEquals([whole.members.title, textOf(whole), filesOf(whole), whole.rules], [
    "Huge [1]",
    `[Huge \\[1\\].md](attachment:${name})`,
    ["Huge [1].md"],
    ["text.file"],
  ]);
  assertEquals(parts.map(textOf).join("").length, LARGE);
  const huge = line.repeat(LARGE / 1024) + "b";
  const [bare] = await single(huge, null);
  const [file] = bare?.files ?? [];
  assertEquals(bare && textOf(bare), "[note.md](attachment:note.md)");
  assertEquals([file?.name, file?.size, file?.mediaType], [
    "note.md",
    huge.length,
    "text/markdown",
  ]);
});

Deno.test("A note with over 16 MiB of identifiers is its file, and others come in", async () => {
  const crowded = "[[a]]".repeat(420_000);
  const { items: [first, other] } = await converted({ a: "x", "A.md": crowded, "B.md": "![[a]]" });
  assert(first !== undefined && other !== undefined);
  const [name] = first.members.attachments as string[];
  assertEquals(
    [first.members.title, textOf(first), filesOf(first), first.rules],
    ["A", `[A.md](attachment:${name})`, ["A.md"], ["text.file"]],
  );
  assert(String(textOf(other)).startsWith("![a](attachment:"));
});

Deno.test("A single note is named by its file, else by its heading, its first line, or the import", async () => {
  const names = async (text: string, filename: string | null) =>
    (await single(text, filename)).map(({ members: { key, title, target } }) => [
      String(key).replace(/^digest:[0-9a-f]{64}$/, "digest"),
      title,
      target,
    ]);
  assertEquals(await names("Words\n# Heading", null), [["digest", "Heading", "knowledge"]]);
  assertEquals(await names("\n- Words", null), [["digest", "Words", "knowledge"]]);
  assertEquals(await names("", null), [["digest", "Vault", "knowledge"]]);
  assertEquals(await names("# Heading", "A.txt"), [["A.txt", "A", "knowledge"]]);
  assertEquals(await names("# Heading", "note.md"), [["note.md", "Heading", "knowledge"]]);
  assertEquals(await names("- Words", " .md"), [[" .md", "Words", "knowledge"]]);
  assertEquals(await names("", `A ${ID}.md`), [[ID, "A", "knowledge"]]);
  assertEquals(await names("A day", "2023-01-05.md"), [["2023-01-05.md", "2023-01-05", "memory"]]);
});

Deno.test("A bundle is one note, with its files, title and time", async () => {
  const bear = {
    title: "By Bear",
    creationDate: "2019-05-06T07:08:09+0200",
    archived: 1,
    trashed: 0,
  };
  const info = JSON.stringify({ version: 2, "net.shinyfrog.bear": bear });
  const { items, archive } = await converted(
    {
      "Trip.textbundle/text.txt": "Second",
      "Trip.textbundle/text.markdown": "We rowed.",
      "Trip.textbundle/info.json": `\ufeff${info}`,
      "Trip.textbundle/assets/b.md": "b",
      "Trip.textbundle/assets/a.png": "a",
      "Trip.textbundle/assets/same.png": "a",
      "Trip.textbundle/.hidden": "h",
      "Other.textpack/text.md": "# Heading",
      "Other.textpack/info.json": "{broken",
      "Plain.textpack/text.md": "---\ntitle: Stated\n---\n# Heading",
      "No bundle/info.json": "{}",
      "No bundle/text.md": "# Words",
    },
    null,
    { time: 1 },
  );
  assertEquals(items.map(memberOf("key")), [
    "Trip.textbundle/text.markdown",
    "Other.textpack/text.md",
    "Plain.textpack/text.md",
    "No bundle/text.md",
  ]);
  assertEquals(items.map(memberOf("title")), ["By Bear", "Heading", "Stated", "Words"]);
  assertEquals(items.slice(0, 1).flatMap(filesOf), [
    "Trip.textbundle/assets/a.png",
    "Trip.textbundle/assets/b.md",
    "Trip.textbundle/text.txt",
  ]);
  assertEquals(items.map(memberOf("recordedAt")).slice(0, 2), [
    "2019-05-06T05:08:09.000Z",
    undefined,
  ]);
  assertEquals(items.map(({ modifiedAt }) => modifiedAt), [null, 1, 1, 1]);
  assertEquals(items.map(memberOf("archived")), [true, undefined, undefined, undefined]);
  assertEquals(archive.used.has("Other.textpack/info.json"), true);
  assertEquals(archive.used.has("No bundle/info.json"), false);
});

Deno.test("A bundle at the top has its assets, and other notes beside it", async () => {
  const files = { "info.json": "{}", "text.md": "A\n# B", "assets/c.md": "c", "d.md": "d" };
  for (const [top, title] of [["", "A"], ["Trip/", "Trip"], ["Trip.textbundle/", "Trip"]]) {
    const inside = Object.entries(files).map(([name, content]) => [`${top}${name}`, content]);
    const { items } = await converted(Object.fromEntries(inside));
    const others = top === "Trip.textbundle/" ? [] : ["d"];
    assertEquals(items.map(memberOf("title")), [title, ...others]);
    assertEquals(
      items.slice(0, 1).flatMap(filesOf),
      [`${top}assets/c.md`, ...others.length > 0 ? [] : [`${top}d.md`]],
    );
  }
});

Deno.test("A blank memory without files, and a blank capture, have their titles as texts", async () => {
  const { items } = await converted({
    "2021-03-04.md": "---\ntags: [one]\n---\n",
    "Journal/a.textbundle/text.md": "\n",
    "Journal/a.textbundle/assets/a.png": "a",
    "In/b.textbundle/text.md": " ",
    "In/b.textbundle/assets/b.png": "b",
    "Page.md": "",
  }, { folders: { Journal: "memory", In: "capture" } });
  assertEquals(items.map(textOf), ["2021-03-04", "\n", "b", ""]);
});

Deno.test("A bundle that Bear encrypted is refused, and one in its trash archived", async () => {
  const info = (bear: JsonObject) => JSON.stringify({ "net.shinyfrog.bear": bear });
  const { items } = await converted({
    "A.textbundle/text.md": "secret",
    "A.textbundle/info.json": info({ encrypted: 1 }),
    "B.textbundle/text.md": "old",
    "B.textbundle/info.json": info({ trashed: 1, creationDate: "never" }),
  });
  assertEquals(items.map(({ refused }) => refused), [["note.encrypted"], undefined]);
  assertEquals(items.map(memberOf("archived")), [undefined, true]);
});

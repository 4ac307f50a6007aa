/** The facts of notes, and the digests that an earlier release gave their items. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../../../src/catalog/catalog.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import { Archive } from "../../../../src/imports/archive/archive.ts";
import { inlineTags } from "../../../../src/imports/converters/inline_tags.ts";
import { MARKDOWN } from "../../../../src/imports/converters/markdown.ts";
import { type Item, readItem } from "../../../../src/imports/item.ts";
import { createTargets } from "../../../../src/imports/targets.ts";
import { inputOf } from "../../../families/relationship/cards.ts";

const MAPPING = { folders: { In: "capture" }, timeZone: "Europe/Berlin" };

/** Texts of notes by path. */
type Vault = Readonly<Record<string, string>>;

async function itemsOf(vault: Vault, mapping: JsonObject = MAPPING) {
  const entries = Object.entries(vault).map(([name, text], index) => {
    const bytes = new TextEncoder().encode(text);
    const chunks = async function* () {
      yield await Promise.resolve(bytes);
    };
    const { length: size } = bytes;
    return { place: index + 1, name, shownName: name, size, modified: null, bytes: chunks };
  });
  const archive = new Archive(entries, 0);
  const targets = createTargets(CATALOG);
  const input = { ...inputOf(new Uint8Array(), 1), source: "markdown:My vault" };
  const { fieldsOf } = targets;
  const converted = await Array.fromAsync(
    MARKDOWN.convert({ ...input, archive, mapping, fieldsOf }),
  );
  const context = { archive, targets, now: new Date("2026-01-01T00:00:00Z") };
  return converted.flatMap((each, index) =>
    each.kind === "item" ? [readItem({ ...each.item, place: index + 1 }, context)] : []
  );
}

const PAGE = "Page 0123456789abcdef0123456789abcdef.md";

Deno.test("Notes without anything new have the digests of an earlier release", async () => {
  const vault = {
    "Plain.md": "# Words\n\nText with #no tag\n",
    "Read.md": "---\ntitle: A note\ntags: [one, two]\ntag: three, four\ncreated: 2020-02-03\n" +
      "url: https://a.example/x\n---\r\nBody",
    "2021-03-04.md": "\ufeff---\r\ntags:\r\n- one\r\n---\r\nA day\r\n",
    "Odd.md": "---\ntitle: Odd\ncolour: red\ncreated:\n---\nBody",
    "Empty.md": "---\n# nothing\n---\nBody",
    "Words.md": "---\nWords\n---\nBody",
    "In/Inbox.md": "---\ncreated: 2020-02-03 04:05\n---\nBody",
    [PAGE]: "# Page\n\nText\n",
  };
  const items = await itemsOf(vault);
  assertEquals(Object.fromEntries(items.map(({ key, digest }) => [key, digest])), {
    "Plain.md": "645f17f857968b70b6df41d98a2325902509a7804e247609940a01cbc7d92e5a",
    "Read.md": "4698e2798220e7a2da686224cb383c446f4255077a437fe6cd6e895d6162921f",
    "2021-03-04.md": "02a53c90961ebfc69e6f7a9bd66a4f1533cc94ee39718e3e14b678dfb8b7b0f0",
    "Odd.md": "b2ed0f82734236f452bef75eae78c1be77f3d2486444d97415d1bf3aa84acad6",
    "Empty.md": "558d565ba0641994fc76e8bf3525b8b6c4bfdf83eb9f1252cd2b4651507f3609",
    "Words.md": "d16743218489298b0e756ae3d77da42f10e1c013a6eb4522600700e5f361098f",
    "In/Inbox.md": "fb7d4f702e47c2c3853dae86cf76b727f525cf34d729cea26a1f86b3ddc98ba2",
    "0123456789abcdef0123456789abcdef":
      "ededc614cd89f2aa5e961b531eacadcae92ede3b935551e85ffcd2a1c575e036",
  });
});

async function itemOf(path: string, text: string, mapping: JsonObject = MAPPING) {
  const [item] = await itemsOf({ [path]: text }, mapping);
  assert(item !== undefined && item.refused.length === 0);
  return item;
}

function timeOf({ payload: { occurredAt = null, timePrecision = null } }: Item) {
  return [occurredAt, timePrecision];
}

const recordedOf = ({ recordedAt }: Item) =>
  recordedAt === null ? null : new Date(recordedAt).toISOString();

Deno.test("The first name whose value is accepted counts, and the others stay in the text", async () => {
  const text = "---\nTITLE: One\ntitle: Two\ndate created: 2020-01-02\nCreated_At: {{now}}\n" +
    "creation-time: 2020-01-03\nkeywords: c\nTag: [b]\ntags: a\nlink: https://a.example/b\n" +
    "source: A book\nurl:\nauthors: [Ana, Ben]\npublished: 1 May 2012\n---\nBody";
  const item = await itemOf("A.md", text);
  const names = ["title", "Created_At", "creation-time", "source"];
  assertEquals(item.unmapped, names.map((name) => `front_matter.${name}`));
  assertEquals([item.title, item.tags, recordedOf(item)], [
    "One",
    ["a", "b", "c"],
    "2020-01-01T23:00:00.000Z",
  ]);
  assertEquals(item.payload, {
    sourceType: "NOTE",
    url: "https://a.example/b",
    sourceTitle: "One",
    snapshot: text,
    readingStatus: "REFERENCE",
    author: "Ana, Ben",
    publishedAt: "2012-05-01T00:00:00.000+02:00[Europe/Berlin]",
  });
});

Deno.test("A date in front matter wins over a name, and both over the time of creation", async () => {
  const date = "date: 2021-01-02 03:04Z";
  const created = "created: 2022-03-04";
  const day = "2023-01-05T00:00:00.000+01:00[Europe/Berlin]";
  const folders = { Diary: "memory", In: "capture" };
  const read = async (path: string, ...lines: readonly string[]) =>
    await itemOf(path, `---\n${lines.join("\n")}\n---\n`, { ...MAPPING, folders });
  const dated = await read("2023-01-05.md", date, created);
  assertEquals(timeOf(dated), ["2021-01-02T03:04:00.000Z", "EXACT"]);
  assertEquals(recordedOf(dated), "2022-03-03T23:00:00.000Z");
  assertEquals(timeOf(await read("a/2023/01/05.md", "date: soon", created)), [day, "DAY"]);
  assertEquals((await read("a/2023/01/05.md")).title, "2023-01-05");
  assertEquals((await read("a/2023/13/05.md")).title, "05");
  assertEquals(timeOf(await read("Diary/A.md", created)), [
    "2022-03-04T00:00:00.000+01:00[Europe/Berlin]",
    "DAY",
  ]);
  assertEquals(timeOf(await read("Diary/A.md")), [null, "UNKNOWN"]);
  const capture = await read("In/A.md", date);
  assertEquals([recordedOf(capture), capture.payload.capturedAt, capture.unmapped], [
    "2021-01-02T03:04:00.000Z",
    "2021-01-02T03:04:00.000Z",
    [],
  ]);
  assertEquals((await read("In/A.md", date, created)).unmapped, ["front_matter.date"]);
  assertEquals((await itemOf("A.md", "---\ndate: 4/3/2022\n---\n")).target, "knowledge");
});

Deno.test("Tags are named with or without marks", async () => {
  for (
    const [written, ...tags] of [
      ["#a #b/c", "a", "b/c"],
      ["#a, [[b]] , c d", "a", "b", "c d"],
      ["a #b", "a"],
      ["[[a, b|c]]", "a, b"],
      ['["#a", [[b]], "", 2021]', "a", "b", "2021"],
      ["a b", "a b"],
      ["[]"],
    ] as const
  ) {
    const item = await itemOf("A.md", `---\ntags: ${written}\n---\n`);
    assertEquals([item.tags, item.unmapped], [[...tags], []], written);
  }
});

Deno.test("Notion's lines are read below the heading only, and stay", async () => {
  const text = "# Page\n\nCreated time: March 1, 2021 7:05 AM\nTags: a, b\nWords\n" +
    "URL: nothing\n\nAuthor: Ana\n";
  const item = await itemOf(PAGE, text);
  assertEquals([item.tags, recordedOf(item), item.unmapped], [
    ["a", "b"],
    "2021-03-01T06:05:00.000Z",
    [],
  ]);
  assertEquals([item.payload.snapshot, item.payload.author], [text, undefined]);
  for (const [path, other] of [["Page.md", text], [PAGE, text.slice(2)]] as const) {
    assertEquals((await itemOf(path, other)).tags, []);
  }
});

Deno.test("A title that is cut stays in the front matter", async () => {
  const text = `---\ntitle: ${"x".repeat(201)}\n---\nBody`;
  const { title, payload, rules, unmapped } = await itemOf("A.md", text);
  const cut = "x".repeat(200);
  assertEquals([title, payload.sourceTitle, payload.snapshot], [cut, cut, text]);
  assertEquals([rules, unmapped], [["title.cut"], []]);
});

Deno.test("Words with # are tags outside of code and addresses", () => {
  const text = "#a (#b/c) #2024-plan #12 d#e ##f\\#g [h](#i) #a.\n#J\u0308rg `` #k ` `` `#l\n\n" +
    "\\`#m` #n\n~~~ js\n#o\n```\n\n#p\n~~~~\n> ```\n> #q\n> ```\n#r\n````\n#s\n```\n#t";
  assertEquals(inlineTags(text), ["a", "b/c", "2024-plan", "J\u0308rg", "n", "r"]);
  assertEquals(inlineTags("- ```js\n  #no\n  ```\n- #yes"), ["yes"]);
  assertEquals(inlineTags("- a ` b\n- #yes ` c `#no`"), ["yes"]);
  assertEquals(inlineTags("#a ".repeat(3)), ["a"]);
  assertEquals(
    inlineTags(Array.from({ length: 900 }, (_, at) => `#a${at}`).join("\n")).length,
    501,
  );
});

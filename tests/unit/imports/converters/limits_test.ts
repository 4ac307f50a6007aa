/** Limits of converters: items that are too large, too deep or not a text; files inside texts. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { csvRows } from "../../../../src/imports/converters/csv_rows.ts";
import type { Converter, SourceItem } from "../../../../src/imports/converters/converter.ts";
import { CSV } from "../../../../src/imports/converters/csv.ts";
import { readFrontMatter } from "../../../../src/imports/converters/front_matter.ts";
import { jsonEntries, RefusedEntry } from "../../../../src/imports/converters/json_entries.ts";
import { textLines } from "../../../../src/imports/converters/lines.ts";
import { MONICA } from "../../../../src/imports/converters/monica.ts";
import { PRS_ITEMS } from "../../../../src/imports/converters/prs_items.ts";
import { VCARD } from "../../../../src/imports/converters/vcard.ts";
import type { ReadingBudget } from "../../../../src/imports/reading_budget.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";
import { card, inputOf, storedBytes } from "../../../families/relationship/cards.ts";

const LARGE = 4 * 1024 * 1024 + 1;
const CHUNK_BYTES = 8 * 1024;

async function itemsOf(converter: Converter, text: string | Uint8Array, budget?: ReadingBudget) {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const items: SourceItem[] = [];
  const input = { ...inputOf(bytes, CHUNK_BYTES, budget), mapping: MAPPING, fieldsOf: () => [] };
  for await (const converted of converter.convert(input)) {
    if (converted.kind === "item") items.push(converted.item);
  }
  return items;
}

const MAPPING = { target: "knowledge", columns: { A: "@title" } };

/** The rules that refuse each item; empty for an imported one. */
async function rulesOf(converter: Converter, text: string | Uint8Array) {
  return (await itemsOf(converter, text)).map(({ refused = [] }) => refused.join());
}

Deno.test("A line of prs-items above 4 MiB, or too deep, is refused alone", async () => {
  const head = '{"format":"prs-items","version":1,"source":"a"}\n';
  const line = (key: string, payload: string) => `{"key":"${key}","payload":${payload}}\n`;
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const file = head + line("a", `"${"x".repeat(LARGE)}"`) + line("b", deep) + line("c", "{}");
  const items = await itemsOf(PRS_ITEMS, file);
  assertEquals(items.map(({ place, members, refused = [] }) => [place, members.key, refused]), [
    [2, undefined, ["import.item_size"]],
    [3, "b", ["json.depth"]],
    [4, "c", []],
  ]);
});

Deno.test("A row above 4 MiB is refused alone, also one of many cells or of quotes", async () => {
  const long = "x".repeat(LARGE);
  const rows = [
    "A",
    "1",
    long,
    `"${long}\n""y"`,
    ",".repeat(100_000),
    `"${'""'.repeat(LARGE / 2)}"`,
    `${long},"a\nb"`,
    "2",
  ];
  const rules = await rulesOf(CSV, `${rows.join("\n")}\n`);
  assertEquals(rules, ["", ...Array(5).fill("import.item_size"), ""]);
});

Deno.test("A header above 64 KiB is refused", async () => {
  const text = `A,${"b".repeat(64 * 1024)}\n`;
  const error = await assertRejects(() => itemsOf(CSV, text), FileRefusal);
  assertEquals(error.rule, "csv.header");
});

Deno.test("An open quote refuses its row alone, also above 4 MiB", async () => {
  const lines = "x\n".repeat(1_000);
  for (const end of ["", '"y\n"z"\n']) {
    const items = await itemsOf(CSV, `A\n1\n"${lines}${"y".repeat(LARGE)}\n${end}`);
    const refused = items.filter(({ refused = [] }) => refused.length > 0);
    assertEquals(refused.map(({ place, refused: [rule] = [] }) => [place, rule]), [
      [3, "csv.quote"],
      [1_003, "import.item_size"],
      ...end === "" ? [] : [[1_004, "csv.quote"]],
    ]);
    assertEquals(items.length, 1_002 + (end === "" ? 0 : 2));
  }
});

Deno.test("Parts of a long line end rows where the whole line does", async () => {
  const bytes = new TextEncoder().encode(`a,"b""${"x".repeat(LARGE)}\r\ny",c\r\n"d""",e\r\n`);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  }
  const rows = (await Array.fromAsync(csvRows(() => textLines(chunks()), ","))).flat();
  assertEquals(rows, [
    { line: 1, cells: [], written: [], fault: "import.item_size" },
    { line: 3, cells: ['d"', "e"], written: ['d"', "e"] },
  ]);
});

Deno.test("Short lines of a table are read without a wait for each", async () => {
  async function* chunks() {
    for (const lines of ["A\n", "\n".repeat(8192), '"', "\n".repeat(8192), '"\n1\n2\n']) {
      yield new TextEncoder().encode(lines);
    }
  }
  const waits = await Array.fromAsync(csvRows(() => textLines(chunks()), ","));
  assertEquals(waits.map((rows) => rows.map(({ line }) => line)), [
    [1],
    [],
    [],
    [],
    [8194, 16387, 16388],
    [],
  ]);
});

Deno.test("A card above 4 MiB, or of many lines or parameters, comes in without the rest", async () => {
  const version = "VERSION:4.0";
  const head = `X;${Array.from({ length: 2_000 }, (_, index) => `p${index}=`).join(";")}:y`;
  const cards = [
    card(version, "FN:A", ...Array.from({ length: 6 }, () => `X:${"x".repeat(1_000_000)}`)),
    card(version, "FN:B", "X:\r\n".repeat(70_000)),
    card(version, "FN:C", ...Array.from({ length: 30 }, () => head)),
    card(version, "FN:E", `X:${"x".repeat(1_100_000)}`),
  ];
  const items = await itemsOf(VCARD, cards.join(""));
  assertEquals(
    items.map(({ members, rules, unmapped }) => [
      members.title,
      rules,
      unmapped,
    ]),
    [
      ["A", ["import.item_size"], ["X"]],
      ["B", ["import.item_size"], ["X"]],
      ["C", [], ["X"]],
      ["E", [], ["X"]],
    ],
  );
});

Deno.test("A card's picture of any size is stored as it is read", async () => {
  const bytes = new Uint8Array(3_000_000).map((_, index) => index * index >> 5);
  const base64 = Buffer.from(bytes).toString("base64");
  const folded = base64.replaceAll(/.{74}/g, "$&\r\n ");
  const files = [
    card("VERSION:2.1", "FN:A", `PHOTO;ENCODING=BASE64;JPEG:\r\n ${folded}\r\n`),
    card("VERSION:3.0", "FN:A", `item1.LOGO;ENCODING=b;TYPE=PNG:${folded}`),
    card("VERSION:4.0", "FN:A", `PHOTO:data:image/gif;base64,${base64}`),
  ];
  const items = await itemsOf(VCARD, files.join(""));
  const stored = items.map(({ files: [file] = [] }) => file);
  assertEquals(stored.map((file) => file?.mediaType), ["image/jpeg", "image/png", "image/gif"]);
  for (const file of stored) assert(file !== undefined && bytes.length === file.size);
  for (const file of stored) assert(file && Buffer.from(storedBytes(file)).equals(bytes));
  const broken = card("VERSION:4.0", "FN:A", `PHOTO:data:image/gif;base64,${base64}!`, "NOTE:N");
  const [item] = await itemsOf(VCARD, broken);
  assertEquals([item?.files, item?.unmapped], [[], ["PHOTO"]]);
});

Deno.test("An entry above 4 MiB, or too deep, is refused alone", async () => {
  const text = `{"entries":[{"a":"${"x".repeat(LARGE)}"},{"a":${"[".repeat(5_000)}${
    "]".repeat(5_000)
  }},{"a":[${"0,".repeat(200_000)}0]},{"b":1}]}`;
  async function* chunks() {
    yield new TextEncoder().encode(text);
  }
  const entries = await Array.fromAsync(jsonEntries(chunks()));
  assertEquals(
    entries.map((entry): unknown => entry instanceof RefusedEntry ? entry.rule : entry),
    [
      "import.item_size",
      "json.depth",
      "json.nodes",
      { b: 1 },
    ],
  );
});

function exported(data: string): string {
  return `{"version":"1.0-preview.1","account":{"data":[${data}],"properties":{}}}`;
}

function list(type: string, ...values: readonly string[]): string {
  return `{"values":[${values.join()}],"type":"${type}"}`;
}

Deno.test("A contact above 4 MiB, too deep or with too large activities is refused alone", async () => {
  const contact = (uuid: string, more = "") =>
    `{"uuid":"${uuid}","properties":{"first_name":"${uuid}"}${more}}`;
  const activities = ["x", "y"].map((uuid) =>
    `{"uuid":"${uuid}","properties":{"description":"${"d".repeat(LARGE / 2)}"}}`
  );
  const file = exported([
    list("activity", ...activities),
    list("contact", contact("a", `,"x":"${"x".repeat(LARGE)}"`), "[[]]", contact("b")),
    list("contact", contact("c", `,"x":${"[".repeat(100)}${"]".repeat(100)}`)),
    list("contact", contact("d", `,"data":[{"type":"activity","values":["x","y"]}]`)),
  ].join());
  assertEquals(await rulesOf(MONICA, file), [
    "import.item_size",
    "",
    "json.depth",
    "import.item_size",
  ]);
});

Deno.test("An activity of many people names a hundred, and the others are counted", async () => {
  const people = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `{"uuid":"c${index}","properties":{"first_name":"N${index}"},` +
        `"data":[{"type":"activity","values":["a"]}]}`,
    );
  const activity = '{"uuid":"a","properties":{"happened_at":"2021-05-08"}}';
  for (const [count, named, unmapped] of [[101, 100, 0], [300, 100, 300]] as const) {
    const file = exported(`${list("contact", ...people(count))},${list("activity", activity)}`);
    const items = await itemsOf(MONICA, file);
    const [{ note = "" } = {}] = (items[0]?.members.payload as { contacts: { note?: string }[] })
      .contacts;
    assertEquals([items.length, note.split(", ").length], [count, named]);
    assertEquals(items.flatMap(({ unmapped = [] }) => unmapped).length, unmapped);
  }
});

Deno.test("A photo of Monica is decoded in pieces, with the escapes of its JSON", async () => {
  const bytes = new Uint8Array(200_000).map((_, index) => index * index >> 3);
  const base64 = Buffer.from(bytes).toString("base64");
  const escaped = `data:image/png;base64,${base64}`.replaceAll("/", "\\/")
    .replaceAll("A", "\\u0041");
  const photo = (uuid: string, url: string) => `{"uuid":"${uuid}","properties":{"dataUrl":${url}}}`;
  const contact = '{"uuid":"c","properties":{"first_name":"C"},' +
    '"data":[{"type":"photo","values":["p","q"]}]}';
  const file = exported([
    list("contact", contact),
    list("photo", photo("p", `"${escaped}"`), photo("q", '{"start":0,"end":9}')),
  ].join());
  const [item] = await itemsOf(MONICA, file);
  assertEquals(item?.members.attachments, ["p", "q"]);
  const [stored, other] = item?.files ?? [];
  assert(stored !== undefined && other === undefined);
  assertEquals(stored.mediaType, "image/png");
  assert(Buffer.from(storedBytes(stored)).equals(bytes));
});

Deno.test("Front matter above 64 KiB is text", () => {
  const block = (length: number) => `---\ntitle: T\n#${"x".repeat(length)}\n---\nBody`;
  // The lines around the comment have 19 characters.
  assertEquals(readFrontMatter(block(64 * 1024 - 19))?.members, [{ name: "title", value: "T" }]);
  for (const more of [18, 17, 16, 15, 0]) {
    assertEquals(readFrontMatter(block(64 * 1024 - more)), null);
  }
});

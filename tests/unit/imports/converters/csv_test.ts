/** Tables as people have them: headers, rows, encodings, keys and cells. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { Field } from "../../../../src/catalog/module.ts";
import type { JsonObject, JsonValue } from "../../../../src/core/json.ts";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";
import { Archive } from "../../../../src/imports/archive/archive.ts";
import type { Converted, SourceItem } from "../../../../src/imports/converters/converter.ts";
import { CSV } from "../../../../src/imports/converters/csv.ts";
import { readNumber } from "../../../../src/imports/converters/csv_number.ts";
import { csvRows } from "../../../../src/imports/converters/csv_rows.ts";
import { textLines } from "../../../../src/imports/converters/lines.ts";
import { tagNames } from "../../../../src/imports/converters/tag_names.ts";
import { refuseFile } from "../../../../src/imports/refusal.ts";
import { inputOf } from "../../../families/relationship/cards.ts";

const ENCODER = new TextEncoder();
/** Small, so that characters and line ends are split between chunks. */
const CHUNK_BYTES = 3;

function field(name: string, edit: Field["edit"]): Field {
  return { name, edit, required: false, sensitive: false };
}

const FIELDS = [
  field("kind", "select"),
  field("value", "number"),
  field("text", "textarea"),
  field("note", "text"),
];
/** The names that a mapping may use. */
const NAMES = { columns: [], presets: [], groups: [], series: [], fieldsOf: () => FIELDS };
const UNIT_FIELDS = [...FIELDS, field("unit", "text")];

interface ReadTable {
  readonly columns: readonly string[];
  readonly encoding: string;
  readonly suggestedKey: readonly string[];
  readonly items: readonly SourceItem[];
}

async function readTable(
  file: string | Uint8Array,
  mapping: JsonObject | null = null,
  fields: readonly Field[] = FIELDS,
): Promise<ReadTable> {
  const bytes = typeof file === "string" ? ENCODER.encode(file) : file;
  const input = { ...inputOf(bytes, CHUNK_BYTES), mapping, fieldsOf: () => fields };
  return tableOf(await Array.fromAsync(CSV.convert({ ...input, source: "csv:T" })));
}

function tableOf(converted: readonly Converted[]): ReadTable {
  const [table, ...others] = converted;
  if (table?.kind !== "table") throw new Error("No table");
  const items = others.flatMap((each) => each.kind === "item" ? [each.item] : []);
  return { columns: table.columns, ...table.facts, items };
}

const TITLES = { target: "any", columns: { A: "@title" } };

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const units = [...`\ufeff${text}`].flatMap((character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  );
  return Uint8Array.from(
    units.flatMap((unit) => isBigEndian ? [unit >> 8, unit & 255] : [unit & 255, unit >> 8]),
  );
}

Deno.test("Rows are those of Python's csv", async () => {
  async function* chunks() {
    yield ENCODER.encode('a,"b ""c""",\r\n"x\n\ny",,"," \n""""\n1,2\n');
  }
  const rows = (await Array.fromAsync(csvRows(() => textLines(chunks()), ","))).flat();
  // list(csv.reader(io.StringIO(text, newline=""))), but for the blank after the last quote.
  assertEquals(rows.map(({ cells }) => cells), [
    ["a", 'b "c"', ""],
    ["x\n\ny", "", ","],
    ['"'],
    ["1", "2"],
  ]);
});

Deno.test("Rows with broken quotes are refused alone, wherever their quotes lead", async () => {
  const lines = ["A", '1"', '"2"x', '"3', '4",', '",x",y,"', "5", '"6" y', '7,"', "8"];
  const { items } = await readTable(`${lines.join("\n")}\n`, TITLES);
  assertEquals(items.map(({ place, members, refused }) => [place, members.title ?? refused?.[0]]), [
    [2, '1"'],
    [3, "csv.quote"],
    [4, "3 4"],
    [6, "csv.quote"],
    [7, "5"],
    [8, "csv.quote"],
    [9, "csv.quote"],
    [10, "8"],
  ]);
});

Deno.test("The delimiter is that of most rows, and lines before the header are skipped", async () => {
  const tables: readonly (readonly [string, readonly string[]])[] = [
    ["A;B\n1;Hello, you, there, friend\n", ["A", "B"]],
    ["My export\n\nA\tB\n1\t2\n", ["A", "B"]],
    ["A,B,C\n1,2\n3,4;5\n6,7;8\n", ["A", "B", "C"]],
    ["Task\nPaint,\nOil,\n", ["Task"]],
    ["sep=|\nA,B|C\n", ["A,B", "C"]],
    ["\n , \nA,,\n1,,2\n", ["A", "column 2", "column 3"]],
    ["A,A,A (2),A,\n", ["A", "A (2)", "A (2) (2)", "A (3)"]],
  ];
  for (const [text, columns] of tables) {
    assertEquals((await readTable(text)).columns, columns, text);
  }
});

Deno.test("UTF-16, lines that end with CR, and stated encodings are read", async () => {
  const titles = async (file: Uint8Array, options: JsonObject = {}) => {
    const { encoding, items } = await readTable(file, { ...TITLES, ...options });
    return [encoding, ...items.map(({ members, refused }) => members.title ?? refused?.[0])];
  };
  const text = "A\tB\r\nü😀\tx\r\n";
  assertEquals(await titles(utf16(text, false)), ["utf-16", "ü😀"]);
  assertEquals(await titles(utf16(text, true)), ["utf-16", "ü😀"]);
  assertEquals(await titles(utf16("A\n1\n\ud800\n2\n", false)), ["utf-16", "1", "text.utf8", "2"]);
  assertEquals(await titles(ENCODER.encode('A\r"1\r2"\r\r3')), ["utf-8", "1 2", "3"]);
  const latin = Uint8Array.from("A\n1\n\xfc\n", (character) => character.charCodeAt(0));
  assertEquals(await titles(latin), ["unknown", "1", "text.utf8"]);
  assertEquals(await titles(latin, { encoding: "windows-1252" }), ["windows-1252", "1", "ü"]);
  assertEquals(await titles(latin, { encoding: "cp437" }), ["cp437", "1", "ⁿ"]);
});

Deno.test("Keys are those of the mapped cells, and the former ones those of all", async () => {
  const keys = async (text: string, more: JsonObject = {}) => {
    const { items } = await readTable(text, { ...TITLES, ...more });
    return items.map(({ members }) => members.key);
  };
  const plain = await keys("A,B\n1,2\n1,3\n");
  const content = '{"cells":{"A":"1"},"constants":{},"fields":{"A":["@title"]},"target":"any"}';
  assertEquals(plain[0], `${sha256Hex(content)}-1`);
  const wide = await keys("Z,A,Ä\n1,2,3\n", { key: ["Ä", "Z", "A"] });
  const cells = '{"cells":{"A":"2","Z":"1","Ä":"3"},"constants":{},"target":"any"}';
  assertEquals(wide, [`${sha256Hex(cells)}-1`]);
  assertEquals(await keys("B,A\n9, 1\n8,1\n"), plain);
  const [one, other] = plain.map(String);
  assertEquals([one?.slice(-2), other?.slice(-2)], ["-1", "-2"]);
  assertEquals(one?.slice(0, -2), other?.slice(0, -2));
  const constants = await keys("A,B\n1,2\n1,3\n", { constants: { note: "x", value: 1 } });
  assertEquals(constants, plain);
  const selects = await keys("A,B\n1,2\n", { constants: { kind: "x" } });
  assertEquals(plain.includes(selects[0]), false);
  const replaced = await keys("A,B\n1,2\n", { values: { A: { "1": "one" } } });
  assertEquals(replaced[0], one);
  const { items } = await readTable('A,B\n 1,"2"\n', TITLES);
  assertEquals(items[0]?.formerKey, `${sha256Hex('[" 1","2"]')}-1`);
  const stated = await readTable("A,B\n x ,2\n", {
    target: "any",
    columns: { A: ["@title", "@key"] },
  });
  assertEquals(stated.items.map(({ members, formerKey }) => [members.key, formerKey]), [[
    "x",
    " x ",
  ]]);
  // The key of a line in an unknown encoding is known if its cells are ASCII.
  const latin = Uint8Array.from("A,B\n1,\xfc\n", (character) => character.charCodeAt(0));
  assertEquals((await readTable(latin, TITLES)).items[0]?.members.key, one);
});

Deno.test("Numbers with one meaning are read, and no others", () => {
  const read = (text: string, decimal: "." | "," | null = null) => {
    const { value, unit } = readNumber(text, decimal) ?? {};
    return unit === undefined ? value : [value, unit];
  };
  for (
    const [text, value] of [
      ["1\u202f234\u202f567.5", 1234567.5],
      ["-.5", -0.5],
      ["5.", 5],
      ["1e-3", 0.001],
      ["\u22122", -2],
      ["€ 1,234.50", [1234.5, "€"]],
      ["-US$5", [-5, "US$"]],
      ["CHF -5", [-5, "CHF"]],
      ["12.50 EUR", [12.5, "EUR"]],
      ["3 weeks", [3, "weeks"]],
      ["70 m2", [70, "m2"]],
      ["52.5°", [52.5, "°"]],
    ] as const
  ) assertEquals<unknown>(read(text), value, text);
  const wrong = [
    "12,345 1.234.567 0,123,456 5-10 12:30 1/2 - . € x --5 -€-5 1e999".split(" "),
    ["", "1,234 567", "5 ft 3 in", "1 2", "€5 kg", "9".repeat(101)],
  ].flat();
  for (const text of wrong) assertEquals(read(text), undefined, text);
  assertEquals([read("12,345", "."), read("12,345", ","), read("1.234,5", ",")], [
    12345,
    12.345,
    1234.5,
  ]);
});

Deno.test("A unit becomes the field `unit`, equals it, or refuses the row", async () => {
  const columns = { T: "@title", V: "value" };
  const read = async (file: string, more: JsonObject, fields: readonly Field[]) => {
    const { items } = await readTable(file, { target: "any", columns, ...more }, fields);
    return items.map(({ members, refused = [], unmapped = [] }) => [
      (members.payload as JsonObject).unit ?? null,
      ...refused,
      ...unmapped,
    ]);
  };
  const table = "T,V\na,5 kg\nb,5 KM\nc,5 €\nd,5\n";
  assertEquals(await read(table, {}, UNIT_FIELDS), [["kg"], ["KM"], ["€"], [null]]);
  const stated = { constants: { unit: "Kg" } };
  assertEquals(await read(table, stated, UNIT_FIELDS), [
    ["Kg"],
    ["Kg", "csv.unit"],
    ["Kg", "csv.unit"],
    ["Kg"],
  ]);
  assertEquals(await read(table, {}, FIELDS), [
    [null, "csv.unit"],
    [null, "csv.unit"],
    [null, "V.unit"],
    [null],
  ]);
});

Deno.test("A constant title stands before the cell of a time", async () => {
  const fields = [...FIELDS, field("at", "datetime")];
  const read = async (columns: JsonObject) => {
    const constants = { "@title": "Weight" };
    const mapping = { target: "any", columns, constants, dates: "DMY" };
    const { items } = await readTable("D,V\n1.5.2024,5\n,6\n", mapping, fields);
    return items.map(({ members }) => members.title);
  };
  assertEquals(await read({ D: ["at", "@title"], V: "value" }), ["Weight, 1.5.2024", "Weight"]);
  // Elsewhere a constant is the value of an empty cell.
  assertEquals(await read({ D: "@title", V: "value" }), ["1.5.2024", "Weight"]);
  assertEquals(await read({ D: "at", V: "value" }), ["Weight", "Weight"]);
});

Deno.test("Tags lose #, and words with # are several", () => {
  assertEquals(["#a", "b c", "#d #e", "#", "f #g"].flatMap(tagNames), [
    "a",
    "b c",
    "d",
    "e",
    "f #g",
  ]);
});

Deno.test("Cells are replaced, joined, and left over as the mapping says", async () => {
  const mapping = {
    target: "knowledge",
    columns: { Name: ["@title", "note"], Tags: "@tags", More: "@tags", Text: "text" },
    constants: { "@tags": "none" },
    values: {
      Text: { "": "empty", "NO": "none" },
      More: { both: ["x;y", "z"] },
      Other: { o: ["p", "q"] },
    },
    rest: "text",
    tagsBy: "/",
  };
  const file = 'Name,Tags,More,Other,Text\n"A\r\nB",a/b;c,BOTH,o,no \nC\n';
  const { items } = await readTable(file, mapping);
  const key = String(items[0]?.members.key);
  assertEquals(items.map(({ members }) => members), [
    {
      target: "knowledge",
      key,
      title: "A B",
      tags: ["a", "b;c", "x;y", "z"],
      payload: {
        note: "A\r\nB",
        text: "none\nOther: p, q",
        sourceTitle: "A B",
        url: `urn:prs:import:${sha256Hex(`csv:T\n${key}`).slice(0, 32)}`,
      },
    },
    {
      target: "knowledge",
      key: String(items[1]?.members.key),
      title: "C",
      tags: ["none"],
      payload: {
        note: "C",
        text: "empty",
        sourceTitle: "C",
        url: `urn:prs:import:${sha256Hex(`csv:T\n${items[1]?.members.key}`).slice(0, 32)}`,
      },
    },
  ]);
});

Deno.test("A mapping names known columns and fields, each field once", () => {
  const check = (mapping: JsonObject) =>
    CSV.mapping?.check({ ...TITLES, ...mapping }, { ...NAMES, columns: ["A", "B"] });
  for (
    const [mapping, rule] of [
      [{ columns: { A: "@title", C: "note" } }, "mapping.column"],
      [{ columns: { A: ["@title", 1] } }, "mapping.field"],
      [{ columns: { A: "@title", B: "@title" } }, "mapping.field_repeated"],
      [{ columns: { A: "note" } }, "mapping.title"],
      [{ key: "A" }, "mapping.key"],
      [{ key: ["A"], constants: { "@key": "x" } }, "mapping.key"],
      [{ values: { A: { x: { y: 1 } } } }, "mapping.values"],
      [{ values: { A: 1 } }, "mapping.values"],
      [{ values: { A: { yes: true, " YES": false } } }, "mapping.values"],
      [{ rest: "note" }, "mapping.rest"],
      [{ tagsBy: "" }, "mapping.tags_by"],
      [{ headerLine: 1_001 }, "field.range"],
    ] as const
  ) {
    const error = assertThrows(() => check(mapping as JsonObject), ServiceError);
    assertEquals(error.details.rules, [rule]);
  }
  check({ columns: { A: ["@title", "@recordedAt"], B: "@recordedAt" }, key: [], rest: "text" });
});

Deno.test("A constant is refused if its field can never take it", () => {
  const fields = [
    { ...field("kind", "select"), options: ["ONE"] },
    { ...field("value", "number"), maximum: 9 },
    { ...field("text", "textarea"), required: true },
    field("note", "text"),
    field("at", "datetime"),
  ];
  const check = (name: string, value: JsonValue) => {
    const mapping = { ...TITLES, constants: { [name]: value } };
    CSV.mapping?.check(mapping, { ...NAMES, columns: ["A"], fieldsOf: () => fields });
  };
  const refused: readonly (readonly [string, JsonValue])[] = [
    ["gone", "x"],
    ["kind", "TWO"],
    ["value", "5"],
    ["value", 10],
    ["text", ""],
    ["note", 5],
    ["note", null],
    ["at", "soon"],
    ["@title", " "],
    ["@key", 1],
    ["@summary", null],
    ["@tags", 5],
    ["@tags", ["a", 5]],
    ["@recordedAt", "nope"],
  ];
  for (const [name, value] of refused) {
    const error = assertThrows(() => check(name, value), ServiceError, undefined, name);
    assertEquals(error.details, { rules: ["mapping.field"], fields: ["constants"] });
  }
  const taken: readonly (readonly [string, JsonValue])[] = [
    ["kind", "ONE"],
    ["value", 9],
    ["note", ""],
    ["at", "2020-01-02T03:04:05Z"],
    ["@tags", "a; b"],
    ["@tags", ["a"]],
    ["@recordedAt", "2020-01-02"],
  ];
  for (const [name, value] of taken) check(name, value);
});

Deno.test("A table that is damaged far after its header is not mapped", async () => {
  const entry = (name: string, text: string, place: number, isDamaged: boolean) => ({
    place,
    name,
    shownName: name,
    size: text.length,
    modified: null,
    async *bytes() {
      yield ENCODER.encode(text);
      if (isDamaged) refuseFile("zip.crc", place);
    },
  });
  const long = entry("long.csv", "Other\n" + "1\n".repeat(2_000), 1, true);
  const archive = new Archive([long, entry("short.csv", "A\n1\n", 2, false)], 0);
  const { file } = inputOf(new Uint8Array(), CHUNK_BYTES);
  const columnsOf = async (mapping: JsonObject) =>
    await CSV.mapping?.readColumns?.(mapping, { file, archive });
  assertEquals(await columnsOf({}), ["A"]);
  const error = await assertRejects(() => columnsOf({ table: "long.csv" }), ServiceError);
  assertEquals(error.details.rules, ["mapping.table"]);
});

Deno.test("A table of an archive is found below its only folder", async () => {
  const entry = (name: string, text: string, place: number) => ({
    place,
    name,
    shownName: name,
    size: text.length,
    modified: null,
    async *bytes() {
      yield ENCODER.encode(text);
    },
  });
  const archive = new Archive([
    entry("out/a.csv", "A\n1\n", 1),
    entry("out/b.TSV", "A\tB\n1\t2\n", 2),
    entry("out/.c.csv", "A\n", 3),
  ], 0);
  const input = { ...inputOf(new Uint8Array(), CHUNK_BYTES), archive, fieldsOf: () => FIELDS };
  const mapping = { ...TITLES, table: "a.csv" };
  const converted = await Array.fromAsync(CSV.convert({ ...input, mapping }));
  const { columns, items } = tableOf(converted);
  assertEquals([columns, items.map(({ entry }) => entry)], [["A"], ["out/a.csv"]]);
  const [largest] = await Array.fromAsync(CSV.convert(input));
  assertEquals(largest, {
    kind: "table",
    columns: ["A", "B"],
    facts: { tables: ["out/a.csv", "out/b.TSV"], encoding: "utf-8", suggestedKey: ["A"] },
  });
});

Deno.test("A suggested key tells apart the first 10,000 rows", async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => `x,${index % 10_000},${index}\n`).join("");
  assertEquals((await readTable(`A,B,C\n${rows(10_001)}`)).suggestedKey, ["B"]);
  assertEquals((await readTable("A\n")).suggestedKey, []);
});

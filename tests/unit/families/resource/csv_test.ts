import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Cell, toCsv } from "../../../../src/families/resource/csv.ts";
import { type CsvCell, readCsv } from "../../../support/csv.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const FORMULA_STARTS = ["=", "+", "-", "@", "'", "\t", "\r"];

/** Quotes distinguish null from empty texts, apostrophes mark escaped ones. */
function readBack({ text, quoted }: CsvCell, wasNumber: boolean): Cell {
  if (text === "" && !quoted) return null;
  if (wasNumber) return Number(text);
  return text.startsWith("'") ? text.slice(1) : text;
}

function randomText(random: Random): string {
  const pieces = [...FORMULA_STARTS, '"', ",", "\n", "\r\n", " ", "a", "é", "🚀", "1", "\u2028"];
  return Array.from({ length: random.integer(0, 6) }, () => random.pick(pieces)).join("");
}

function randomCell(random: Random): Cell {
  switch (random.integer(0, 4)) {
    case 0:
      return null;
    case 1:
      return (random.next() - 0.5) * 10 ** random.integer(-12, 12);
    default:
      return randomText(random);
  }
}

Deno.test("toCsv() writes every cell for any RFC 4180 reader", () => {
  const random = seededRandom(8);
  for (let round = 0; round < 500; round++) {
    const width = random.integer(1, 5);
    const header = Array.from({ length: width }, (_, index) => `column ${index}`);
    const rows = Array.from(
      { length: random.integer(0, 5) },
      () => Array.from({ length: width }, () => randomCell(random)),
    );
    const content = toCsv(header, rows);
    const [names, ...lines] = readCsv(content);
    assertEquals(names?.map(({ text }) => text), header);
    const read = lines.map((cells, row) =>
      cells.map((cell, column) => readBack(cell, typeof rows[row]?.[column] === "number"))
    );
    assertEquals(read, rows, JSON.stringify(content));
  }
});

Deno.test("toCsv() lets no text begin a formula, but keeps numbers unchanged", () => {
  const random = seededRandom(9);
  for (let round = 0; round < 2_000; round++) {
    const text = (random.chance(0.7) ? random.pick(FORMULA_STARTS) : "") + randomText(random);
    const [, [cell] = []] = readCsv(toCsv(["text"], [[text]]));
    const isFormula = FORMULA_STARTS.includes(text[0] ?? "");
    assertEquals(cell?.text, isFormula ? `'${text}` : text);
    assert(!["=", "+", "-", "@", "\t", "\r"].includes(cell?.text[0] ?? ""));
  }
  const numbers = [-1, -0.5, 0, 1e-7, -1e21, 5e-324, 0.1 + 0.2];
  const [, cells = []] = readCsv(toCsv(numbers.map(String), [numbers]));
  assertEquals(cells.map(({ text }) => text), numbers.map(String));
});

Deno.test("toCsv() ends lines with CRLF, and distinguishes null from an empty text", () => {
  assertEquals(toCsv(["a", "b"], []), "a,b\r\n");
  assertEquals(toCsv(["a", "b"], [[null, ""], ["", null]]), 'a,b\r\n,""\r\n"",\r\n');
  assertEquals(
    toCsv(["a"], [['say "x"'], ["a\rb"], ["'"]]),
    'a\r\n"say ""x"""\r\n"a\rb"\r\n\'\'\r\n',
  );
});

Deno.test("The tests' reader rejects invalid CSV", () => {
  for (const content of ["a", "a\n", 'a"b\r\n', '"a\r\n', '"a"b\r\n', "a,b\r\nc\r\n", "a\rb\r\n"]) {
    assertThrows(() => readCsv(content), SyntaxError, undefined, JSON.stringify(content));
  }
});

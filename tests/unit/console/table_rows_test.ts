import { assertEquals } from "@std/assert";
import { READ_BYTES, rowsBelow } from "../../../src/console/web/logic/table_rows.js";

const rowsOf = (text: string, columns: readonly string[]) =>
  rowsBelow(new TextEncoder().encode(text), columns);

Deno.test("The first three rows follow the row of names, with any delimiter and line end", () => {
  const columns = ["Date", "Weight"];
  const rows = [["1 May", "74,3"], ["2 May", "74"], ["3 May", ""]];
  for (const delimiter of [";", "\t", "|"]) {
    for (const end of ["\n", "\r\n", "\r"]) {
      const lines = ["My diary", "", ["Date", " Weight"], ...rows, ["4 May", "75"]];
      const text = lines.map((cells) => [cells].flat().join(delimiter)).join(end);
      assertEquals(rowsOf(text, columns), rows, JSON.stringify([delimiter, end]));
    }
  }
});

Deno.test("Cells in quotes may have delimiters, quotes and line ends", () => {
  assertEquals(rowsOf('A,B\n"1, ""2""\n3",x\n,\n4,y', ["A", "B"]), [
    ['1, "2"\n3', "x"],
    ["4", "y"],
  ]);
});

Deno.test("Empty, repeated and long names are those that the service gives", () => {
  const long = "n".repeat(200);
  const columns = ["A", "column 2", "A (2)", long.slice(0, 128)];
  assertEquals(rowsOf(`A,,A,${long},\n1,2,3,4,`, columns), [["1", "2", "3", "4", ""]]);
});

Deno.test("UTF-16 and other encodings are read, and a cut row is left out", () => {
  const wide = new Uint8Array(
    Uint16Array.from("\ufeffA,B\né,2", (each) => each.charCodeAt(0)).buffer,
  );
  assertEquals(rowsBelow(wide, ["A", "B"]), [["é", "2"]]);
  const western = Uint8Array.from("A,B\né,2", (each) => each.charCodeAt(0));
  assertEquals(rowsBelow(western, ["A", "B"]), [["é", "2"]]);
  const row = "é,2\n";
  assertEquals(rowsOf(`A,B\n${row}${"x".repeat(READ_BYTES)}`, ["A", "B"]), [["é", "2"]]);
});

Deno.test("An archive or another table has no rows", () => {
  assertEquals(rowsOf("PK\u0003\u0004", ["A"]), []);
  assertEquals(rowsOf("C,D\n1,2", ["A", "B"]), []);
});

/** Tables of `tests/README.md` against folders and suites. */

import { assert, assertEquals } from "@std/assert";
import { chapter, section } from "../support/chapters.ts";

const TESTS = new URL("..", import.meta.url).pathname;
const PATH = "tests/README.md";
const README = chapter(PATH);

function rowsUnder(heading: string): string[][] {
  const rows = section(PATH, heading).split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("Every family has every proof, or a reason for its absence", async () => {
  const [head = [], , ...rows] = rowsUnder("Proofs of each family");
  const families = [...Deno.readDirSync(`${TESTS}/../src/families`)]
    .filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  assertEquals(rows.map(([name]) => name), families.filter((name) => name !== "kit").sort());
  for (const [family = "", ...proofs] of rows) {
    for (const [index, proof] of proofs.entries()) {
      const kind = (head[index + 1] ?? "").toLowerCase();
      if (proof === "–") assert(README.includes(`- ${family}, ${kind}: `), `${family}, ${kind}`);
      else assert(await Deno.stat(`${TESTS}/${proof.replaceAll("`", "")}_test.ts`), proof);
    }
  }
});

Deno.test("Every folder of tests is described", () => {
  const [, table = ""] = README.split("\n| Folder");
  const described = Array.from(
    (table.split("\n\n")[0] ?? "").matchAll(/^\| `(\w+)`/gm),
    ([, name]) => name,
  );
  // `std` is not a suite.
  const folders = [...Deno.readDirSync(TESTS)]
    .filter(({ isDirectory, name }) => isDirectory && name !== "std")
    .map(({ name }) => name);
  assertEquals(described.toSorted(), folders.toSorted());
});

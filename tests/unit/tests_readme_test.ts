/** The table of proofs in `tests/README.md` names suites that are there, and gives a reason for each hole. */

import { assert, assertEquals } from "@std/assert";

const TESTS = new URL("..", import.meta.url).pathname;
const README = await Deno.readTextFile(`${TESTS}/README.md`);

function rowsUnder(heading: string): string[][] {
  const [, section = ""] = README.split(`\n## ${heading}\n`);
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

Deno.test("Every family has every proof, or a reason why not", async () => {
  const [head = [], , ...rows] = rowsUnder("Proofs of each family");
  const families = [...Deno.readDirSync(`${TESTS}/../src/families`)].map(({ name }) => name);
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
  // `cluster` and `std` are no suites: a set of servers to try, and a stand-in for a package.
  const folders = [...Deno.readDirSync(TESTS)]
    .filter(({ isDirectory, name }) => isDirectory && name !== "cluster" && name !== "std")
    .map(({ name }) => name);
  assertEquals(described.toSorted(), folders.toSorted());
});

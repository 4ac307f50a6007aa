/**
 * XML is read as expat reads it. Files that expat refuses may be read, except those with other
 * entities. Needs Python: `XML_FILES=10000` compares so many files, twice.
 */

import { assertEquals } from "@std/assert";
import { seededRandom } from "../../../support/random.ts";
import { damaged, randomXml, xmlEvents } from "../../../support/xml_events.ts";

const COUNT = Number(Deno.env.get("XML_FILES") ?? 0);
const ORACLE = "tests/support/expat_oracle.py";

Deno.test({
  name: "XML is read as expat reads it",
  ignore: COUNT === 0,
  fn: async () => {
    const random = seededRandom(48);
    const whole = Array.from({ length: COUNT }, () => randomXml(random));
    const broken = whole.map((file) => damaged(random, file));
    const files = [...whole.map((file) => new TextEncoder().encode(file)), ...broken];
    const expected = await expatEvents(files);
    const counts = { equal: 0, refused: 0, tolerated: 0 };
    for (const [index, file] of files.entries()) {
      const events = await xmlEvents(file, random.integer(1, 100));
      const judged = expected[index] ?? null;
      const text = new TextDecoder().decode(file);
      if (judged !== null) {
        assertEquals(events, judged, text);
        counts.equal++;
      } else if (index < COUNT) throw new Error(`expat refuses ${text}`);
      else counts[typeof events === "string" ? "refused" : "tolerated"]++;
    }
    assertEquals(counts.equal >= COUNT && counts.refused > 0, true, JSON.stringify(counts));
  },
});

async function expatEvents(files: readonly Uint8Array[]): Promise<readonly unknown[]> {
  const lines = files.map((file) => `${file.toBase64()}\n`).join("");
  const child = new Deno.Command("python3", {
    args: ["-I", ORACLE],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const output = child.output();
  await new Blob([lines]).stream().pipeTo(child.stdin);
  const { stdout } = await output;
  return new TextDecoder().decode(stdout).trimEnd().split("\n").map((line) => JSON.parse(line));
}

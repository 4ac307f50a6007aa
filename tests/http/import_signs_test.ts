/** Files of other formats than the stated one, and imports in which nothing was found. */

import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { type Json, sharedWorld } from "../support/world.ts";
import { zip } from "../support/zip.ts";
import { assertFailure } from "./kernel.ts";
import { IMPORTS, itemsFile, memoryItem, planned, ran, settled, upload } from "./imports.ts";

const world = sharedWorld();

const JOURNAL = JSON.stringify({ metadata: {}, entries: [] });
const CARD = "BEGIN:VCARD\nVERSION:3.0\nFN:Ana\nEND:VCARD\n";

Deno.test("Upload of another format names the formats that the file has signs of", async () => {
  const caller = await world().createCaller();
  const archive = zip([
    { name: "Journal.json", content: JOURNAL },
    { name: "people/ana.vcf", content: CARD },
  ]);
  const uploads: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
    ["prs-items", JOURNAL, ["day-one"]],
    ["monica-4", `${CARD}${CARD}`, ["vcard"]],
    // One format accepts no archive, the other requires its own entry.
    ["monica-4", archive, ["day-one", "vcard"]],
    ["prs-items", archive, ["day-one", "vcard"]],
  ];
  for (const [format, bytes, looksLike] of uploads) {
    const details = assertFailure(await upload(caller, format, bytes), "HTTP_415");
    assertEquals(details, { rules: ["import.format"], looksLike }, format);
  }
  const unknown = assertFailure(await upload(caller, "prs-items", "a,b\n"), "HTTP_415");
  assertEquals(unknown, { rules: ["import.format"] });
});

Deno.test("Import tells the signs of other formats, also if it is refused", async () => {
  const caller = await world().createCaller();
  const card = { name: "ana.vcf", content: CARD };
  const rules = [{ rule: "import.looks_like", count: 1 }];
  const refused = await planned(caller, "day-one", zip([card]));
  assertEquals([refused.state, refused.looksLike, refused.rules], ["REFUSED", ["vcard"], rules]);
  const note = { name: "a.md", content: "A note" };
  const plan = await planned(caller, "markdown", zip([card, note]), { name: "Vault" });
  assertEquals([plan.looksLike, plan.rules], [["vcard"], rules]);
  const done = await ran(caller, plan);
  assertEquals([done.looksLike, done.rules], [["vcard"], rules]);
});

Deno.test("Import in which nothing was found says so, also after its run", async () => {
  const caller = await world().createCaller();
  const nothing = { rule: "import.nothing", count: 1 };
  const empty = await ran(caller, await planned(caller, "prs-items", itemsFile([])));
  assertEquals([empty.state, empty.rules], ["DONE", [nothing]]);
  const broken = itemsFile([memoryItem("a", { title: "" })], "broken");
  const refused = await ran(caller, await planned(caller, "prs-items", broken));
  assertEquals(refused.counts.memory.refused, 1);
  assertEquals(refused.rules.filter(({ rule }: Json) => rule.startsWith("import.")), [nothing]);
  const file = itemsFile([memoryItem("a")], "found");
  const found = await ran(caller, await planned(caller, "prs-items", file));
  const repeated = await planned(caller, "prs-items", file);
  assertEquals([found.rules, repeated.rules], [[], []]);
});

Deno.test("Table is found to be empty once it is mapped", async () => {
  const caller = await world().createCaller();
  const { importId, rules } = await planned(caller, "csv", "Name\n", { name: "Table" });
  assertEquals(rules, []);
  const mapping = { target: "knowledge", columns: { Name: "@title" } };
  const { status, text } = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, {
    body: mapping,
  });
  assertEquals(status, 200, text);
  const plan = await settled(caller, importId);
  assertEquals(plan.rules, [{ rule: "import.nothing", count: 1 }]);
});

Deno.test("Format `auto` becomes the format of the file", async () => {
  const caller = await world().createCaller();
  const archive = zip([{ name: "a.vcf", content: CARD }, {
    name: "Journal.json",
    content: JOURNAL,
  }]);
  const packed = gzipSync("a,b\nc,d\n");
  const cut = packed.subarray(0, -4);
  const uploads: readonly (readonly [string | Uint8Array, Json])[] = [
    [CARD, { format: "vcard", source: "vcard", looksLike: [] }],
    [archive, { format: "day-one", source: "day-one", looksLike: ["vcard"] }],
    ["# A note", { format: "markdown", source: "markdown:Mine", looksLike: [] }],
    [packed, { format: "csv", source: "csv:Mine", looksLike: [] }],
  ];
  for (const [bytes, expected] of uploads) {
    const sent = await upload(caller, "auto", bytes, { name: "Mine" });
    assertEquals(sent.body.data.format, expected.format);
    const { format, source, looksLike } = await settled(caller, sent.body.data.importId);
    assertEquals({ format, source, looksLike }, expected);
  }
  const unknown = assertFailure(await upload(caller, "auto", "a\0b", { name: "Mine" }), "HTTP_415");
  assertEquals(unknown, { rules: ["import.format"] });
  const tables = zip([{ name: "a.csv", content: "a,b\nc,d\n" }]);
  assertFailure(await upload(caller, "auto", tables, { name: "Mine" }), "HTTP_415");
  // A damaged archive hides its format.
  for (const [bytes, fault] of [[archive.subarray(0, -9), "zip.end"], [cut, "gzip.crc"]] as const) {
    const damaged = await upload(caller, "auto", bytes, { name: "Mine" });
    assertEquals(assertFailure(damaged, "HTTP_415"), { rules: ["import.format", fault] });
  }
  const nameless = assertFailure(await upload(caller, "auto", CARD), "PAYLOAD_INVALID");
  assertEquals(nameless.rules, ["field.required"]);
});

Deno.test("A recognized file has the source of an earlier import with its name", async () => {
  const caller = await world().createCaller();
  await planned(caller, "vcard", CARD, { name: "Book" });
  for (const [name, source] of [["Book", "vcard:Book"], ["Other", "vcard"]] as const) {
    const { body } = await upload(caller, "auto", CARD, { name });
    assertEquals((await settled(caller, body.data.importId)).source, source);
  }
});

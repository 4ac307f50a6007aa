/** Files in gzip and damaged archives are refused by their heads, whole, or entry by entry. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { tar } from "../support/tar_writer.ts";
import { createWorld, type Json, sharedWorld } from "../support/world.ts";
import { zip, type ZipFile } from "../support/zip.ts";
import {
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  settled,
  upload,
} from "./imports.ts";
import { assertFailure } from "./kernel.ts";

const world = sharedWorld();

const described = async (...[caller, importId]: Parameters<typeof itemsOf>) => {
  const items = await itemsOf(caller, importId);
  return items.map(({ key, entry, outcome, rules }: Json) => [key, entry, outcome, rules]);
};

Deno.test("Vault in a tar in gzip comes in with its parts and files", async () => {
  const caller = await world().createCaller();
  const part = zip([
    { name: "B.md", content: "![](x.png)" },
    { name: "x.png", content: "picture" },
    { name: "A.md", content: "A" },
  ]);
  const vault = tar([
    { name: "A.md", content: "A" },
    { name: "C.md", content: "C" },
    { name: "E-Part-1.zip", content: part },
  ]);
  const done = await imported(caller, "markdown", gzipSync(vault), { name: "Packed" });
  assertEquals(done.unmapped, [{ name: "file.repeated", count: 1 }]);
  assertEquals(done.attachments, { new: 1, unchanged: 0, missing: 0 });
  assertEquals(await described(caller, done.importId), [
    ["A.md", "A.md", "NEW", []],
    ["C.md", "C.md", "NEW", []],
    ["B.md", "E-Part-1.zip/B.md", "NEW", []],
  ]);
});

Deno.test("File of another format is refused by its head, also in gzip", async () => {
  const caller = await world().createCaller();
  const random = crypto.getRandomValues(new Uint8Array(40_000)).toBase64();
  const heads: Readonly<Record<string, Uint8Array>> = {
    csv: gzipSync(Buffer.alloc(64 * 1024)),
    markdown: gzipSync(gzipSync(random)),
    "day-one": gzipSync(`no journal ${random}`),
    "prs-items": gzipSync(`no items ${random}`),
    vcard: gzipSync(`no card ${random}`),
    "monica-4": gzipSync('{"version":"1.0-preview.1","account":{}}'),
  };
  for (const [format, bytes] of Object.entries(heads)) {
    const refused = await upload(caller, format, bytes, { name: "n" });
    const { rules, looksLike } = assertFailure(refused, "HTTP_415");
    assertEquals([format, rules], [format, ["import.format"]]);
    // That format accepts no gzip.
    if (format === "monica-4") assertEquals(looksLike, ["monica-4"]);
  }
  // Only the whole archive shows that it lacks the files of the format.
  const other = gzipSync(tar([{ name: "a.txt", content: random }]));
  for (const format of ["prs-items", "vcard"]) {
    const refused = await upload(caller, format, other);
    assertEquals(assertFailure(refused, "HTTP_415"), { rules: ["import.format"] }, format);
  }
});

Deno.test("Damaged gzip is refused whole in every format", async () => {
  const caller = await world().createCaller();
  const items = itemsFile([memoryItem("a")]);
  const contents: [format: string, content: string | Uint8Array, source: string | null][] = [
    ["csv", "Name\nA\n", "csv:n"],
    ["markdown", "text", "markdown:n"],
    ["day-one", '{"entries":[]}', "day-one"],
    ["prs-items", tar([{ name: "items.jsonl", content: items }]), null],
    ["vcard", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nEND:VCARD\r\n", "vcard"],
  ];
  for (const [format, content, expectedSource] of contents) {
    const bytes = gzipSync(content).subarray(0, -1);
    const { state, refusal, source } = await planned(caller, format, bytes, { name: "n" });
    assertEquals(source, expectedSource, format);
    const expected = { rule: "gzip.crc", place: 0, entry: null };
    assertEquals([state, refusal], ["REFUSED", expected], format);
  }
});

Deno.test("Unpacked bytes of a gzip count for the share of the account", async () => {
  await using own = await createWorld({ accountSpoolBytes: 1_000_000 });
  const caller = await own.createCaller();
  const bytes = gzipSync(`Name\n${"water the plants\n".repeat(100_000)}`);
  const { state, refusal } = await planned(caller, "csv", bytes, { name: "n" });
  assertEquals([state, refusal.rule], ["REFUSED", "import.spool"]);
});

Deno.test("Mapping is for the largest table that can be read", async () => {
  const caller = await world().createCaller();
  const bytes = zip([
    { name: "broken.csv", content: "Other\nA longer text\n", crc: 1 },
    { name: "tasks.csv", content: "Task\nWater\n" },
  ]);
  const { importId } = await planned(caller, "csv", bytes, { name: "n" });
  const body = { target: "tag", columns: { Task: "@title" } };
  await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body });
  await settled(caller, importId);
  const tables = await described(caller, importId);
  assertEquals(tables.map(([, ...facts]) => facts), [
    ["tasks.csv", "NEW", []],
    ["broken.csv", "REFUSED", ["zip.crc"]],
  ]);
});

Deno.test("Mapping of a gzip reads the header of the file that is unpacked already", async () => {
  const caller = await world().createCaller();
  const bytes = gzipSync("Task\nWater the plants\n");
  const { importId } = await planned(caller, "csv", bytes, { name: "n" });
  await Deno.truncate(world().importFolder.path(importId, "source"), 10);
  const body = { target: "tag", columns: { Task: "@title" } };
  const { status } = await caller.call("PUT", `${IMPORTS}/${importId}/mapping`, { body });
  assertEquals(status, 200);
  assertEquals((await settled(caller, importId)).refusal.rule, "gzip.crc");
});

Deno.test("Items of an entry that cannot be read are refused with it alone", async () => {
  const caller = await world().createCaller();
  const items: ZipFile = { name: "export/items.jsonl", content: itemsFile([memoryItem("a")]) };
  const damages: [string, Partial<ZipFile>, string | null][] = [
    ["zip.crc", { crc: 1 }, "items:test"],
    ["zip.encrypted", { flags: 1 }, null],
  ];
  for (const [rule, damage, source] of damages) {
    const file = zip([{ name: "export/a.txt", content: "a" }, { ...items, ...damage }]);
    const plan = await planned(caller, "prs-items", file);
    assertEquals([plan.state, plan.source], ["PLANNED", source]);
    assertEquals(await described(caller, plan.importId), [
      ["entry:2", "export/items.jsonl", "REFUSED", [rule]],
    ]);
  }
  const twice = await planned(caller, "prs-items", zip([items, items]));
  assertEquals(await described(caller, twice.importId), [
    ["a", "export/items.jsonl", "NEW", []],
    ["entry:2", "export/items.jsonl", "REFUSED", ["zip.duplicate"]],
  ]);
});

Deno.test("An entry without a card is refused alone, and empty ones are counted", async () => {
  const caller = await world().createCaller();
  const card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:A\r\nEND:VCARD\r\n";
  const other = [
    { name: "a.vcf", content: "Name,Phone\n" },
    { name: "b.vcf", content: "" },
    { name: "c.vcf", content: "\ufeff\r\n" },
  ];
  const plan = await planned(caller, "vcard", zip([...other, { name: "d.VCARD", content: card }]));
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ entry, outcome, rules }: Json) => [entry, outcome, rules]), [
    ["d.VCARD", "NEW", []],
    ["a.vcf", "REFUSED", ["import.format"]],
  ]);
  assertEquals(plan.unmapped, [{ name: "file.empty", count: 2 }]);
  const refused = await upload(caller, "vcard", zip(other));
  assertEquals(assertFailure(refused, "HTTP_415"), { rules: ["import.format"] });
});

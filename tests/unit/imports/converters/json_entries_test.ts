/** The entries of a journal, its faults, and files that are not a journal. */

import { assertEquals } from "@std/assert";
import {
  JournalFault,
  jsonEntries,
  RefusedEntry,
} from "../../../../src/imports/converters/json_entries.ts";

/** The entries of a text in chunks of three bytes, or their rules, and the fault after them. */
async function read(text: string | Uint8Array): Promise<readonly unknown[]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  const entries: unknown[] = [];
  try {
    for await (const entry of jsonEntries(chunks())) {
      entries.push(entry instanceof RefusedEntry ? entry.rule : entry);
    }
    return entries;
  } catch (error) {
    if (error instanceof JournalFault) return [...entries, error.rule];
    throw error;
  }
}

Deno.test("Journal yields its entries among any other members", async () => {
  assertEquals(await read('{"entries":[]}'), []);
  const entries = [{ a: ']}"\\', ü: "☀" }, { b: [{}, { c: ["{"] }] }, {}];
  const journal = { metadata: { entries: [1] }, "x": '"entries":[', entries, y: [[{}], null] };
  assertEquals(await read(JSON.stringify(journal)), entries);
  assertEquals(await read(JSON.stringify(journal, null, 2)), entries);
});

Deno.test("Journal may begin with a byte order mark", async () => {
  assertEquals(await read('\ufeff{"entries":[{}]}'), [{}]);
});

Deno.test("JSON without a list of entries, or with a fault before it, is no journal", async () => {
  const others = [
    "",
    "[]",
    "{}",
    '{"app":"x",',
    '{"a":}{"entries":[]}',
    '{"entries":{"a":1}}',
    '{"x":{"entries":[{}]}}',
  ];
  for (const text of others) assertEquals(await read(text), [null], text);
});

Deno.test("Broken journal yields the entries before its fault", async () => {
  const broken = [
    '{"entries":[{}',
    '{"entries":[{}]',
    '{"entries":[{}]}}',
    '{"entries":[{}]} x',
    '{"entries":[{}{}]}',
    '{"entries":[{},]}',
    '{"entries":[{},{"a":}]}',
    '{"entries":[{},{]}',
    '{"entries":[{},{"a":[}]}]}',
    '{"entries":[{}],"entries":[{}]}',
  ];
  for (const text of broken) assertEquals(await read(text), [{}, "day_one.json"], text);
  assertEquals(await read('{"entries":[{"a":'), ["day_one.json"]);
  const latin1 = Uint8Array.from('{"entries":[{},{"a":"\xfc"}]}', (letter) => letter.charCodeAt(0));
  assertEquals(await read(latin1), [{}, "text.utf8"]);
});

Deno.test("Entry that is no object is refused alone", async () => {
  assertEquals(await read('{"entries":[1,{},[{}]]}'), ["day_one.json", {}, "day_one.json"]);
});

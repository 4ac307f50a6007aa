/** The entries of a journal, and files that are not a journal. */

import { assertEquals } from "@std/assert";
import { jsonEntries } from "../../../../src/imports/converters/json_entries.ts";
import { FileRefusal } from "../../../../src/imports/refusal.ts";

/** The entries of a text in chunks of three bytes; the rule if it is refused. */
async function read(text: string): Promise<unknown> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  }
  try {
    return await Array.fromAsync(jsonEntries(chunks(), 1));
  } catch (error) {
    if (error instanceof FileRefusal) return error.rule;
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

Deno.test("Journal that is other JSON, or not JSON, is refused", async () => {
  const refused = [
    "",
    "[]",
    "{}",
    '{"entries":{"a":1}}',
    '{"entries":[1]}',
    '{"entries":[[{}]]}',
    '{"entries":[{}',
    '{"entries":[{}]',
    '{"entries":[{}]}}',
    '{"entries":[{}]} x',
    '{"entries":[{}{}]}',
    '{"entries":[{},]}',
    '{"entries":[{"a":}]}',
    '{"entries":[{]}',
    '{"entries":[{"a":[}]}]}',
    '{"entries":[{}],"entries":[{}]}',
    '{"x":{"entries":[{}]}}',
  ];
  for (const text of refused) assertEquals(await read(text), "day_one.json", text);
});

/** The memory of items and files during an import: small, and counted. */

import { assert, assertEquals } from "@std/assert";
import { sha256Hex } from "../../../src/core/digest.ts";
import type { Converter } from "../../../src/imports/converters/converter.ts";
import { DigestCounts } from "../../../src/imports/digest_counts.ts";
import { ItemReader } from "../../../src/imports/item_reader.ts";
import { ReadingBudget } from "../../../src/imports/reading_budget.ts";

const ITEMS = 20_000;

Deno.test("Equal digests are counted, and found", () => {
  const counts = new DigestCounts(new ReadingBudget({ fileBytes: 0 }));
  const [one, other] = [sha256Hex("one"), sha256Hex("other")];
  assertEquals([counts.has(one), counts.add(one, 1), counts.add(one, 2)], [false, 1, 2]);
  assertEquals([counts.has(one), counts.has(other), counts.size], [true, false, 1]);
});

Deno.test("An item takes less of the budget than a tenth of a KiB until all are read", async () => {
  const budget = new ReadingBudget({ fileBytes: 0 });
  async function* convert() {
    for (let index = 0; index < ITEMS; index++) {
      yield { kind: "item", item: { members: { key: `A note with a long name ${index}` } } };
    }
  }
  const parts = {
    work: { place: 0, services: { maximumItems: ITEMS } },
    context: { now: new Date(), mapping: null, source: "", targets: { has: () => false } },
    converter: { convert } as unknown as Converter,
    opened: { file: { budget }, archive: null },
    filename: null,
    innerFiles: null,
  };
  const reader = new ItemReader(parts as unknown as ConstructorParameters<typeof ItemReader>[0]);
  const keys = await Array.fromAsync(reader.read(), ({ key }) => key);
  assertEquals(new Set(keys).size, ITEMS);
  assert(budget.held / ITEMS < 100, `${budget.held / ITEMS} bytes`);
});

/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** The sample life, which the service brings in whole on any day. */

import { assert, assertEquals } from "@std/assert";
import { CATALOG } from "../../../src/catalog/catalog.ts";
import { SOURCES } from "../../../src/console/files.ts";
import { sampleLines } from "../../../src/console/web/logic/sample_life/index.js";
import { TEXTS as GERMAN } from "../../../src/console/web/sample/de.js";
import { TEXTS as ENGLISH } from "../../../src/console/web/sample/en.js";
import { readItem } from "../../../src/imports/item.ts";
import { plannedContent } from "../../../src/imports/item_content.ts";
import { createTargets } from "../../../src/imports/targets.ts";
import { inZone } from "../../support/zone.ts";

const MAX_BYTES = 61_440;
const TARGETS = createTargets(CATALOG);

/** Its items as the import reads them; throws if one is refused. */
function readLife(texts: LifeTexts, now: Date) {
  const [, ...items] = sampleLines(texts, now).map((line) => JSON.parse(line));
  return items.map((members, index) => {
    const source = { place: index + 2, members };
    const item = readItem(source, { archive: null, targets: TARGETS, now });
    const refused = [...item.refused, ...item.rules, ...item.unmapped];
    assertEquals(refused, [], `${members.key}: ${refused}`);
    const target = TARGETS.get(members.target);
    target.check(plannedContent(item, target, new Map(), now), now);
    return members;
  });
}

Deno.test("Every item of the sample life is accepted, in each language and on any day", () => {
  const days = [[2026, 0, 1, 0, 1], [2028, 1, 29, 12, 0], [2026, 2, 29, 3, 30], [
    2027,
    11,
    31,
    23,
    59,
  ]];
  for (const zone of ["Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"]) {
    inZone(zone, () => {
      for (const [year = 0, month = 0, day, hour, minute] of days) {
        const now = new Date(year, month, day, hour, minute);
        const [english, german] = [ENGLISH, GERMAN].map((texts) => readLife(texts, now));
        const shapeOf = (
          members: { key: string; target: string; payload: object },
        ) => [members.key, members.target, Object.keys(members.payload)];
        assertEquals(english?.map(shapeOf), german?.map(shapeOf));
      }
    });
  }
});

Deno.test("The sample life shows each part of Today", () => {
  const now = new Date(2026, 10, 28, 12);
  const items = readLife(ENGLISH, now);
  assertEquals(new Set(items.map(({ key }) => key)).size, items.length);
  const targets = new Set(items.map(({ target }) => target));
  for (
    const target of ["person", "memory", "health", "commitment", "action", "routine", "capture"]
  ) {
    assert(targets.has(target), target);
  }
  const dueAt = items.flatMap(({ payload }) => payload.dueAt ?? payload.targetDate ?? []);
  const days = dueAt.map((time) => time.slice(0, 10));
  for (const day of ["2026-11-25", "2026-11-28", "2026-11-29"]) assert(days.includes(day), day);
  const lived = items.flatMap(({ payload }) => payload.occurredAt?.slice(0, 10) ?? []);
  for (const day of ["2025-11-28", "2020-11-28"]) assert(lived.includes(day), day);
});

Deno.test("The sample life has at most 60 KB", () => {
  const parts = Object.entries(SOURCES).filter(([name]) =>
    /^(sample|logic\/sample_life)\//.test(name)
  );
  const bytes = parts.reduce((sum, [, text]) => sum + new TextEncoder().encode(text).length, 0);
  assert(bytes <= MAX_BYTES && parts.length > 2, String(bytes));
});

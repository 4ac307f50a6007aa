/** Reports on each item, planned or final, and the sample of titles. */

import { PAGE_LIMIT } from "../http/page.ts";
import { readOnlyPathId, readPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { SIGNED_PAGE_QUERY, SignedCursors, signedPageOf } from "../http/signed_page.ts";
import {
  component,
  COUNT,
  enumOf,
  listOf,
  nullable,
  objectOf,
  TEXT,
  ULID,
} from "../validate/json_schema.ts";
import { oneOf, optional, readQuery } from "../validate/schema.ts";
import { type Outcome, OUTCOMES } from "./import.ts";
import { type ImportServices, requireImport } from "./services.ts";
import { type ItemReport, listItems } from "./item_store.ts";
import { readValues } from "./line_reader.ts";
import type { SampleItem } from "./reading.ts";

const ITEM_SCHEMA = component<ItemReport>("ImportItem", {
  place: COUNT,
  key: TEXT,
  target: nullable(TEXT),
  outcome: enumOf(OUTCOMES),
  recordId: nullable(ULID),
  attachmentIds: listOf(ULID),
  rules: listOf(TEXT),
  unmapped: listOf(TEXT),
  matches: listOf(ULID),
}, ["matches"]);

const SAMPLE_SCHEMA = objectOf({
  items: listOf(objectOf({ place: COUNT, target: TEXT, title: TEXT })),
});

const QUERY = { ...SIGNED_PAGE_QUERY, outcome: optional(oneOf(...OUTCOMES)) };

interface ItemsPage {
  readonly importId: string;
  readonly limit: number;
  readonly cursor: string | null;
  readonly outcome: Outcome | null;
}

export function createItemEndpoints(
  services: ImportServices,
): Readonly<Record<"items" | "sample", Endpoint>> {
  return {
    items: endpoint({
      contract: {
        summary: "List what is to come, or came, of the items of an import",
        query: QUERY,
        responses: { 200: { data: signedPageOf(ITEM_SCHEMA) } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse(call): ItemsPage {
        const importId = readPathId(call, "importId");
        const { limit = PAGE_LIMIT.standard, cursor = null, outcome = null } = readQuery(
          QUERY,
          call.query,
        );
        return { importId, limit, cursor, outcome };
      },
      handle: async (call) => ok(await readItems(services, call)),
    }),
    sample: endpoint({
      contract: {
        summary: "Show the first ten titles of each target while the file is kept",
        responses: { 200: { data: SAMPLE_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyPathId(call, "importId"),
      async handle(call) {
        const { import_id: importId } = await requireImport(services, call, call.parsed);
        const text = await services.folder.read(importId, "sample");
        const items: readonly SampleItem[] = text === null ? [] : JSON.parse(text);
        return ok({ items });
      },
    }),
  };
}

/** The start of a page: after a place, at an offset of the plan. */
interface Position {
  readonly place: number;
  readonly offset: number;
}

async function readItems(services: ImportServices, call: CheckedCall<ItemsPage>) {
  const { database, serverSecret } = services;
  const { parsed: { importId, limit, cursor, outcome }, caller, now } = call;
  const owner = caller.account.accountId;
  const row = await requireImport(services, call, importId);
  const binding = { list: "import.items", owner, importId, outcome, plan: row.plan };
  const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
  const begun = cursors.read(cursor);
  const from: Position = begun === null
    ? { place: 0, offset: 0 }
    : JSON.parse(begun.data ?? '{"place":0,"offset":0}');
  const stored = await database.read((sql) =>
    listItems(sql, owner, importId, { after: from.place, outcome, limit: limit + 1 })
  );
  const items: { item: ItemReport; offset: number }[] = stored.map((item) => {
    return { item, offset: from.offset };
  });
  if (items.length <= limit && row.done < row.total) {
    const after = items.at(-1)?.item.place ?? from.place;
    const wanted = { after, outcome, limit: limit + 1 - items.length };
    items.push(...await plannedItems(services, importId, wanted, from.offset));
  }
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  const data = JSON.stringify({ place: last?.item.place, offset: last?.offset });
  return {
    items: shown.map(({ item }) => item),
    nextCursor: hasMore ? cursors.sign({ after: importId, data }) : null,
  };
}

/** The items of the plan that are not done, from an offset. */
async function plannedItems(
  { folder }: ImportServices,
  importId: string,
  { after, outcome, limit }: { after: number; outcome: Outcome | null; limit: number },
  offset: number,
): Promise<{ item: ItemReport; offset: number }[]> {
  const found: { item: ItemReport; offset: number }[] = [];
  if (!await folder.has(importId, "plan")) return found;
  for await (
    const { value: item, end } of readValues<ItemReport>(folder.path(importId, "plan"), offset)
  ) {
    if (item.place <= after || (outcome !== null && item.outcome !== outcome)) continue;
    found.push({ item, offset: end });
    if (found.length === limit) break;
  }
  return found;
}

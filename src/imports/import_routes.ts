/** The endpoints of `/api/v2/imports` (contract: imports). */

import { payloadInvalid } from "../errors/service_error.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId, readPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { SIGNED_PAGE_QUERY, SignedCursors, signedPageOf } from "../http/signed_page.ts";
import {
  component,
  COUNT,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  ULID,
} from "../validate/json_schema.ts";
import { oneOf, optional, readQuery } from "../validate/schema.ts";
import { createCommandEndpoints } from "./command_routes.ts";
import {
  type Import,
  IMPORT_SCHEMA,
  type ImportRow,
  type Outcome,
  OUTCOMES,
  showImport,
} from "./import.ts";
import { findImport, listImports, requireImport } from "./import_store.ts";
import type { SampleItem } from "./prepare.ts";
import { createReceiveEndpoint } from "./receive_routes.ts";
import { type ItemReport, listItems } from "./reports.ts";
import type { ImportServices } from "./work.ts";

export type ImportEndpoints = Readonly<
  Record<
    | "create"
    | "list"
    | "detail"
    | "items"
    | "sample"
    | "map"
    | "run"
    | "stop"
    | "discard"
    | "withdraw",
    Endpoint
  >
>;

export function createImportEndpoints(services: ImportServices): ImportEndpoints {
  return {
    create: createReceiveEndpoint(services),
    list: listEndpoint(services),
    detail: readEndpoint(services, {
      summary: "Describe an import: its state, and what is to come or came of its items",
      schema: IMPORT_SCHEMA,
      show: showImport,
    }),
    items: itemsEndpoint(services),
    sample: readEndpoint(services, {
      summary: "Show the first ten titles of each target while the file is kept",
      schema: SAMPLE_SCHEMA,
      async show({ import_id }) {
        const text = await services.folder.read(import_id, "sample");
        return { items: text === null ? [] : JSON.parse(text) as SampleItem[] };
      },
    }),
    ...createCommandEndpoints(services),
  };
}

function readEndpoint<Shown>(
  services: ImportServices,
  { summary, schema, show }: {
    readonly summary: string;
    readonly schema: JsonSchema;
    readonly show: (row: ImportRow) => Shown | Promise<Shown>;
  },
): Endpoint {
  return endpoint({
    contract: { summary, responses: { 200: { data: schema } }, errors: ["RECORD_NOT_FOUND"] },
    body: "none",
    parse: (call) => readOnlyPathId(call, "importId"),
    handle: async (call) => ok(await show(await requireImport(services, call, call.parsed))),
  });
}

function listEndpoint({ database }: ImportServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the imports, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(IMPORT_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller }) {
      const owner = caller.account.accountId;
      const [rows, named] = await database.read((sql) =>
        Promise.all([
          listImports(sql, owner, cursor, limit + 1),
          cursor === null ? null : findImport(sql, owner, cursor),
        ])
      );
      if (named?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      return ok(toPage<ImportRow, Import>(rows, limit, showImport, ({ importId }) => importId));
    },
  });
}

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

function itemsEndpoint(services: ImportServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List what is to come, or came, of the items of an import",
      query: QUERY,
      responses: { 200: { data: signedPageOf(ITEM_SCHEMA) } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse(call): ItemsPage {
      const importId = readPathId(call, "importId");
      const query = readQuery(QUERY, call.query);
      const { limit = PAGE_LIMIT.standard, cursor = null, outcome = null } = query;
      return { importId, limit, cursor, outcome };
    },
    handle: async (call) => ok(await readItems(services, call)),
  });
}

async function readItems(services: ImportServices, call: CheckedCall<ItemsPage>) {
  const { database, serverSecret } = services;
  const { parsed: { importId, limit, cursor, outcome }, caller, now } = call;
  const owner = caller.account.accountId;
  const row = await requireImport(services, call, importId);
  const binding = { list: "import.items", owner, importId, outcome, plan: row.plan };
  const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
  // The place after which the page begins, and the offset of the plan.
  const from: { readonly place: number; readonly offset: number } = JSON.parse(
    cursors.read(cursor)?.data ?? '{"place":0,"offset":0}',
  );
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
  const mayCompare = caller.permissions.has("relationship.ledger.read");
  const shown = items.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  const data = JSON.stringify({ place: last?.item.place, offset: last?.offset });
  return {
    items: shown.map(({ item }) => mayCompare ? item : withoutMatches(item)),
    nextCursor: hasMore ? cursors.sign({ after: importId, data }) : null,
  };
}

/** For a reader who may not read the details that were compared. */
function withoutMatches(item: ItemReport): ItemReport {
  return item.matches === undefined ? item : { ...item, matches: [] };
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
    const { value: item, end } of folder.values<ItemReport>(importId, "plan", offset)
  ) {
    if (item.place <= after || (outcome !== null && item.outcome !== outcome)) continue;
    found.push({ item, offset: end });
    if (found.length === limit) break;
  }
  return found;
}

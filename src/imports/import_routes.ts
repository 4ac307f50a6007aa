/** The endpoints of `/api/v2/imports` (contract: imports). */

import { countFitting } from "../database/page_bytes.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, readPageQuery, toWalkedPage } from "../http/page.ts";
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
import { type CommandEndpoints, createCommandEndpoints } from "./command_routes.ts";
import {
  IMPORT_SCHEMA,
  type ImportRow,
  type ItemImport,
  type Outcome,
  OUTCOMES,
  showImport,
} from "./import.ts";
import { findImport, listImports, requireImport } from "./import_store.ts";
import type { SampleItem } from "./item_reader.ts";
import { type ImportQuestion, QUESTION_SCHEMA } from "./questions.ts";
import { createReceiveEndpoint } from "./receive_routes.ts";
import { type ItemReport, listItems, shownReport } from "./reports.ts";
import { GROUPS_MEMBERS, readGroups } from "./sample_groups.ts";
import { reportWord } from "./words.ts";
import type { ImportServices } from "./work.ts";

export type ImportEndpoints =
  & CommandEndpoints
  & Readonly<Record<"create" | "list" | "detail" | "items" | "sample", Endpoint>>;

export function createImportEndpoints(services: ImportServices): ImportEndpoints {
  return {
    create: createReceiveEndpoint(services),
    list: listEndpoint(services),
    detail: readEndpoint(services, {
      summary: "Describe an import: its state, and the planned or final outcomes of its items",
      schema: IMPORT_SCHEMA,
      show: showImport,
    }),
    items: itemsEndpoint(services),
    sample: readEndpoint(services, {
      summary: "Show first titles, possible duplicates, groups and series while the file is kept",
      schema: SAMPLE_SCHEMA,
      async show({ import_id }) {
        const { folder } = services;
        const [titles, asked, groups] = await Promise.all([
          folder.read(import_id, "sample"),
          folder.read(import_id, "questions"),
          readGroups(folder, import_id),
        ]);
        const items: readonly SampleItem[] = JSON.parse(titles ?? "[]");
        const questions: readonly ImportQuestion[] = JSON.parse(asked ?? "[]");
        // Earlier releases stored titles that are not well-formed.
        const shown = items.map((item) => ({ ...item, title: reportWord(item.title) }));
        return { items: shown, questions, ...groups };
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
      const [listed, named] = await database.read((sql) =>
        Promise.all([
          listImports(sql, owner, cursor, limit),
          cursor === null ? null : findImport(sql, owner, cursor),
        ])
      );
      if (named?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      const walked = { ...listed, examined: null };
      return ok(toWalkedPage<ImportRow, ItemImport>(walked, showImport, (row) => row.import_id));
    },
  });
}

const ITEM_SCHEMA = component<ItemReport>("ImportItem", {
  place: COUNT,
  key: TEXT,
  entry: nullable(TEXT),
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
  questions: listOf(QUESTION_SCHEMA),
  ...GROUPS_MEMBERS,
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
      summary: "List the planned or final outcomes of the items of an import",
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

/** Place after which a page begins, and the offset in the plan. */
interface PagePlace {
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
  const from: PagePlace = JSON.parse(
    cursors.read(cursor)?.data ?? '{"place":0,"offset":0}',
  );
  const stored = await database.read((sql) =>
    listItems(sql, owner, importId, { after: from.place, outcome, limit: limit + 1 })
  );
  const items: { item: ItemReport; offset: number }[] = stored.map((item) => {
    return { item, offset: from.offset };
  });
  let examined: PagePlace | null = null;
  if (items.length <= limit && row.done < row.total) {
    const after = items.at(-1)?.item.place ?? from.place;
    const wanted = { after, outcome, limit: limit + 1 - items.length };
    const planned = await plannedItems(services, importId, wanted, from.offset);
    items.push(...planned.found);
    ({ examined } = planned);
  }
  const mayCompare = caller.permissions.has("relationship.ledger.read");
  const fitting = countFitting(items.map(({ item }) => sizeOf(item)));
  const shown = items.slice(0, Math.min(limit, fitting));
  const last = shown.at(-1);
  const next = items.length > shown.length && last !== undefined
    ? { place: last.item.place, offset: last.offset }
    : examined;
  const data = JSON.stringify(next);
  return {
    items: shown.map(({ item }) => shownReport(mayCompare ? item : withoutMatches(item))),
    nextCursor: next === null ? null : cursors.sign({ after: importId, data }),
  };
}

function sizeOf({ entry, attachmentIds, unmapped, rules }: ItemReport): number {
  return JSON.stringify([entry, attachmentIds, unmapped, rules]).length;
}

/** Hides matches from a reader who may not read the compared details. */
function withoutMatches(item: ItemReport): ItemReport {
  return item.matches === undefined ? item : { ...item, matches: [] };
}

/** Maximum lines of a plan read for one page. */
const MAX_EXAMINED = 10_000;

/**
 * Unfinished items of the plan from an offset. If the page has examined its maximum of lines: also
 * the place of the last one.
 */
async function plannedItems(
  { folder }: ImportServices,
  importId: string,
  { after, outcome, limit }: { after: number; outcome: Outcome | null; limit: number },
  offset: number,
): Promise<
  { readonly found: { item: ItemReport; offset: number }[]; readonly examined: PagePlace | null }
> {
  const found: { item: ItemReport; offset: number }[] = [];
  const file = await folder.planFile(importId);
  if (file === null) return { found, examined: null };
  let lines = 0;
  for await (const { value: item, end } of folder.values<ItemReport>(importId, file, offset)) {
    if (item.place > after && (outcome === null || item.outcome === outcome)) {
      found.push({ item, offset: end });
      if (found.length === limit) break;
    }
    if (++lines === MAX_EXAMINED) {
      return { found, examined: { place: Math.max(after, item.place), offset: end } };
    }
  }
  return { found, examined: null };
}

/** `POST /api/v2/search`: a person's records by the words in them. It only reads. */

import type { Identity } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { type Page, PAGE_LIMIT, PAGE_QUERY } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { SIGNED_CURSOR, SignedCursors, signedPageOf } from "../http/signed_page.ts";
import { readPermissionOf } from "../records/port.ts";
import { component, TEXT, ULID } from "../validate/json_schema.ts";
import { arrayOf, oneOf, optional, readBody, refuseQuery, string } from "../validate/schema.ts";
import { assertBuilt } from "./build_store.ts";
import { textsOfRow } from "./content.ts";
import { type FoundRow, readMatches, type Wish } from "./matches.ts";
import { snippetOf } from "./snippet.ts";
import { type Word, wordsOf } from "./words.ts";

/** What search needs of the application. */
export interface SearchServices {
  readonly database: Database;
  readonly catalog: Catalog;
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

/** A record that was found, as a client sees it. */
interface Found {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly title: string;
  /** At most 200 code points of one of its texts. */
  readonly snippet: string;
}

const FOUND_SCHEMA = component<Found>("SearchResult", {
  moduleCode: TEXT,
  recordId: ULID,
  title: TEXT,
  snippet: TEXT,
});

/** The most words of a search. */
const MAXIMUM_WORDS = 16;

/** The endpoint of `/search`. */
export function createSearchEndpoint(services: SearchServices): Endpoint {
  const { catalog } = services;
  const codes = catalog.modules.map(({ code }) => code);
  const shape = {
    q: string({ maximum: 256, multiline: true }),
    modules: optional(arrayOf(oneOf(...codes), 1, codes.length)),
    archived: optional(oneOf("exclude", "only", "include")),
    limit: PAGE_QUERY.limit,
    cursor: SIGNED_CURSOR,
  };
  return endpoint({
    contract: {
      summary: "Find records by the words in them, the newest first",
      body: bodyOf(shape, { q: "ladder", modules: ["commitment"] }),
      responses: { 200: { data: signedPageOf(FOUND_SCHEMA) } },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle({ body, identity, now }) {
      const { q, modules, archived = "exclude", limit = PAGE_LIMIT.standard, cursor } = readBody(
        shape,
        body,
      );
      const words = readWords(q);
      const searched = modulesToSearch(catalog, identity, modules);
      const owner = identity.account.accountId;
      const cursors = new SignedCursors(services.serverSecret, {
        ...{ list: "search", owner, q, archived },
        modules: modules === undefined ? null : searched.map(({ code }) => code),
      }, { now, lifetimeMs: null });
      const after = cursors.read(cursor)?.after ?? null;
      const { permissions } = identity;
      const wish = { owner, words, modules: searched, archived, permissions, after, limit };
      return ok(cursors.signPage(await search(services, wish)));
    },
  });
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `search.words`, for no word or too many. */
function readWords(q: string): readonly Word[] {
  const words = wordsOf(q);
  if (words.length === 0 || words.length > MAXIMUM_WORDS) {
    throw payloadInvalid(["search.words"], ["q"]);
  }
  return words;
}

/**
 * The modules that are searched, in the order of the catalog.
 *
 * @throws ServiceError `FORBIDDEN` where one is named that the reader may not read.
 */
function modulesToSearch(
  catalog: Catalog,
  { permissions }: Identity,
  named: readonly string[] | undefined,
): readonly CatalogModule[] {
  const isReadable = (module: CatalogModule) => permissions.has(readPermissionOf(module));
  if (named === undefined) return catalog.modules.filter(isReadable);
  const searched = catalog.modules.filter(({ code }) => named.includes(code));
  if (!searched.every(isReadable)) throw new ServiceError("FORBIDDEN");
  return searched;
}

/** @throws ServiceError `HTTP_503` while the index is being made. */
async function search(
  { database, catalog }: SearchServices,
  wish: Wish,
): Promise<Page<Found>> {
  const { rows, more } = await database.read(async (sql) => {
    const [, matches] = await Promise.all([assertBuilt(sql), readMatches(sql, wish)]);
    return matches;
  });
  const last = rows.at(-1);
  const isCut = more || last?.module_code === null;
  return {
    items: rows.flatMap((row) => show(catalog, row, wish.words)),
    nextCursor: isCut && last !== undefined ? last.record_id : null,
  };
}

/** The index finds a few records too many: none of those is shown. */
function show(catalog: Catalog, row: FoundRow, words: readonly Word[]): Found[] {
  if (row.module_code === null) return [];
  const { module_code: moduleCode, record_id: recordId, title } = row;
  const snippet = snippetOf(textsOfRow(catalog, row), words);
  return snippet === null ? [] : [{ moduleCode, recordId, title, snippet }];
}

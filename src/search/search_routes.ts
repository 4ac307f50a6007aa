/** `POST /api/v2/search`: a person's records by their words. It only reads. */

import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { SEARCHES_AT_ONCE } from "../core/shares.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_LIMIT, PAGE_QUERY } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { SIGNED_CURSOR, SignedCursors, signedPageOf } from "../http/signed_page.ts";
import { seesModule } from "../records/port.ts";
import { component, TEXT, ULID } from "../validate/json_schema.ts";
import { arrayOf, oneOf, optional, readBody, refuseQuery, string } from "../validate/schema.ts";
import { type PageServices, readSearchPage, type SearchResult } from "./page.ts";
import { type Word, wordsOf } from "../records/search_index/words.ts";

interface SearchServices extends PageServices {
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

const RESULT_SCHEMA = component<SearchResult>("FoundRecord", {
  moduleCode: TEXT,
  recordId: ULID,
  title: TEXT,
  snippet: TEXT,
});

const MAX_WORDS = 16;

export function createSearchEndpoint(services: SearchServices): Endpoint {
  const { catalog } = services;
  const searches = new AccountPlaces(SEARCHES_AT_ONCE);
  const shape = searchBody(catalog);
  return endpoint({
    contract: {
      summary: "Search records by words, newest first",
      body: bodyOf(shape, { q: "ladder", modules: ["commitment"] }),
      responses: { 200: { data: signedPageOf(RESULT_SCHEMA) } },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle({ body, caller, now }) {
      const { q, modules, archived = "exclude", limit = PAGE_LIMIT.standard, cursor } = readBody(
        shape,
        body,
      );
      const words = readWords(q);
      const searched = modulesToSearch(catalog, caller, modules);
      const owner = caller.account.accountId;
      const cursors = new SignedCursors(services.serverSecret, {
        list: "search",
        owner,
        q,
        archived,
        modules: modules === undefined ? null : searched.map(({ code }) => code),
      }, { now, lifetimeMs: null });
      const after = cursors.read(cursor)?.after ?? null;
      const { permissions } = caller;
      const wanted = { owner, words, modules: searched, archived, permissions, after, limit };
      const page = await searches.run(caller, () => readSearchPage(services, wanted, caller));
      return ok(cursors.signPage(page));
    },
  });
}

function searchBody(catalog: Catalog) {
  const codes = catalog.modules.map(({ code }) => code);
  return {
    q: string({ maximum: 256, multiline: true }),
    modules: optional(arrayOf(oneOf(...codes), 1, codes.length)),
    archived: optional(oneOf("exclude", "only", "include")),
    limit: PAGE_QUERY.limit,
    cursor: SIGNED_CURSOR,
  };
}

/** @throws ServiceError `PAYLOAD_INVALID`, rule `search.words`, for no word or too many. */
export function readWords(q: string): readonly Word[] {
  const words = wordsOf(q);
  if (words.length === 0 || words.length > MAX_WORDS) {
    throw payloadInvalid(["search.words"], ["q"]);
  }
  return distinct(words);
}

function distinct(words: readonly Word[]): readonly Word[] {
  return [...new Map(words.map((word) => [word.text, word])).values()];
}

/**
 * In the order of the catalog.
 *
 * @throws ServiceError `FORBIDDEN` if the query names a module that the reader may not read.
 */
function modulesToSearch(
  catalog: Catalog,
  reader: Caller,
  named: readonly string[] | undefined,
): readonly CatalogModule[] {
  const isReadable = (module: CatalogModule) => seesModule(reader, module);
  if (named === undefined) return catalog.modules.filter(isReadable);
  const searched = catalog.modules.filter(({ code }) => named.includes(code));
  if (!searched.every(isReadable)) throw new ServiceError("FORBIDDEN");
  return searched;
}

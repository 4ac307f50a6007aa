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
import { BEST_RESULT_SCHEMA, searchBest } from "./best_search.ts";
import { type PageServices, readSearchPage, type SearchResult } from "./page.ts";
import { tagTokens } from "./tag_tokens.ts";
import { MAX_WORDS, type Word, wordsOf } from "../records/search_index/words.ts";

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

export function createSearchEndpoint(services: SearchServices): Endpoint {
  const { catalog } = services;
  const searches = new AccountPlaces(SEARCHES_AT_ONCE);
  const shape = searchBody(catalog);
  return endpoint({
    contract: {
      summary: "Search records by words, newest or best first",
      body: bodyOf(shape, { q: "ladder", modules: ["commitment"] }),
      responses: {
        200: { data: signedPageOf({ anyOf: [RESULT_SCHEMA, BEST_RESULT_SCHEMA] }) },
      },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle({ body, caller, now }) {
      const {
        q,
        order = "NEWEST",
        modules,
        archived = "exclude",
        limit = PAGE_LIMIT.standard,
        cursor,
      } = readBody(shape, body);
      const words = order === "BEST" && tagTokens(q).length > 0 ? [] : readWords(q);
      const searched = modulesToSearch(catalog, caller, modules);
      const owner = caller.account.accountId;
      const cursors = new SignedCursors(services.serverSecret, {
        list: "search",
        owner,
        q,
        archived,
        modules: modules === undefined ? null : searched.map(({ code }) => code),
        ...(order === "BEST" && { order }),
      }, { now, lifetimeMs: null });
      const position = cursors.read(cursor);
      const { permissions } = caller;
      const wanted = { owner, modules: searched, archived, permissions };
      return await searches.run(caller, async () => {
        if (order === "BEST") {
          const { items, end } = await searchBest(services, wanted, { q, limit, position }, caller);
          return ok({ items, nextCursor: end && cursors.sign(end) });
        }
        const after = position?.after ?? null;
        const query = { ...wanted, words, after, limit };
        return ok(cursors.signPage(await readSearchPage(services, query, caller)));
      });
    },
  });
}

function searchBody(catalog: Catalog) {
  const codes = catalog.modules.map(({ code }) => code);
  return {
    q: string({ maximum: 256, multiline: true }),
    order: optional(oneOf("NEWEST", "BEST")),
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

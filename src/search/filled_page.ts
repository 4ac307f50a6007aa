import type { Caller } from "../access/identity.ts";
import type { Page } from "../http/page.ts";
import type { SearchPageQuery } from "./matches.ts";
import { type PageServices, readSearchPart, type SearchResult } from "./page.ts";

/** Parts that a page is filled from, of `PART` records each. */
const MAX_PARTS = 100;
const PART = 20;

/**
 * Reads a page that ends with a record that matches, so that neither its length nor its cursor
 * depends on records that match in texts the reader may not see.
 *
 * @throws ServiceError `HTTP_503` while the index is being built.
 */
export async function readFilledPage(
  services: PageServices,
  query: SearchPageQuery,
  reader: Caller,
): Promise<Page<SearchResult>> {
  const items: SearchResult[] = [];
  let { after, span = null } = query;
  for (let part = 0; part < MAX_PARTS; part++) {
    const page = await readSearchPart(services, { ...query, after, span, limit: PART }, reader);
    items.push(...page.items);
    if (items.length > query.limit) {
      const shown = items.slice(0, query.limit);
      return { items: shown, nextCursor: shown.at(-1)?.recordId ?? null };
    }
    if (page.nextCursor === null) return { items, nextCursor: null };
    after = page.nextCursor;
    span = page.span;
  }
  return { items, nextCursor: after };
}

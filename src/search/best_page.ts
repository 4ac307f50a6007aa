/** Computes one page of a best-first search in small steps. */

import { type Caller, noteSecretShown } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { formatTimestamp } from "../validate/timestamp.ts";
import { BestFinder } from "./best_finder.ts";
import { type BestSearch, candidatesAfter } from "./best_candidates.ts";
import { type FoundRow, type Place, readFound } from "./best_store.ts";
import { type Match, possibleMatches } from "./best_words.ts";
import { textsOfRow } from "./content.ts";
import { GROUP, type PageServices, PageWork, type SearchResult } from "./page.ts";

export interface BestResult extends SearchResult {
  /** The own time in UTC; null without one. */
  readonly time: string | null;
  readonly match: Match;
}

/** The place of a record in the order of a search. */
export interface BestPosition extends Place {
  readonly match: Match;
}

export interface BestPage {
  readonly items: readonly BestResult[];
  /** The place after which the next page begins; null after the last page. */
  readonly end: BestPosition | null;
}

/**
 * @param after The page begins after this place; null for the first page.
 * @param limit Maximum items. The page also ends after the work of `PageWork`.
 */
export async function readBestPage(
  services: PageServices,
  search: BestSearch,
  after: BestPosition | null,
  limit: number,
  reader: Caller,
): Promise<BestPage> {
  const items: BestResult[] = [];
  const work = new PageWork();
  let end: BestPosition | null = null;
  for await (const { row, position } of readRows(services, search, after)) {
    const found = await findIn(row, services.catalog, search, position.match, work);
    if (found !== null && items.length === limit) return { items, end };
    if (found !== null) {
      items.push(found);
      end = position;
      if (row.guard !== null) noteSecretShown(reader, row.record_id);
    }
    if (work.isDone && items.length > 0) return { items, end: position };
  }
  return { items, end: null };
}

interface ReadRow {
  readonly row: FoundRow;
  readonly position: BestPosition;
}

/** The contents of all candidates in order. */
async function* readRows(
  { database }: PageServices,
  search: BestSearch,
  after: BestPosition | null,
): AsyncGenerator<ReadRow> {
  const matches = possibleMatches(search.asked);
  const first = after === null ? 0 : matches.indexOf(after.match);
  for (const [index, match] of matches.slice(first).entries()) {
    const stage = { database, search, match };
    for await (const places of candidatesAfter(stage, index === 0 ? after : null)) {
      for (let start = 0; start < places.length; start += GROUP) {
        const group = places.slice(start, start + GROUP);
        const ids = group.map(({ recordId }) => recordId);
        for (const row of await database.read((sql) => readFound(sql, search, ids))) {
          const place = group.find(({ recordId }) => recordId === row.record_id);
          if (place !== undefined) yield { row, position: { ...place, match } };
        }
      }
    }
  }
}

/** Returns null if the record is of another class. */
async function findIn(
  row: FoundRow,
  catalog: Catalog,
  { asked }: BestSearch,
  match: Match,
  work: PageWork,
): Promise<BestResult | null> {
  const { module_code: moduleCode, record_id: recordId, title, own_time: time } = row;
  work.countRead(row.payload.length + (row.unshown?.length ?? 0));
  const finder = new BestFinder(asked, match);
  for (const text of textsOfRow(catalog, row)) {
    await work.countFolded(finder.look(text));
    if (finder.isComplete) break;
  }
  const { snippet } = finder;
  if (snippet === null) return null;
  return {
    moduleCode,
    recordId,
    title,
    snippet,
    time: time === null ? null : formatTimestamp(time.getTime()),
    match,
  };
}

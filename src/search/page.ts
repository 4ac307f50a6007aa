/** Computes one page of results in small steps, so that other requests are served in between. */

import { type Caller, noteSecretShown } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Database } from "../database/database.ts";
import { PAGE_BYTES } from "../database/page_bytes.ts";
import type { Page } from "../http/page.ts";
import { assertOrdered } from "../records/port.ts";
import { assertBuilt } from "./build_store.ts";
import { textsOfRow } from "./content.ts";
import {
  type FoundRow,
  type Matches,
  readContents,
  readMatches,
  type SearchPageQuery,
} from "./matches.ts";
import { SnippetFinder } from "./snippet.ts";

export interface PageServices {
  readonly database: Database;
  readonly catalog: Catalog;
}

export interface SearchResult {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly title: string;
  /** At most 200 code points of one of its texts. */
  readonly snippet: string;
}

/** Records whose contents are read by one statement. */
export const GROUP = 20;

/**
 * Maximum folded characters that a page examines. The record that reaches them is still shown if it
 * matches.
 */
const PAGE_CHARACTERS = 1_000_000;

/** Folded characters between turns of the event loop. */
const TURN_CHARACTERS = 50_000;

/** Half of the time that a statement may take, and that a stopping service waits for a request. */
const SEARCH_MS = 5_000;

/** A page of one read of the index. It can be short although records after it match. */
export interface PagePart extends Page<SearchResult>, Pick<Matches, "span"> {
  /** True if it ended because of the texts that it examined. */
  readonly isCut: boolean;
}

/**
 * Reads a page. It is full unless no more records match, their texts are long, or it takes 5
 * seconds; and empty only if no record matches, or if none was found in 5 seconds.
 *
 * @param milliseconds A clock that only moves forward.
 * @throws ServiceError `HTTP_503` while the index is being built.
 */
export async function readSearchPage(
  services: PageServices,
  query: SearchPageQuery,
  reader: Caller,
  milliseconds = () => performance.now(),
): Promise<Page<SearchResult>> {
  const end = milliseconds() + SEARCH_MS;
  const items: SearchResult[] = [];
  let rest = query;
  while (true) {
    const { items: found, nextCursor, span, isCut } = await readSearchPart(services, rest, reader);
    items.push(...found);
    const isEnough = items.length === query.limit || (isCut && items.length > 0);
    if (nextCursor === null || isEnough || milliseconds() >= end) return { items, nextCursor };
    await turnOfOthers();
    rest = { ...rest, after: nextCursor, span, limit: query.limit - items.length };
  }
}

/**
 * Reads the results of one read of the index. Words of audiences are complete only after the build.
 *
 * @throws ServiceError `HTTP_503` while the index is being built.
 */
export async function readSearchPart(
  { database, catalog }: PageServices,
  query: SearchPageQuery,
  reader: Caller,
): Promise<PagePart> {
  const { ids, end, span } = await database.read(async (sql): Promise<Matches> => {
    const built = query.audiences === undefined ? assertBuilt(sql) : assertOrdered(sql);
    const [, matches] = await Promise.all([built, readMatches(sql, query)]);
    return matches;
  });
  const items: SearchResult[] = [];
  const work = new PageWork();
  for (let start = 0; start < ids.length; start += GROUP) {
    const group = ids.slice(start, start + GROUP);
    for (const row of await database.read((sql) => readContents(sql, query, group))) {
      const found = await findIn(row, catalog, query, work);
      if (found !== null) {
        items.push(found);
        if (row.guard !== null) noteSecretShown(reader, row.record_id);
      }
      if (work.isDone) return { items, nextCursor: row.record_id, span, isCut: true };
    }
  }
  return { items, nextCursor: end, span, isCut: false };
}

/** Returns null if the record does not match: the index finds a few too many. */
async function findIn(
  row: FoundRow,
  catalog: Catalog,
  { words, audiences }: SearchPageQuery,
  work: PageWork,
): Promise<SearchResult | null> {
  const { module_code: moduleCode, record_id: recordId, title, payload, unshown } = row;
  work.countRead(payload.length + (unshown?.length ?? 0));
  const finder = new SnippetFinder(words);
  for (const text of textsOfRow(catalog, row, audiences)) {
    await work.countFolded(finder.look(text));
    if (finder.isComplete) break;
  }
  const { snippet } = finder;
  return snippet === null ? null : { moduleCode, recordId, title, snippet };
}

/** Counts the characters that a page reads and folds, and lets other requests be served. */
export class PageWork {
  #read = 0;
  #folded = 0;
  #foldedBeforeTurn = 0;

  /** True if the page ends after this record. */
  get isDone(): boolean {
    return this.#folded >= PAGE_CHARACTERS || this.#read >= PAGE_BYTES;
  }

  countRead(characters: number): void {
    this.#read += characters;
  }

  async countFolded(characters: number): Promise<void> {
    this.#folded += characters;
    if (this.#folded - this.#foldedBeforeTurn < TURN_CHARACTERS) return;
    await turnOfOthers();
    this.#foldedBeforeTurn = this.#folded;
  }
}

/** Yields to the event loop, which then serves other requests. */
function turnOfOthers(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

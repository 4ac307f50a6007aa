import type { Caller } from "../access/identity.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import type { PagePosition } from "../http/signed_page.ts";
import { assertOrdered } from "../records/port.ts";
import { MAX_WORDS } from "../records/search_index/words.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { type BestPosition, type BestResult, readBestPage } from "./best_page.ts";
import type { BestSearch } from "./best_candidates.ts";
import { findTags } from "./best_tags.ts";
import { askedWords, MATCHES } from "./best_words.ts";
import type { PageServices } from "./page.ts";

export const BEST_RESULT_SCHEMA: JsonSchema = component<BestResult>("BestFoundRecord", {
  moduleCode: TEXT,
  recordId: ULID,
  title: TEXT,
  snippet: TEXT,
  time: nullable(TIME),
  match: enumOf(MATCHES),
});

interface BestRequest {
  readonly q: string;
  readonly limit: number;
  /** The position of the cursor; null without one. */
  readonly position: PagePosition | null;
}

interface BestAnswer {
  readonly items: readonly BestResult[];
  /** The position of the next page's cursor; null after the last page. */
  readonly end: PagePosition | null;
}

/**
 * Searches records by words and tags, best matches first.
 *
 * @throws ServiceError `PAYLOAD_INVALID`, rule `search.words`, for too many words besides the tags;
 *   `HTTP_503` while the index is being built.
 */
export async function searchBest(
  services: PageServices,
  searched: Omit<BestSearch, "asked" | "tags">,
  request: BestRequest,
  reader: Caller,
): Promise<BestAnswer> {
  const [, { q, tags }] = await Promise.all([
    services.database.read((sql) => assertOrdered(sql)),
    findTags(services, reader, request.q),
  ]);
  const asked = askedWords(q, tags.length > 0);
  if (asked.words.length > MAX_WORDS) throw payloadInvalid(["search.words"], ["q"]);
  const after = request.position && readPosition(request.position);
  const search = { ...searched, asked, tags };
  const { items, end } = await readBestPage(services, search, after, request.limit, reader);
  return { items, end: end && positionOf(end) };
}

function positionOf({ recordId, ...data }: BestPosition): PagePosition {
  return { after: recordId, data: JSON.stringify(data) };
}

function readPosition({ after, data = "" }: PagePosition): BestPosition {
  return { ...JSON.parse(data), recordId: after };
}

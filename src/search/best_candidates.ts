/**
 * The candidates of a class in order: people, then other records.
 *
 * At most `MAX_ORDERED` records of an index are ordered by one statement. If the index has more,
 * people and others are looked for apart, and those of the class are counted. If more than
 * `MAX_ORDERED` are, they are read by a walk from the newest identifier.
 */

import type { Permission } from "../access/permissions.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { MODULE_CODES } from "../catalog/module_codes.ts";
import type { Database } from "../database/database.ts";
import type { ServedRecords } from "../records/port.ts";
import {
  closeOnlyQuery,
  neighbourLexemes,
  queryInGroup,
  type RecordGroup,
  textOnlyQuery,
  titleQuery,
} from "../records/search_index/lexemes.ts";
import { markOf } from "../records/search_index/texts.ts";
import {
  type Candidate,
  countVisible,
  findPresent,
  MAX_ORDERED,
  type Place,
  readCandidates,
  type Source,
  walkCandidates,
  type Wanted,
} from "./best_store.ts";
import { type AskedWords, type Match, titleMatch } from "./best_words.ts";
import { rangesOfBeginning, rangesOfTitle } from "./form_ranges.ts";

export interface BestSearch {
  readonly owner: string;
  readonly asked: AskedWords;
  /** For each tag its terms, of which a record has to carry one. */
  readonly tags: readonly (readonly string[])[];
  readonly modules: readonly CatalogModule[];
  readonly archived: ServedRecords["archived"];
  readonly permissions: ReadonlySet<Permission>;
}

interface ReadClass {
  readonly database: Database;
  readonly search: BestSearch;
  readonly match: Match;
}

interface Stage extends ReadClass {
  /** For CLOSE: the lexemes of neighbours that some title has. */
  readonly present: ReadonlySet<string>;
}

/** Maximum candidates of a statement for a page. */
const PART = 150;

/** Reads the candidates of a class in order, in parts. */
export async function* candidatesAfter(
  read: ReadClass,
  after: Place | null,
): AsyncGenerator<readonly Place[]> {
  const stage = { ...read, present: await findNeighbours(read) };
  if (stage.match === "CLOSE" && stage.present.size === 0) return;
  const wanted = wantedOf(stage, "BOTH");
  for (const source of after?.at === null ? [] : sourcesOf(wanted)) {
    const part = { after, limit: PART, onlyComplete: true };
    const first = await stage.database.read((sql) => readCandidates(sql, wanted, source, part));
    if (first.isComplete) return yield* fewOf(stage, wanted, source, first.rows);
  }
  if (after === null || after.isOfPeople) yield* groupAfter(stage, "PEOPLE", after);
  yield* groupAfter(stage, "OTHERS", after?.isOfPeople ? null : after);
}

async function findNeighbours(
  { database, search, match }: ReadClass,
): Promise<ReadonlySet<string>> {
  if (match !== "CLOSE") return new Set();
  const lexemes = neighbourLexemes(search.owner, search.asked.counted);
  return await database.read((sql) => findPresent(sql, lexemes));
}

async function* fewOf(
  stage: Stage,
  wanted: Wanted,
  source: Source,
  first: readonly Candidate[],
): AsyncGenerator<readonly Place[]> {
  let rows = first;
  while (true) {
    yield ofClass(stage, rows).map(placeOf);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PART) return;
    const part = { after: placeOf(last), limit: PART, onlyComplete: true };
    ({ rows } = await stage.database.read((sql) => readCandidates(sql, wanted, source, part)));
  }
}

/** The same for people or others, of whom each index may have more than it can order. */
async function* groupAfter(
  stage: Stage,
  of: "PEOPLE" | "OTHERS",
  after: Place | null,
): AsyncGenerator<readonly Place[]> {
  const wanted = wantedOf(stage, of);
  if (wanted.modules.length === 0) return;
  const isWalked = after !== null && after.at === null;
  const ordered = isWalked ? null : await readOrdered(stage, wanted);
  if (ordered !== null) {
    const places = ordered.map(placeOf);
    yield after === null ? places : places.filter((place) => isBehind(place, after));
    return;
  }
  // If the class has become too large since the last page, its walk begins at the newest record.
  for await (const rows of walk(stage, wanted, isWalked ? after.recordId : null, PART)) {
    yield rows.map((row) => ({ ...placeOf(row), at: null }));
  }
}

/** All candidates of the class in order; null if they are too many. */
async function readOrdered(stage: Stage, wanted: Wanted): Promise<readonly Candidate[] | null> {
  const { database, match } = stage;
  const needsTitles = isOfTitle(match);
  const part = { after: null, limit: MAX_ORDERED + 1, onlyComplete: !needsTitles };
  for (const source of sourcesOf(wanted)) {
    const { rows, isComplete } = await database.read((sql) =>
      readCandidates(sql, wanted, source, part)
    );
    const found = ofClass(stage, rows);
    if (isComplete) return found;
    const members = needsTitles
      ? found.length
      : await database.read((sql) => countVisible(sql, wanted, source));
    if (members > MAX_ORDERED) return null;
  }
  return await collectOrdered(stage, wanted);
}

/** The same by a walk over all records, if the indexes have too many of other classes. */
async function collectOrdered(stage: Stage, wanted: Wanted): Promise<readonly Candidate[] | null> {
  const found: Candidate[] = [];
  for await (const rows of walk(stage, wanted, null, MAX_ORDERED)) {
    found.push(...rows);
    if (found.length > MAX_ORDERED) return null;
  }
  return found.sort((a, b) => isBehind(placeOf(a), placeOf(b)) ? 1 : -1);
}

async function* walk(
  stage: Stage,
  wanted: Wanted,
  after: string | null,
  limit: number,
): AsyncGenerator<readonly Candidate[]> {
  let last = after;
  do {
    const place = last;
    const { rows, end } = await stage.database.read((sql) =>
      walkCandidates(sql, wanted, place, limit)
    );
    yield ofClass(stage, rows);
    last = end;
  } while (last !== null);
}

function placeOf({ is_of_people, placed_at, record_id }: Candidate) {
  return { isOfPeople: is_of_people, at: placed_at.getTime(), recordId: record_id };
}

/** True if the first of two places of people, or of other records, follows the second. */
function isBehind(place: Place, after: Place): boolean {
  const [at, other] = [place.at ?? 0, after.at ?? 0];
  return at < other || (at === other && place.recordId < after.recordId);
}

/** Keeps the rows whose title is of the class; all rows if texts or tags decide. */
function ofClass({ search, match }: Stage, rows: readonly Candidate[]): readonly Candidate[] {
  return isOfTitle(match)
    ? rows.filter(({ title }) => titleMatch(search.asked, title) === match)
    : rows;
}

function isOfTitle(match: Match): boolean {
  return match === "EXACT" || match === "START" || match === "TITLE";
}

function sourcesOf({ lexemes, ranges, tags }: Wanted): readonly Source[] {
  const first: Source[] = ranges !== null ? ["titles"] : lexemes !== null ? ["words"] : [];
  return tags.length > 0 ? [...first, "tags"] : first;
}

function wantedOf({ search, match, present }: Stage, of: RecordGroup["of"]): Wanted {
  const { owner, asked, tags, archived, permissions } = search;
  const modules = search.modules.filter(({ code }) =>
    of === "BOTH" || (code === "relationship") === (of === "PEOPLE")
  );
  const isLimited = search.modules.length < MODULE_CODES.length;
  const group: RecordGroup = {
    of,
    marks: isLimited ? modules.map(({ code }) => markOf(code)) : [],
    seesGuarded: permissions.has("memory.secret"),
  };
  const query = lexemesOf(search, match, present);
  return {
    owner,
    tags,
    modules,
    archived,
    permissions,
    lexemes: query === null ? null : queryInGroup(owner, query, group),
    ranges: rangesOf(asked, match),
  };
}

function rangesOf({ words }: AskedWords, match: Match): Wanted["ranges"] {
  if (match === "EXACT") return rangesOfTitle(words);
  return match === "START" ? rangesOfBeginning(words) : null;
}

function lexemesOf(
  { owner, asked: { words, counted } }: BestSearch,
  match: Match,
  present: ReadonlySet<string>,
): string | null {
  if (match === "TAG") return null;
  if (match === "TEXT") return textOnlyQuery(owner, counted);
  if (match === "CLOSE") return closeOnlyQuery(owner, counted, present);
  return titleQuery(owner, match === "TITLE" ? counted : words);
}

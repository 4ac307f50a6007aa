/**
 * Finds people by the words of their names and nicknames.
 *
 * Names are compared by the service along the order of the page, in parts, because no index has the
 * beginnings of all their forms. Other requests are served between two parts.
 */

import type { Caller } from "../../access/identity.ts";
import type { Database } from "../../database/database.ts";
import { FILTERED_PAGE_BUDGET, type Walked } from "../../database/walk.ts";
import { readNamedRoots } from "../../kit/tables.ts";
import { parsePosition, type Placed } from "../../records/port.ts";
import {
  type FormedWord,
  formedWordsOf,
  isBeginning,
} from "../../records/search_index/word_forms.ts";
import { readNicknames } from "./nicknames.ts";
import type { PersonRow } from "./person.ts";
import { type PeoplePart, type PersonName, readNames } from "./person_list.ts";
import { STORED_PEOPLE } from "./person_store.ts";

/** Parts of at most 5,000 people that a page examines. */
const MAX_PARTS = 40;

/** People of the first part, which often fill the page. */
const FIRST_PART = 500;

/**
 * Reads a page of people. Each word is the beginning of a word of the name or of a nickname. The
 * page is short only after `MAX_PARTS`.
 *
 * @throws ServiceError `HTTP_503` for an order by name while the order is being built.
 */
export async function findPeople(
  database: Database,
  reader: Caller,
  words: readonly FormedWord[],
  { limit, ...part }: PeoplePart,
): Promise<Walked<Placed<PersonRow>>> {
  const nicknames = await readNicknames(database, reader);
  const isFound = ({ person_id, person_name }: PersonName) => {
    const known = [person_name, ...nicknames.get(person_id) ?? []].flatMap(formedWordsOf);
    return words.every((word) => known.some((other) => isBeginning(word, other)));
  };
  const found: Placed<PersonName>[] = [];
  let examined: string | null = null;
  let { after } = part;
  for (let parts = 0; parts < MAX_PARTS && found.length <= limit; parts++) {
    const most = parts === 0 ? FIRST_PART : FILTERED_PAGE_BUDGET - 1;
    const names = await database.read((sql) =>
      readNames(sql, reader, { ...part, after, limit: most })
    );
    found.push(...names.rows.filter(isFound));
    examined = names.more ? names.rows.at(-1)?.position ?? null : names.examined;
    if (examined === null) break;
    after = parsePosition(examined);
  }
  const page = found.slice(0, limit);
  const people = await database.read((sql) =>
    readNamedRoots<PersonRow>(
      sql,
      STORED_PEOPLE.tables(sql),
      reader,
      page.map(({ person_id }) => person_id),
    )
  );
  // People are never removed, so those that were read are the first of the page.
  const rows = people.map((row, index) => ({ ...row, position: page[index]?.position ?? "" }));
  return { rows, more: rows.length < found.length, examined };
}

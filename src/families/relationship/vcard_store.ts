/** Reads people with everything that their vCards show. */

import type { Database } from "../../database/database.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { ReadSmallFile, SmallFile } from "../../attachments/port.ts";
import { findTagsOfRecords } from "../taxonomy/port.ts";
import { cutPart, PART } from "../../kit/export.ts";
import { type DetailRow, valueOf } from "./detail.ts";
import { findLiveDetails } from "./detail_store.ts";
import { type CardSource, writeCard } from "./vcard.ts";
import { findNotes, type FindUids, notesBytes, withLinked } from "./vcard_sources.ts";
import { PICTURE_PROPERTIES } from "./vcard_others.ts";
import type { VcardVersion } from "./vcard_text.ts";

const MAX_PICTURE_BYTES = 1024 * 1024;

interface CardServices {
  readonly database: Database;
  readonly readSmallFile: ReadSmallFile;
  readonly findUids: FindUids;
}

interface CardPerson {
  readonly person_id: string;
  readonly person_name: string;
  readonly updated_at: Date;
}

export interface Card {
  readonly personId: string;
  readonly content: string;
  /** True if it contains SECRET details or notes. */
  readonly hasSecrets: boolean;
}

export interface CardOptions {
  readonly version: VcardVersion;
  readonly includeSecret: boolean;
  readonly includeNotes: boolean;
}

/** In the order of the identifiers; without people who do not exist. */
export async function* readCards(
  { database, readSmallFile, findUids }: CardServices,
  owner: string,
  personIds: readonly string[],
  { version, includeSecret, includeNotes }: CardOptions,
): AsyncGenerator<Card> {
  if (personIds.length === 0) return;
  const [people, uids, details, notes, tags] = await database.read((sql) => {
    const people = withLinked(sql, owner, personIds);
    return Promise.all([
      findPeople(sql, owner, people),
      findUids(sql, owner, people),
      findLiveDetails(sql, owner, personIds, includeSecret),
      includeNotes ? findNotes(sql, owner, personIds, includeSecret) : [],
      findTagsOfRecords(sql, owner, personIds),
    ]);
  });
  const peopleById = new Map(people.map((person) => [person.person_id, person]));
  const names = new Map(people.map(({ person_id, person_name }) => [person_id, person_name]));
  const uidsOf = new Map(
    Array.from(Map.groupBy(uids, ({ person_id }) => person_id), ([personId, own]) => {
      return [personId, own.map(({ uid }) => uid)] as const;
    }),
  );
  const [detailsOf, notesOf, tagsOf] = [
    Map.groupBy(details, ({ person_id }) => person_id),
    Map.groupBy(notes, ({ person_id }) => person_id),
    Map.groupBy(tags, ({ record_id }) => record_id),
  ];
  for (const personId of personIds) {
    const person = peopleById.get(personId);
    if (person === undefined) continue;
    const [shown, own] = [detailsOf.get(personId) ?? [], notesOf.get(personId) ?? []];
    const source: CardSource = {
      personId,
      personName: person.person_name,
      updatedAt: person.updated_at,
      details: shown,
      notes: own.map(({ narrative }) => narrative),
      tags: (tagsOf.get(personId) ?? []).map(({ name }) => name),
      names,
      uids: uidsOf,
      pictures: await readPictures(readSmallFile, owner, shown),
    };
    const hasSecrets = shown.some(({ privacy_today }) => privacy_today === "SECRET") ||
      own.some(({ privacy }) => privacy === "SECRET");
    yield { personId, content: writeCard(source, version), hasSecrets };
  }
}

async function readPictures(
  readSmallFile: ReadSmallFile,
  owner: string,
  details: readonly DetailRow[],
): Promise<ReadonlyMap<string, SmallFile>> {
  const pictures = new Map<string, SmallFile>();
  for (const detail of details.filter(({ kind }) => kind === "OTHER")) {
    const { property, value } = valueOf(detail);
    const [, id] = /^attachment:([0-9A-Z]{26})$/.exec(String(value)) ?? [];
    if (id === undefined || !PICTURE_PROPERTIES.includes(String(property).toUpperCase())) continue;
    const file = await readSmallFile(owner, id, MAX_PICTURE_BYTES);
    if (file !== null) pictures.set(id, file);
  }
  return pictures;
}

/** @param people A query of identifiers. */
function findPeople(sql: Sql, owner: string, people: Query<object>): Query<CardPerson> {
  return sql<CardPerson>`
    select p.* from (${people}) as wanted (id) cross join lateral (
      select person_id, person_name, updated_at from people
       where owner_id = ${owner} and person_id = wanted.id offset 0) p`;
}

interface Candidate {
  readonly person_id: string;
  readonly bytes: number;
}

interface ExportedPeople {
  readonly personIds: readonly string[];
  /** True if the request names a person who is not the owner's. */
  readonly namesUnknown: boolean;
  readonly hasMore: boolean;
}

interface ExportedPage extends CardOptions {
  readonly personIds: readonly string[] | undefined;
  readonly after: string | null;
}

/**
 * People after `after`: the named ones in the order of the request, else all who are not archived.
 */
export async function readExportedPeople(
  database: Database,
  owner: string,
  { personIds: named, after, includeNotes }: ExportedPage,
): Promise<ExportedPeople> {
  return await database.read(async (sql) => {
    if (named === undefined) {
      const rows = await findCandidates(sql, owner, walkCondition(sql, after), includeNotes);
      const chosen = cutPart(rows);
      return {
        personIds: chosen.map(({ person_id }) => person_id),
        namesUnknown: false,
        hasMore: chosen.length < rows.length,
      };
    }
    const ids = sql`string_to_array(${named.join(" ")}, ' ')`;
    const rows = await findCandidates(sql, owner, sql`p.person_id = any (${ids})`, includeNotes);
    const bytes = new Map(rows.map((row) => [row.person_id, row.bytes]));
    const rest = named.slice(after === null ? 0 : named.indexOf(after) + 1);
    const chosen = cutPart(
      rest.map((person_id) => ({ person_id, bytes: bytes.get(person_id) ?? 0 })),
    );
    return {
      personIds: chosen.map(({ person_id }) => person_id),
      namesUnknown: rows.length < named.length,
      hasMore: chosen.length < rest.length,
    };
  });
}

function walkCondition(sql: Sql, after: string | null): Query<object> {
  return sql`p.status in ('ACTIVE', 'PAUSED')
    ${after === null ? sql`` : sql`and p.person_id > ${after}`}`;
}

function findCandidates(
  sql: Sql,
  owner: string,
  condition: Query<object>,
  includeNotes: boolean,
): Query<Candidate> {
  return sql<Candidate>`
    select p.person_id, octet_length(p.person_name) + coalesce(d.bytes, 0)
           + ${includeNotes ? notesBytes(sql) : sql`0`} as bytes
      from people p
      left join lateral (
        select sum(greatest(octet_length(d.value::text), octet_length(d.lines::text)))::integer
                 as bytes from person_details d
         where d.owner_id = p.owner_id and d.person_id = p.person_id) d on true
     where p.owner_id = ${owner} and ${condition}
     order by p.person_id limit ${PART.rows + 1}`;
}

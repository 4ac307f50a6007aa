/** Pages of people: filters, orders and cursors of the list and of the search. */

import type { Caller } from "../../access/identity.ts";
import { textField } from "../../catalog/field_schema.ts";
import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Query, Sql } from "../../database/sql.ts";
import type { readWalk, Walk, Walked } from "../../database/walk.ts";
import { listCursors, type SignedCursors } from "../../http/signed_page.ts";
import type { SignedInCall } from "../../http/route.ts";
import { shortRootColumns } from "../../kit/tables.ts";
import {
  assertOrdered,
  type OrderPosition,
  orderWalk,
  type Placed,
  readPlaced,
  timeWalk,
} from "../../records/port.ts";
import { type InferObject, oneOf, optional } from "../../validate/schema.ts";
import { type PersonRow, STATUSES } from "./person.ts";
import { STORED_PEOPLE } from "./person_store.ts";

export const PEOPLE_FILTER = {
  status: optional(oneOf(...STATUSES)),
  relationshipType: optional(textField(RELATIONSHIP, "relationshipType")),
  /** Archived and sealed people; by default `include`. */
  archived: optional(oneOf("exclude", "only", "include")),
};
type PeopleFilter = InferObject<typeof PEOPLE_FILTER>;

const SORTS = ["name", "-name", "lastContact", "-lastContact"] as const;
type PeopleSort = (typeof SORTS)[number];

const ANY_SORT = oneOf(...SORTS);

/** A parameter. */
export const PEOPLE_SORT = {
  ...ANY_SORT,
  json: {
    ...ANY_SORT.json,
    description:
      "`name` orders by the words of the name, without case and accents, `lastContact` " +
      "by the last contact. People without one come last, newest first.",
  },
};

/**
 * Cursors that are bound to the filter and to `more`. Those of a list without `sort` and `archived`
 * stay valid after an upgrade.
 */
export function peopleCursors(
  secret: Uint8Array,
  call: SignedInCall,
  { status, relationshipType, archived = "include" }: PeopleFilter,
  more: JsonObject,
): SignedCursors {
  return listCursors(secret, call, {
    status: status ?? null,
    relationshipType: relationshipType ?? null,
    ...(archived !== "include" && { archived }),
    ...more,
  });
}

/** Conditions on people, each starting with `and`; null if everyone is listed. */
export function conditionsOf(
  sql: Sql,
  { status, relationshipType, archived = "include" }: PeopleFilter,
): Query<object> | null {
  if (status === undefined && relationshipType === undefined && archived === "include") return null;
  return sql`
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${relationshipType === undefined ? sql`` : sql`and relationship_type = ${relationshipType}`}
    ${archived === "exclude" ? sql`and status in ('ACTIVE', 'PAUSED')` : sql``}
    ${archived === "only" ? sql`and status in ('ARCHIVED', 'SEALED')` : sql``}`;
}

/** A part of the people in an order. */
export interface PeoplePart {
  readonly filter: PeopleFilter;
  readonly sort: PeopleSort;
  readonly after: OrderPosition | null;
  readonly limit: number;
}

/** @throws ServiceError `HTTP_503` for an order by name while the order is being built. */
export async function readPeople(
  sql: Sql,
  reader: Caller,
  part: PeoplePart,
): Promise<Walked<Placed<PersonRow>>> {
  const tables = STORED_PEOPLE.tables(sql);
  return await readPart(sql, reader, part, {
    columns: shortRootColumns(sql, tables),
    long: tables.long,
  });
}

export type PersonName = Pick<PersonRow, "person_id" | "person_name">;

/** As `readPeople`, but only their names. */
export async function readNames(
  sql: Sql,
  reader: Caller,
  part: PeoplePart,
): Promise<Walked<Placed<PersonName>>> {
  return await readPart(sql, reader, part, { columns: sql`person_id, person_name`, long: null });
}

async function readPart<Row extends object>(
  sql: Sql,
  reader: Caller,
  { filter, sort, after, limit }: PeoplePart,
  { columns, long }: Pick<Parameters<typeof readWalk>[2], "columns" | "long">,
): Promise<Walked<Placed<Row>>> {
  const byName = sort === "name" || sort === "-name";
  const walk = byName ? nameWalk(sql, reader, sort, after) : contactWalk(sql, reader, sort, after);
  const [walked] = await Promise.all([
    readPlaced<Row>(sql, walk, { columns, long, conditions: conditionsOf(sql, filter), limit }),
    ...(byName ? [assertOrdered(sql)] : []),
  ]);
  return walked;
}

function nameWalk(
  sql: Sql,
  { account: { accountId: owner }, permissions }: Caller,
  sort: PeopleSort,
  after: OrderPosition | null,
): Walk {
  const order = {
    owner,
    moduleCode: RELATIONSHIP.code,
    by: "title",
    isDescending: sort.startsWith("-"),
    // A sealed person's record need not be archived.
    archived: "include",
    permissions,
    after,
  } as const;
  return orderWalk(sql, order, (id) =>
    sql`
    select * from people where owner_id = ${owner} and person_id = ${id} offset 0`);
}

function contactWalk(
  sql: Sql,
  { account: { accountId: owner } }: Caller,
  sort: PeopleSort,
  after: OrderPosition | null,
): Walk {
  return timeWalk(sql, {
    table: sql`people`,
    id: sql`person_id`,
    time: sql`last_contact_at`,
    owner,
    isDescending: sort.startsWith("-"),
    after,
  });
}

/** People of imports: their content and their rows. */

import { RELATIONSHIP } from "../../catalog/modules/relationship.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { idAfter, newId } from "../../core/ids.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { ANY_OBJECT } from "../../validate/json_schema.ts";
import { arrayOf, jsonObject, optional, readBody, type Schema } from "../../validate/schema.ts";
import type { ItemContent, NewObject } from "../../kit/import_target.ts";
import { orNull, type RowOf } from "../../kit/columns.ts";
import { fieldsBody, newColumns } from "../../kit/fields.ts";
import { json } from "../../kit/kinds.ts";
import { manyRootEntries } from "../../kit/many_roots.ts";
import { addedRows } from "../../kit/stored_ledger.ts";
import { manyProjectionEntries } from "../../records/port.ts";
import { CONTACT_FIELDS, type ContactColumns } from "./contact.ts";
import { CARD_LINES, type CardLines } from "./card_lines.ts";
import { DETAIL, DETAIL_BODY, type DetailBody, type DetailRow, newDetail } from "./detail.ts";
import { checkValue, MAX_LIVE_DETAILS, tooManyDetails } from "./detail_value.ts";
import { EXPERIENCE_FIELDS, type ExperienceColumns, newExperiences } from "./experience.ts";
import { experienceEntries } from "./experience_store.ts";
import { PERSON, type PersonRow } from "./person.ts";
import { decideCreate } from "./person_rules.ts";
import { personProjection } from "./person_store.ts";

/** A detail with the lines of its card. */
export interface ImportedDetail extends DetailBody {
  readonly lines?: CardLines;
}

const IMPORTED_DETAIL_COLUMNS = { ...DETAIL, lines: orNull(json(ANY_OBJECT, "object")) };

/** The row of a detail, and its lines as JSON. */
interface ImportedDetailRow extends DetailRow, RowOf<typeof IMPORTED_DETAIL_COLUMNS> {}

/** A new person with the entries of its ledgers. */
export interface NewPerson {
  readonly row: PersonRow;
  readonly details: readonly ImportedDetail[];
  readonly experiences: readonly ExperienceColumns[];
  readonly contacts: readonly ContactColumns[];
}

const MAX_ENTRIES = 10_000;
const IMPORTED_DETAIL = { ...DETAIL_BODY, lines: optional(CARD_LINES) };
const PRIVATE = { privacy: "PRIVATE" };

const { relationshipType, importance, desiredContactIntervalDays } = fieldsBody(RELATIONSHIP);

/** Entries without a privacy are PRIVATE. */
const PERSON_ITEM = {
  relationshipType: ownField(relationshipType),
  importance: ownField(importance),
  desiredContactIntervalDays: ownField(desiredContactIntervalDays),
  details: optional(arrayOf(jsonObject, 0, MAX_ENTRIES)),
  experiences: optional(arrayOf(jsonObject, 0, MAX_ENTRIES)),
  contacts: optional(arrayOf(jsonObject, 0, MAX_ENTRIES)),
};

/** A field whose values the policy of people checks. */
function ownField(schema: Schema<JsonValue> | undefined) {
  if (schema === undefined) throw new Error("People lack a field");
  return optional({ check: schema.check, json: schema.json });
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function decideImported({ title, payload }: ItemContent, now: Date): NewPerson {
  const { details = [], experiences = [], contacts = [], ...own } = readBody(PERSON_ITEM, payload);
  if (details.length > MAX_LIVE_DETAILS) throw tooManyDetails();
  const context = { now, recordId: "" };
  const fields = Object.fromEntries(
    Object.entries({ relationshipType: "OTHER", importance: 3, ...own, personName: title })
      .filter(([, value]) => value !== undefined),
  );
  return {
    row: decideCreate(fields as JsonObject, now),
    details: details.map((detail) => {
      const body = readBody(IMPORTED_DETAIL, { ...PRIVATE, ...detail });
      checkValue(body.kind, body.value);
      return body;
    }),
    experiences: experiences.map((each) =>
      newColumns(EXPERIENCE_FIELDS, { ...PRIVATE, ...each }, context)
    ),
    contacts: contacts.map((each) => newColumns(CONTACT_FIELDS, { ...PRIVATE, ...each }, context)),
  };
}

/** CTE of new details, conditional on the claim. */
export function manyDetailEntries(
  sql: Sql,
  owner: string,
  rows: readonly ImportedDetailRow[],
): Query<object> {
  return addedRows(sql, "person_details", IMPORTED_DETAIL_COLUMNS, owner, rows);
}

/** Details whose identifiers rise in their order, after `last`. */
export function newDetails(
  row: PersonRow,
  details: readonly ImportedDetail[],
  last: string | null = null,
): ImportedDetailRow[] {
  return details.map(({ lines, ...body }) => {
    last = idAfter(last, row.updated_at);
    const text = lines === undefined ? null : JSON.stringify(lines);
    return { ...newDetail(row, body), detail_id: last, lines: text };
  });
}

/** CTEs of people of an import with their details and experiences, conditional on the claim. */
export function manyPersonEntries(
  sql: Sql,
  owner: string,
  people: readonly (NewPerson & Pick<NewObject, "recordedAt">)[],
): Query<object> {
  const rows = people.map(({ row }) => row);
  const details = people.flatMap(({ row, details }) => newDetails(row, details));
  const experiences = people.flatMap(({ row, experiences }) =>
    newExperiences(row.person_id, experiences, row.updated_at)
  );
  const projections = people.map(({ row, recordedAt }) =>
    personProjection(row, "CREATED", { sourceType: "IMPORT", recordedAt })
  );
  return sql`
    ${manyRootEntries(sql, owner, PERSON, rows)},
    ${manyProjectionEntries(sql, owner, projections)},
    ${manyDetailEntries(sql, owner, details)},
    ${experienceEntries(sql, owner, experiences)}`;
}

/** CTE that retracts details, conditional on the claim. */
export function manyRetractionEntries(
  sql: Sql,
  owner: string,
  { person_id, revision, updated_at }: PersonRow,
  gone: readonly Pick<DetailRow, "detail_id">[],
): Query<object> {
  const rows = gone.map(({ detail_id }) => ({ control_id: newId(updated_at), detail_id }));
  return sql`
    detail_controls as (
      insert into person_detail_controls (owner_id, control_id, person_id, detail_id,
                                          person_revision, kind, recorded_at)
      select ${owner}, control_id, ${person_id}, detail_id, ${revision}::integer, 'RETRACTED',
             ${updated_at}::timestamptz
        from json_populate_recordset(null::person_detail_controls,
                                     ${JSON.stringify(rows)}::text::json)
       where (select verdict from claim) = 'GO'
    )`;
}

/** People of any status, who can be changed, or who are active or paused. */
type Standing = "ANY" | "UNSEALED" | "OPEN";

/** The owner's people among these. */
export async function findPeople(
  sql: Sql,
  owner: string,
  ids: readonly string[],
  standing: Standing,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const conditions = {
    ANY: sql``,
    UNSEALED: sql`and p.status <> 'SEALED'`,
    OPEN: sql`and p.status in ('ACTIVE', 'PAUSED')`,
  };
  const rows = await sql<{ readonly person_id: string }>`
    select p.person_id from unnest(string_to_array(${ids.join(" ")}, ' ')) as wanted (person_id)
     cross join lateral (
       select p.person_id from people p
        where p.owner_id = ${owner} and p.person_id = wanted.person_id
          ${conditions[standing]} offset 0) p`;
  return new Set(rows.map(({ person_id }) => person_id));
}

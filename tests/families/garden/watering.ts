/** An immutable ledger entry below a bed. */

import type { PlannedWrite } from "../../../src/command/command.ts";
import type { Query, Sql } from "../../../src/database/sql.ts";
import { readRows } from "../../../src/database/walk.ts";
import {
  membersOf,
  namesOf,
  type RowOf,
  shortColumns,
  showColumns,
  type ShownOf,
  valuesOf,
} from "../../../src/kit/columns.ts";
import type { LedgerEntry } from "../../../src/kit/entry.ts";
import { id, integer, revision, stamp } from "../../../src/kit/kinds.ts";
import { component } from "../../../src/validate/json_schema.ts";
import type { BedTypes } from "./bed.ts";

export const WATERING = {
  watering_id: id,
  bed_id: id,
  /** The bed's revision. */
  bed_revision: revision,
  litres: integer(1, 100),
  created_at: stamp,
};

type WateringRow = RowOf<typeof WATERING>;
type Watering = ShownOf<typeof WATERING>;

export const WATERINGS: LedgerEntry<BedTypes["key"], WateringRow, Watering> = {
  policy: "garden-watering",
  idName: "wateringId",
  schema: component("Watering", membersOf(WATERING)),
  show: (row) => showColumns(WATERING, row),
  cursorOf: (row) => row.watering_id,
  find: findWatering,
  cursor: findWatering,
  rows: (sql, { account }, { bedId }, { cursor, limit }) =>
    readRows<WateringRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from waterings
           where owner_id = ${account.accountId} and bed_id = ${bedId}
             ${cursor === null ? sql`` : sql`and watering_id < ${cursor}`}
           order by watering_id desc limit ${limit}`,
      { columns: shortColumns(sql, WATERING), long: null, limit },
    ),
};

function findWatering(
  sql: Sql,
  owner: string,
  { gardenId, bedId }: BedTypes["key"],
  id: string,
): Query<WateringRow> {
  return sql<WateringRow>`
    select ${namesOf(sql, WATERING)} from waterings
     where owner_id = ${owner} and bed_id = ${bedId} and watering_id = ${id}
       and exists (select 1 from beds
                    where owner_id = ${owner} and bed_id = ${bedId} and garden_id = ${gardenId})`;
}

export function writeWatering(owner: string, row: WateringRow): PlannedWrite<Watering> {
  return {
    subjectId: row.watering_id,
    revision: row.bed_revision,
    result: showColumns(WATERING, row),
    statement: (sql, ledger) =>
      sql`
        with ${ledger.claim},
        watering as (
          insert into waterings (owner_id, ${namesOf(sql, WATERING)})
          select ${owner}, ${valuesOf(sql, WATERING, row)} from claim where verdict = 'GO'
        ),
        ${ledger.ctes}
        select verdict, envelope from claim`,
  };
}

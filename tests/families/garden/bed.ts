/** A root below a garden. */

import type { Caller } from "../../../src/access/identity.ts";
import { newId } from "../../../src/core/ids.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Sql } from "../../../src/database/sql.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";
import {
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
  type ShownRootOf,
} from "../../../src/kit/declaration.ts";
import { newColumns } from "../../../src/kit/fields.ts";
import { id, integer, line } from "../../../src/kit/kinds.ts";
import { revisionSchema } from "../../../src/kit/list_routes.ts";
import { firstRevision } from "../../../src/kit/root.ts";
import { storedRevisions, storedRoot } from "../../../src/kit/tables.ts";
import { component } from "../../../src/validate/json_schema.ts";
import type { GardenRow, GardenTypes } from "./garden.ts";

export const BED = {
  table: "beds",
  ledger: "bed_revisions",
  fixed: { bed_id: id, garden_id: id },
  fields: { crop: line(100), plants: integer(0, 1000) },
  state: {},
} satisfies RootDeclaration;

export type BedRow = RootRowOf<typeof BED>;

export interface BedTypes {
  readonly key: GardenTypes["key"] & { readonly bedId: string };
  readonly row: BedRow;
  readonly change: "REPLANTED";
  readonly shown: ShownRootOf<typeof BED>;
}

const MEMBERS = rootMembers(BED);

export const BED_FIELDS = keptFields(BED.fields, fieldsOf(BED.fields));

const STORED = storedRoot<BedTypes>({
  module: "garden",
  policy: "garden-bed",
  keyNames: ["gardenId", "bedId"],
  ...rootParts(BED),
  schema: component("Bed", MEMBERS),
  isNamed: (sql, { gardenId, bedId }) => sql`garden_id = ${gardenId} and bed_id = ${bedId}`,
});
export const BEDS = STORED.root;

export const BED_REVISIONS = storedRevisions(
  STORED,
  revisionSchema("BedRevision", MEMBERS, ["CREATED", "REPLANTED"]),
);

/** Per garden; no constraint enforces it. */
export const MAX_BEDS = 3;

/**
 * Call while the garden is locked.
 *
 * @throws ServiceError `PAYLOAD_INVALID`; `MEMORY_STATE_CONFLICT` if the garden is archived or
 * full.
 */
export function decideBed(garden: GardenRow, body: JsonObject, now: Date, beds: number): BedRow {
  if (garden.archived_at !== null || beds >= MAX_BEDS) {
    throw new ServiceError("MEMORY_STATE_CONFLICT");
  }
  const bed_id = newId(now);
  return {
    bed_id,
    garden_id: garden.garden_id,
    ...firstRevision(now),
    ...newColumns(BED_FIELDS, body, { now, recordId: bed_id }),
  };
}

export async function countBeds(
  sql: Sql,
  { garden_id }: GardenRow,
  { account }: Caller,
): Promise<number> {
  const beds = await sql`
    select 1 from beds where owner_id = ${account.accountId} and garden_id = ${garden_id}`;
  return beds.length;
}

/** A root that can be archived. */

import { newId } from "../../../src/core/ids.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import {
  ARCHIVED,
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
  type ShownRootOf,
} from "../../../src/kit/declaration.ts";
import { newColumns } from "../../../src/kit/fields.ts";
import { id, line } from "../../../src/kit/kinds.ts";
import { firstRevision } from "../../../src/kit/root.ts";
import { storedRoot } from "../../../src/kit/tables.ts";
import { component } from "../../../src/validate/json_schema.ts";

export const GARDEN = {
  table: "gardens",
  ledger: "garden_revisions",
  fixed: { garden_id: id },
  fields: { name: line(100) },
  state: ARCHIVED,
} satisfies RootDeclaration;

export type GardenRow = RootRowOf<typeof GARDEN>;

export interface GardenTypes {
  readonly key: { readonly gardenId: string };
  readonly row: GardenRow;
  readonly change: "RENAMED";
  readonly shown: ShownRootOf<typeof GARDEN>;
}

export const GARDEN_FIELDS = keptFields(GARDEN.fields, fieldsOf(GARDEN.fields));

export const STORED_GARDENS = storedRoot<GardenTypes>({
  module: "garden",
  policy: "garden",
  keyNames: ["gardenId"],
  ...rootParts(GARDEN),
  schema: component("Garden", rootMembers(GARDEN)),
  isNamed: (sql, { gardenId }) => sql`garden_id = ${gardenId}`,
});
export const GARDENS = STORED_GARDENS.root;

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function decideGarden(body: JsonObject, now: Date): GardenRow {
  const garden_id = newId(now);
  return {
    garden_id,
    ...firstRevision(now),
    archived_at: null,
    ...newColumns(GARDEN_FIELDS, body, { now, recordId: garden_id }),
  };
}

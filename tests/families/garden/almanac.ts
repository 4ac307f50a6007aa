/** An owner's only root, without an identifier in paths. */

import { newId } from "../../../src/core/ids.ts";
import type { JsonObject } from "../../../src/core/json.ts";
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
import { firstRevision } from "../../../src/kit/root.ts";
import { storedRoot } from "../../../src/kit/tables.ts";
import type { WriteOptions } from "../../../src/kit/write.ts";
import { component } from "../../../src/validate/json_schema.ts";

export const ALMANAC = {
  table: "almanacs",
  ledger: "almanac_revisions",
  fixed: { almanac_id: id },
  fields: { motto: line(100), year: integer(1900, 2200) },
  state: {},
} satisfies RootDeclaration;

type AlmanacRow = RootRowOf<typeof ALMANAC>;

interface AlmanacTypes {
  readonly key: Readonly<Record<never, string>>;
  readonly row: AlmanacRow;
  readonly change: never;
  readonly shown: ShownRootOf<typeof ALMANAC>;
}

export const ALMANAC_FIELDS = keptFields(ALMANAC.fields, fieldsOf(ALMANAC.fields));

export const { root: ALMANACS } = storedRoot<AlmanacTypes>({
  module: "garden",
  policy: "garden-almanac",
  keyNames: [],
  ...rootParts(ALMANAC),
  schema: component("Almanac", rootMembers(ALMANAC)),
  isNamed: (sql) => sql`true`,
});

/** Refuses a second almanac. */
export const ONE_ALMANAC: WriteOptions = {
  constraints: { one_almanac_an_owner: "MEMORY_STATE_CONFLICT" },
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function decideAlmanac(body: JsonObject, now: Date): AlmanacRow {
  const almanac_id = newId(now);
  const columns = newColumns(ALMANAC_FIELDS, body, { now, recordId: almanac_id });
  return { almanac_id, ...firstRevision(now), ...columns };
}

/** IDN-005: comparisons of two states of the profile. */

import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import {
  type Comparison,
  COMPARISON_BODY,
  showComparison,
  type SideColumns,
  sideColumns,
} from "./comparison.ts";
import { COMPARISONS, type FoundSides, readSides, writeComparison } from "./comparison_store.ts";
import { PROFILES } from "./profile_store.ts";

export function createComparisonEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PROFILES, COMPARISONS, {
    append: {
      summary: "Compare two of the profile's revisions and snapshots",
      body: COMPARISON_BODY,
      example: {
        left: { kind: "PROFILE_REVISION", revision: 1 },
        right: { kind: "PROFILE_REVISION", revision: 1 },
      },
      related: (sql, _profile, body, { caller }) =>
        readSides(sql, caller.account.accountId, sideColumns(body)),
      decide: (_profile, body, { call: { caller, now }, related }) =>
        comparisonWrite(caller.account.accountId, sideColumns(body), related, now),
    },
    list: { summary: "List the comparisons, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a comparison" },
  });
}

/** @throws ServiceError `RECORD_NOT_FOUND` for a missing side. */
export function comparisonWrite(
  owner: string,
  named: SideColumns,
  { left_fields, right_fields }: FoundSides,
  now: Date,
): PlannedWrite<Comparison> {
  if (left_fields === null || right_fields === null) throw new ServiceError("RECORD_NOT_FOUND");
  const comparison_id = newId(now);
  const row = { comparison_id, ...named, left_fields, right_fields, created_at: now };
  return {
    subjectId: comparison_id,
    revision: null,
    executionId: comparison_id,
    result: showComparison(row),
    statement: (sql, ledger) => writeComparison(sql, ledger, owner, row),
  };
}

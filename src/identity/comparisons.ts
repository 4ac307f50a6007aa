/** IDN-005: comparisons of two states of a self, kept. */

import { newId } from "../core/ids.ts";
import { ServiceError } from "../errors/service_error.ts";
import { entryEndpoints } from "../family/entry.ts";
import type { FamilyServices } from "../family/write.ts";
import type { Endpoint } from "../http/route.ts";
import { COMPARISON_BODY, showComparison, sideColumns } from "./comparison.ts";
import { COMPARISONS, readSides, writeComparison } from "./comparison_store.ts";
import { PROFILES } from "./profile_store.ts";

/** The endpoints of `/comparisons`. */
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
      related: (sql, _profile, body, { identity }) =>
        readSides(sql, identity.account.accountId, sideColumns(body)),
      decide(_profile, body, { call: { identity, now }, related: { left_fields, right_fields } }) {
        if (left_fields === null || right_fields === null) {
          throw new ServiceError("RECORD_NOT_FOUND");
        }
        const comparison_id = newId(now);
        const sides = { ...sideColumns(body), left_fields, right_fields };
        const row = { comparison_id, ...sides, created_at: now };
        return {
          subjectId: comparison_id,
          revision: null,
          executionId: comparison_id,
          result: showComparison(row),
          statement: (sql, ledger) => writeComparison(sql, ledger, identity.account.accountId, row),
        };
      },
    },
    list: { summary: "List the comparisons, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a comparison" },
  });
}

/** IDN-004: snapshots of a self, of today or of the past. */

import { entryEndpoints } from "../family/entry.ts";
import type { FamilyServices } from "../family/write.ts";
import type { Endpoint } from "../http/route.ts";
import { PROFILES } from "./profile_store.ts";
import { decideSnapshot, readSnapshot, showSnapshot, SNAPSHOT_BODY } from "./snapshot.ts";
import { SNAPSHOTS, writeSnapshot } from "./snapshot_store.ts";

/** The endpoints of `/snapshots`. */
export function createSnapshotEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PROFILES, SNAPSHOTS, {
    append: {
      summary: "Freeze the present profile, or a past self, under a label",
      body: SNAPSHOT_BODY,
      example: { label: "At twenty", asOf: "2005-05-05T00:00:00Z", fields: { displayName: "Ada" } },
      missing: "IDENTITY_STATE_CONFLICT",
      check: (body, now) => void readSnapshot(body, now),
      decide(profile, body, { call: { identity, now } }) {
        const stated = readSnapshot(body, now);
        const row = decideSnapshot(profile, stated, now);
        return {
          subjectId: row.snapshot_id,
          revision: null,
          result: showSnapshot(row),
          statement: (sql, ledger) =>
            writeSnapshot(sql, ledger, identity.account.accountId, row, stated.own),
        };
      },
    },
    list: { summary: "List the snapshots, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a snapshot" },
  });
}

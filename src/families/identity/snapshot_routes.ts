/** IDN-004: snapshots of the present or a past self. */

import type { PlannedWrite } from "../../command/command.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import type { ProfileRow } from "./profile.ts";
import { PROFILES } from "./profile_store.ts";
import {
  decideSnapshot,
  type ProfileSnapshot,
  readSnapshot,
  showSnapshot,
  SNAPSHOT_BODY,
  type StatedSnapshot,
} from "./snapshot.ts";
import { PROFILE_SNAPSHOTS, writeSnapshot } from "./snapshot_store.ts";

export function createSnapshotEndpoints(
  services: FamilyServices,
): Readonly<Record<"append" | "list" | "detail", Endpoint>> {
  return entryEndpoints(services, PROFILES, PROFILE_SNAPSHOTS, {
    append: {
      summary: "Freeze the current profile, or a past self, under a label",
      body: SNAPSHOT_BODY,
      example: { label: "At twenty", asOf: "2005-05-05T00:00:00Z", fields: { displayName: "Ada" } },
      missing: "IDENTITY_STATE_CONFLICT",
      check: (body, now) => void readSnapshot(body, now),
      decide: (profile, body, { call: { caller, now } }) =>
        snapshotWrite(caller.account.accountId, profile, readSnapshot(body, now), now),
    },
    list: { summary: "List the snapshots, newest first", isEmptyWithoutRoot: true },
    detail: { summary: "Read a snapshot" },
  });
}

/** Writes a snapshot of the profile, or of the past self in the request. */
export function snapshotWrite(
  owner: string,
  profile: ProfileRow,
  stated: StatedSnapshot,
  now: Date,
): PlannedWrite<ProfileSnapshot> {
  const row = decideSnapshot(profile, stated, now);
  return {
    subjectId: row.snapshot_id,
    revision: null,
    result: showSnapshot(row),
    statement: (sql, ledger) => writeSnapshot(sql, ledger, owner, row, stated),
  };
}

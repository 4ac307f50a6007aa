/** Random records of a version 1 export, as table rows and as lines. */

import { ulid } from "@std/ulid";
import type { CatalogModule } from "../../src/catalog/module.ts";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Change } from "../../src/records/record.ts";
import { insertInto, type Row } from "../storage/rows.ts";
import { randomPayload } from "./payloads.ts";
import type { Random } from "./random.ts";

export interface LegacyRevision {
  revision: number;
  change: Change;
  title: string;
  summary: string;
  payload: JsonObject;
  archivedAt: string | null;
  createdAt: string;
}

export interface LegacyRecord {
  recordId: string;
  revisions: LegacyRevision[];
}

const MILLISECONDS_A_YEAR = 365 * DAY_MS;

/** Makes a record from the last ten years, by default with up to six revisions. */
export function randomLegacyRecord(
  module: CatalogModule,
  random: Random,
  { now, count = random.integer(1, 6) }: { readonly now: Date; readonly count?: number },
): LegacyRecord {
  let at = now.getTime() - random.integer(MILLISECONDS_A_YEAR, 10 * MILLISECONDS_A_YEAR);
  const recordId = ulid(at).slice(0, 10) + random.ulid().slice(10);
  let archivedAt: string | null = null;
  const revisions = Array.from({ length: count }, (_, index): LegacyRevision => {
    // Revisions may share a millisecond.
    if (index > 0) at += random.pick([0, 1, random.integer(1, MILLISECONDS_A_YEAR / count)]);
    const createdAt = new Date(at).toISOString();
    const change: Change = index === 0
      ? "CREATED"
      : random.pick(["MODIFIED", "ARCHIVED", "RESTORED"]);
    if (change === "ARCHIVED") archivedAt = createdAt;
    if (change === "RESTORED") archivedAt = null;
    return {
      revision: index + 1,
      change,
      title: random.text(1, 60),
      summary: random.chance(0.5) ? "" : `${random.text(1, 80)}\n${random.text(0, 20)}`,
      payload: randomPayload(module, random, { now }),
      archivedAt,
      createdAt,
    };
  });
  return { recordId, revisions };
}

/** A script that inserts them past the service, as projections or imports. */
export function insertLegacyRecords(
  owner: string,
  moduleCode: string,
  records: readonly LegacyRecord[],
  { guard = null }: { readonly guard?: string | null } = {},
): string {
  const scripts = records.map(({ recordId, revisions }) => {
    const rows: Row[] = revisions.map((each) => ({
      owner_id: owner,
      record_id: recordId,
      revision: each.revision,
      revision_id: ulid(Date.parse(each.createdAt)),
      module_code: moduleCode,
      change: each.change,
      title: each.title,
      summary: each.summary,
      payload: JSON.stringify(each.payload),
      archived_at: each.archivedAt,
      created_at: each.createdAt,
    }));
    const { change: _, created_at: updated_at = null, ...newest } = rows.at(-1) ?? {};
    const created_at = rows[0]?.created_at ?? null;
    const times = { recorded_at: created_at, created_at, updated_at };
    return [
      insertInto("records", { ...newest, ...times, source_type: "IMPORT", guard }),
      ...rows.map((row) => insertInto("record_revisions", row)),
    ].join("\n");
  });
  return scripts.join("\n");
}

export function toImportFile(records: readonly LegacyRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/**
 * Rules of a line in a file of version 1 records: one record of an export. Pure.
 *
 * Errors name rules: those of JSON, of a body's members, of the module's policy, and these:
 *
 *   line.bytes                  longer than a request's body may be
 *   file.lines                  more lines than a file may have
 *   record_id.future            the identifier's time is in the future
 *   record_id.repeated          an earlier line has the same identifier
 *   record_id.taken             the owner has something else under the identifier
 *   revisions.count             none, or more than 1,000
 *   revisions.numbers           not numbered 1, 2, 3 and so on
 *   revisions.changes           the first is not CREATED, or another one is
 *   revisions.first_created_at  the first does not have the identifier's time
 *   revisions.order             one is earlier than the one before
 *   revisions.future            one is in the future
 *   revisions.archived_at       one does not match the time of the archival
 */

import { decodeTime } from "@std/ulid";
import type { CatalogModule } from "../catalog/module.ts";
import { applyPolicy, timeNames } from "../catalog/policy.ts";
import { withClockTolerance } from "../core/clock.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { CHANGES, type ImportedRecord, RECORD_SUMMARY, RECORD_TITLE } from "../records/port.ts";
import { JSON_CEILINGS } from "../validate/json_limits.ts";
import { decodeJsonBytes } from "../validate/json_safety.ts";
import {
  checkObject,
  identifier,
  type InferObject,
  jsonObject,
  oneOf,
  readBody,
  revision,
  type Schema,
  timestamp,
  Violations,
} from "../validate/schema.ts";

const MAX_REVISIONS = 1_000;

const timestampOrNull: Schema<Date | null> = {
  check: (value, field, violations) =>
    value === null ? null : timestamp.check(value, field, violations),
  json: { type: ["string", "null"] },
};

const REVISION = {
  revision,
  change: oneOf(...CHANGES),
  title: RECORD_TITLE,
  summary: RECORD_SUMMARY,
  payload: jsonObject,
  archivedAt: timestampOrNull,
  createdAt: timestamp,
};

type Revision = InferObject<typeof REVISION>;

const revisions: Schema<readonly Revision[]> = {
  check(value, field, violations) {
    if (!Array.isArray(value) || !value.every(isJsonObject)) {
      return violations.add("field.type", field);
    }
    if (value.length < 1 || value.length > MAX_REVISIONS) violations.add("revisions.count");
    return value.map((item) => checkObject(REVISION, item, violations));
  },
  json: { type: "array" },
};

const CEILINGS = { ...JSON_CEILINGS, storedIntegers: true };
const RECORD = { recordId: identifier, revisions };

/**
 * @param now Later times are in the future.
 * @throws ServiceError `PAYLOAD_INVALID` with the names of the violated rules.
 */
export function readImportedRecord(
  module: CatalogModule,
  line: Uint8Array,
  now: Date,
): ImportedRecord {
  const record = readBody(RECORD, decodeJsonBytes(line, CEILINGS));
  const violations = new Violations();
  checkHistory(record, now, violations);
  violations.throwIfAny();
  return {
    recordId: record.recordId,
    revisions: record.revisions.map((revision) => ({
      ...revision,
      payload: JSON.stringify(policed(module, record.recordId, revision.payload, now)),
    })),
  };
}

function checkHistory(
  { recordId, revisions }: InferObject<typeof RECORD>,
  now: Date,
  violations: Violations,
): void {
  const begun = decodeTime(recordId);
  const latest = withClockTolerance(now).getTime();
  if (begun > latest) violations.add("record_id.future");
  if (revisions[0]?.createdAt.getTime() !== begun) violations.add("revisions.first_created_at");
  let before = -Infinity;
  let archivedAt: number | null = null;
  for (const [index, { revision, change, ...times }] of revisions.entries()) {
    const at = times.createdAt.getTime();
    if (change === "ARCHIVED") archivedAt = at;
    if (change === "RESTORED") archivedAt = null;
    if (revision !== index + 1) violations.add("revisions.numbers");
    if ((change === "CREATED") !== (index === 0)) violations.add("revisions.changes");
    if (at < before) violations.add("revisions.order");
    if (at > latest) violations.add("revisions.future");
    if ((times.archivedAt?.getTime() ?? null) !== archivedAt) {
      violations.add("revisions.archived_at");
    }
    before = at;
  }
}

/** The payload as the module's policy stores it. Version 1 has no zones, and keeps no clocks. */
function policed(
  module: CatalogModule,
  recordId: string,
  payload: JsonObject,
  now: Date,
): JsonObject {
  const zoned = timeNames(module).filter((name) => {
    const time = payload[name];
    return typeof time === "string" && time.includes("[");
  });
  if (zoned.length > 0) throw payloadInvalid(["field.datetime"], zoned);
  return applyPolicy(module, payload, { now, recordId, set: new Set(Object.keys(payload)) })
    .payload;
}

/** REL-007: the timeline of a person. Other writes append to it. */

import { entryReadEndpoints } from "../../kit/entry.ts";
import type { Endpoint } from "../../http/route.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { PEOPLE, type PersonTypes, type RelationshipServices } from "./person_store.ts";
import {
  findTimelineEntry,
  readTimeline,
  TIMELINE_KINDS,
  type TimelineRow,
} from "./timeline_store.ts";

interface TimelineEntry {
  readonly entryId: string;
  readonly personId: string;
  readonly kind: TimelineRow["kind"];
  readonly sourceId: string;
  readonly occurredAt: string | null;
  readonly recordedAt: string;
}

const SCHEMA: JsonSchema = component<TimelineEntry>("PersonTimelineEntry", {
  entryId: ULID,
  personId: ULID,
  kind: enumOf(TIMELINE_KINDS),
  sourceId: ULID,
  occurredAt: nullable(TIME),
  recordedAt: TIME,
});

function show(row: TimelineRow): TimelineEntry {
  return {
    entryId: row.entry_id,
    personId: row.person_id,
    kind: row.kind,
    sourceId: row.source_id,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    recordedAt: row.recorded_at.toISOString(),
  };
}

export function createTimelineEndpoints(
  services: RelationshipServices,
): Readonly<Record<"list" | "detail", Endpoint>> {
  return entryReadEndpoints<PersonTypes, TimelineRow, TimelineEntry>(services, PEOPLE, {
    idName: "entryId",
    find: (sql, owner, { personId }, id) => findTimelineEntry(sql, owner, personId, id),
    cursor: (sql, owner, { personId }, id) => findTimelineEntry(sql, owner, personId, id),
    rows: (sql, reader, { personId }, page) =>
      readTimeline(sql, reader.account.accountId, personId, page),
    cursorOf: (row) => row.entry_id,
    show,
    schema: SCHEMA,
  }, {
    list: {
      summary: "List the timeline of a person, newest first",
      signedWith: services.serverSecret,
    },
    detail: { summary: "Read a timeline entry" },
  });
}

/** REL-007: the timeline of a person. Other writes append to it. */

import { entryReadEndpoints } from "../../kit/entry.ts";
import { membersOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import type { Endpoint } from "../../http/route.ts";
import { component, type JsonSchema } from "../../validate/json_schema.ts";
import { PEOPLE, type PersonTypes, type RelationshipServices } from "./person_store.ts";
import {
  findTimelineEntry,
  readTimeline,
  TIMELINE_ENTRY,
  type TimelineRow,
} from "./timeline_store.ts";

type TimelineEntry = ShownOf<typeof TIMELINE_ENTRY>;

const SCHEMA: JsonSchema = component<TimelineEntry>(
  "PersonTimelineEntry",
  membersOf(TIMELINE_ENTRY),
);

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
    show: (row) => showColumns(TIMELINE_ENTRY, row),
    schema: SCHEMA,
  }, {
    list: {
      summary: "List the timeline of a person, newest first",
      signedWith: services.serverSecret,
    },
    detail: { summary: "Read a timeline entry" },
  });
}

/** REL-002: a person's status, its moves and their history. */

import { FIELD_LIMITS } from "../../catalog/field_types.ts";
import { newId } from "../../core/ids.ts";
import { membersOf, showColumns, type ShownOf } from "../../kit/columns.ts";
import { changeEndpoint } from "../../kit/write_routes.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import type { RootPlan } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { component, type JsonSchema, REVISION, TIME } from "../../validate/json_schema.ts";
import { oneOf, optional, revision, string } from "../../validate/schema.ts";
import { type PersonChange, type PersonRow, STATUSES } from "./person.ts";
import { decideArchive, decideRestore, decideStatus, type NextPerson } from "./person_rules.ts";
import {
  findStatusEvent,
  readStatusEvents,
  STATUS_MOVE,
  statusEventEntries,
  type StatusEventRow,
} from "./status_store.ts";
import {
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";

interface StatusEvent extends ShownOf<typeof STATUS_MOVE> {
  readonly revision: number;
  readonly createdAt: string;
}

const EVENT_SCHEMA: JsonSchema = component<StatusEvent>("PersonStatusEvent", {
  ...membersOf(STATUS_MOVE),
  revision: REVISION,
  createdAt: TIME,
});

function showEvent(row: StatusEventRow): StatusEvent {
  return {
    ...showColumns(STATUS_MOVE, row),
    revision: row.person_revision,
    createdAt: row.recorded_at.toISOString(),
  };
}

const MOVE_BODY = {
  expectedRevision: revision,
  reason: optional(string({ maximum: FIELD_LIMITS.textLength, blank: true })),
};

const STATUS_BODY = { status: oneOf(...STATUSES), ...MOVE_BODY };

export function createStatusEndpoints(
  services: RelationshipServices,
): Readonly<Record<"set" | "archive" | "restore" | "history", Endpoint>> {
  const common = { errors: ["RELATIONSHIP_STATUS_CONFLICT"], options: personOptions } as const;
  return {
    set: changeEndpoint(services, PEOPLE, {
      ...common,
      summary: "Pause, resume or seal the relationship with a person; sealing is permanent",
      body: STATUS_BODY,
      example: { status: "PAUSED", expectedRevision: 1, reason: "We need some distance." },
      decide: (person, { status, reason }, now) =>
        moved(person, decideStatus(person, status, now), reason),
    }),
    archive: changeEndpoint(services, PEOPLE, {
      ...common,
      summary: "Archive a person",
      body: MOVE_BODY,
      example: { expectedRevision: 1 },
      decide: (person, { reason }, now) => moved(person, decideArchive(person, now), reason),
    }),
    restore: changeEndpoint(services, PEOPLE, {
      ...common,
      summary: "Restore an archived person to the previous status",
      body: MOVE_BODY,
      example: { expectedRevision: 1 },
      decide: (person, { reason }, now) => moved(person, decideRestore(person, now), reason),
    }),
    history: listBelowEndpoint<PersonTypes["key"], StatusEventRow, StatusEvent>(services, PEOPLE, {
      schema: EVENT_SCHEMA,
      cursor: (sql, owner, { personId }, cursor) => findStatusEvent(sql, owner, personId, cursor),
      rows: (sql, reader, { personId }, page) =>
        readStatusEvents(sql, reader.account.accountId, personId, page),
      cursorOf: (row) => row.event_id,
      show: showEvent,
    }, {
      summary: "List the status events of a person, newest first",
      signedWith: services.serverSecret,
    }),
  };
}

export function moved(
  before: PersonRow,
  { row, change }: NextPerson,
  reason: string | undefined,
): RootPlan<PersonRow, PersonChange> {
  const event: StatusEventRow = {
    event_id: newId(row.updated_at),
    person_id: row.person_id,
    person_revision: row.revision,
    from_status: before.status,
    to_status: row.status,
    reason: reason ?? null,
    recorded_at: row.updated_at,
  };
  return { row, change, entries: (sql, owner) => statusEventEntries(sql, owner, event) };
}

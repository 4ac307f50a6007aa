/** Details of people, and their controls. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { Endpoint } from "../../http/route.ts";
import { oneOf, optional } from "../../validate/schema.ts";
import { entryEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { controlEndpoint, type ControlRoute } from "./control.ts";
import {
  assertFits,
  decideDetailControl,
  type Detail,
  DETAIL_BODY,
  DETAIL_SCHEMA,
  detailAsMade,
  type DetailBody,
  type DetailRow,
  linkedPerson,
  newDetail,
  showDetail,
} from "./detail.ts";
import {
  countLiveDetails,
  type DetailControl,
  detailControlEntry,
  detailEntry,
  findAnyDetail,
  findDetail,
  findDetailAfter,
  findLastDetailControl,
  readDetails,
} from "./detail_store.ts";
import { checkValue } from "./detail_value.ts";
import { checkControl, EVIDENCE_CONTROL_BODY } from "./evidence.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen, decideDetail } from "./person_rules.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
  STORED_PEOPLE,
} from "./person_store.ts";
import { isHidden } from "./privacy.ts";

export const DETAILS: LedgerEntry<PersonTypes["key"], DetailRow, Detail> = {
  policy: "relationship-detail",
  idName: "detailId",
  find: (sql, owner, { personId }, id) => findDetail(sql, owner, personId, id),
  cursor: (sql, owner, { personId }, id) => findDetail(sql, owner, personId, id),
  rows: (sql, reader, { personId }, page) => readDetails(sql, reader, personId, page),
  cursorOf: (row) => row.detail_id,
  show: showDetail,
  showAsMade: (row, reader) => showDetail(detailAsMade(row), reader),
  schema: DETAIL_SCHEMA,
};

export function createDetailEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...entryEndpoints<PersonTypes, DetailRow, Detail, typeof DETAIL_BODY, DetailContext>(
      services,
      PEOPLE,
      DETAILS,
      {
        append: {
          summary: "Record a detail of a person, such as a phone number",
          body: DETAIL_BODY,
          example: {
            kind: "PHONE",
            value: { value: "+49 30 1234567", types: ["cell"] },
            privacy: "PRIVATE",
          },
          errors: ["RELATIONSHIP_STATUS_CONFLICT", "RELATIONSHIP_ENTRY_CONFLICT"],
          options: personOptions,
          check: ({ kind, value }) => checkValue(kind, value),
          related: (sql, person, body, { caller }) => readContext(sql, person, body, caller),
          decide: (person, body, { call: { caller, now }, related }) =>
            detailWrite(person, body, related, caller, now),
        },
        list: {
          summary: "List the details of a person, newest first",
          signedWith: services.serverSecret,
          more: { all: optional(oneOf("true", "false")) },
        },
        detail: { summary: "Read a detail" },
      },
    ),
    control: controlEndpoint(services, DETAIL_CONTROL),
  };
}

interface DetailContext {
  /** False if the detail links to a person who is not the owner's. */
  readonly isLinkKnown: boolean;
  readonly liveCount: number;
}

async function readContext(
  sql: Sql,
  { person_id }: PersonRow,
  body: DetailBody,
  { account: { accountId: owner } }: Caller,
): Promise<DetailContext> {
  const personId = linkedPerson(body);
  const [found, liveCount] = await Promise.all([
    personId === null ? null : PEOPLE.find(sql, owner, { personId }),
    countLiveDetails(sql, owner, person_id),
  ]);
  return { isLinkKnown: found === null || found.length > 0, liveCount };
}

/**
 * Decides a detail and the person's revision that it appends.
 *
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person; errors of `assertFits`.
 */
export function detailWrite(
  person: PersonRow,
  body: DetailBody,
  context: DetailContext,
  writer: Caller,
  now: Date,
): PlannedWrite<Detail> {
  assertOpen(person);
  assertFits(person, linkedPerson(body), context);
  const owner = writer.account.accountId;
  const { row, change } = decideDetail(person, "DETAIL_RECORDED", now);
  const detail = newDetail(row, body);
  return {
    subjectId: detail.detail_id,
    revision: row.revision,
    result: showDetail(detail, writer),
    statement: (sql, ledger) =>
      entryStatement(
        sql,
        ledger,
        sql`${STORED_PEOPLE.entries(sql, owner, row, change)}, ${detailEntry(sql, owner, detail)}`,
      ),
  };
}

interface ControlledDetail {
  readonly detail: DetailRow | undefined;
  /** The owner's detail that `supersededBy` names; null if there is none. */
  readonly named: readonly DetailRow[] | null;
  readonly newest: Pick<DetailControl, "control_id"> | undefined;
}

const DETAIL_CONTROL: ControlRoute<
  typeof EVIDENCE_CONTROL_BODY,
  ControlledDetail,
  DetailRow,
  Detail
> = {
  summary: "Supersede or retract a detail, or raise its privacy",
  body: EVIDENCE_CONTROL_BODY,
  example: { kind: "RETRACTED" },
  errors: ["RELATIONSHIP_ENTRY_CONFLICT", "PRIVACY_DOWNGRADE_FORBIDDEN"],
  idName: "detailId",
  policy: "relationship-detail-control",
  schema: DETAIL_SCHEMA,
  check: checkControl,
  async related(sql, { owner, personId, entryId, body: { supersededBy } }) {
    const [[detail], named, [newest]] = await Promise.all([
      findDetail(sql, owner, personId, entryId),
      supersededBy === undefined ? null : findAnyDetail(sql, owner, supersededBy),
      findLastDetailControl(sql, owner, entryId),
    ]);
    return { detail, named, newest };
  },
  decide(person, { detail: before, named, newest }, { caller, owner, body, now }) {
    const [superseding = null] = named ?? [];
    const isUnknown = named !== null && superseding === null;
    if (before === undefined || isUnknown) throw new ServiceError("RECORD_NOT_FOUND");
    if (isHidden(before.privacy_today, caller)) throw new ServiceError("FORBIDDEN");
    const after = decideDetailControl(before, body, superseding);
    const result = showDetail(after, caller);
    if (after === before) {
      // A replay shows the detail after this control, or as created.
      const subjectId = newest?.control_id ?? before.detail_id;
      return { subjectId, revision: null, result, statement: null };
    }
    const { row, change } = decideDetail(person, "DETAIL_CONTROLLED", now);
    const control: DetailControl = {
      control_id: newId(row.updated_at),
      person_id: row.person_id,
      detail_id: before.detail_id,
      person_revision: row.revision,
      kind: body.kind,
      superseded_by: body.supersededBy ?? null,
      privacy: body.privacy ?? null,
      recorded_at: row.updated_at,
    };
    return {
      subjectId: control.control_id,
      revision: row.revision,
      result,
      statement: (sql, ledger) =>
        entryStatement(
          sql,
          ledger,
          sql`
            ${STORED_PEOPLE.entries(sql, owner, row, change)},
            ${detailControlEntry(sql, owner, control)}`,
        ),
    };
  },
  findAfter: (sql, { owner, entryId }, controlId) =>
    findDetailAfter(sql, owner, entryId, controlId),
  show: showDetail,
};

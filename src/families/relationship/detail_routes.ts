/** Details of people, and their controls. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import type { Sql } from "../../database/sql.ts";
import type { Endpoint } from "../../http/route.ts";
import { oneOf, optional } from "../../validate/schema.ts";
import { newControl } from "../../kit/controlled_ledger.ts";
import { entryEndpoints } from "../../kit/entry.ts";
import { controlEndpoint } from "./control.ts";
import {
  assertFits,
  type Detail,
  DETAIL_BODY,
  type DetailBody,
  type DetailRow,
  linkedPerson,
  newDetail,
  showDetail,
} from "./detail.ts";
import { countLiveDetails, DETAIL_LEDGER } from "./detail_store.ts";
import { checkValue } from "./detail_value.ts";
import { ledgerControl } from "./ledger_routes.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen, decideDetail } from "./person_rules.ts";
import {
  entryWrite,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";

export function createDetailEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...entryEndpoints<PersonTypes, DetailRow, Detail, typeof DETAIL_BODY, DetailContext>(
      services,
      PEOPLE,
      DETAIL_LEDGER,
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
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person; errors of
 *   `assertFits`.
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
  const next = decideDetail(person, "DETAIL_RECORDED", now);
  const detail = newDetail(next.row, body);
  return entryWrite(writer, next, {
    subjectId: detail.detail_id,
    result: showDetail(detail, writer),
    added: (sql, owner) => DETAIL_LEDGER.added(sql, owner, detail),
  });
}

const DETAIL_CONTROL = ledgerControl(DETAIL_LEDGER, {
  summary: "Supersede or retract a detail, or raise its privacy",
  readMore: () => Promise.resolve(null),
  decide(person, { detail_id }, { body, now }) {
    const next = decideDetail(person, "DETAIL_CONTROLLED", now);
    const { person_id, revision, updated_at } = next.row;
    const control = { ...newControl(body, updated_at), detail_id, person_id };
    return { control: { ...control, person_revision: revision }, next };
  },
});

/** REL-006: evidence and its controls. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { entryEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { newColumns } from "../../kit/fields.ts";
import type { Endpoint } from "../../http/route.ts";
import { controlEndpoint, type ControlRoute } from "./control.ts";
import {
  asMade,
  checkControl,
  decideControl,
  type Evidence,
  EVIDENCE_BODY,
  EVIDENCE_CONTROL_BODY,
  EVIDENCE_FIELDS,
  EVIDENCE_SCHEMA,
  type EvidenceColumns,
  type EvidenceRow,
  newEvidence,
  showEvidence,
} from "./evidence.ts";
import {
  type EvidenceControl,
  evidenceControlEntry,
  evidenceEntry,
  findAnyEvidence,
  findEvidence,
  findEvidenceAfter,
  findLastControl,
  findLastControlNumber,
  readEvidence,
} from "./evidence_store.ts";
import type { PersonRow } from "./person.ts";
import { isHidden } from "./privacy.ts";
import { assertOpen } from "./person_rules.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";

export const EVIDENCE: LedgerEntry<PersonTypes["key"], EvidenceRow, Evidence> = {
  policy: "relationship-evidence",
  idName: "evidenceId",
  find: (sql, owner, { personId }, id) => findEvidence(sql, owner, personId, id),
  cursor: (sql, owner, { personId }, id) => findEvidence(sql, owner, personId, id),
  rows: (sql, reader, { personId }, page) => readEvidence(sql, reader, personId, page),
  cursorOf: (row) => row.evidence_id,
  show: showEvidence,
  showAsMade: (row, reader) => showEvidence(asMade(row), reader),
  schema: EVIDENCE_SCHEMA,
};

export function createEvidenceEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...entryEndpoints(services, PEOPLE, EVIDENCE, {
      append: {
        summary: "Record evidence about a person",
        body: EVIDENCE_BODY,
        example: {
          stance: "SUPPORTING",
          content: "Came at once when I called at night.",
          sourceKind: "OBSERVATION",
          privacy: "PRIVATE",
          providerConsent: false,
        },
        errors: ["RELATIONSHIP_STATUS_CONFLICT"],
        options: personOptions,
        check: (body, now) => void newColumns(EVIDENCE_FIELDS, body, { now, recordId: "" }),
        decide: (person, body, { call: { caller, now } }) =>
          evidenceWrite(
            person,
            newColumns(EVIDENCE_FIELDS, body, { now, recordId: "" }),
            caller,
            now,
          ),
      },
      list: {
        summary: "List the evidence about a person, newest first",
        signedWith: services.serverSecret,
      },
      detail: { summary: "Read evidence" },
    }),
    control: controlEndpoint(services, EVIDENCE_CONTROL),
  };
}

/** @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person. */
export function evidenceWrite(
  person: PersonRow,
  columns: EvidenceColumns,
  writer: Caller,
  now: Date,
): PlannedWrite<Evidence> {
  assertOpen(person);
  const row = newEvidence(person.person_id, columns, now);
  return {
    subjectId: row.evidence_id,
    revision: null,
    result: showEvidence(row, writer),
    statement: (sql, ledger) =>
      entryStatement(sql, ledger, evidenceEntry(sql, writer.account.accountId, row)),
  };
}

interface ControlledEvidence {
  readonly evidence: EvidenceRow | undefined;
  /** The owner's evidence named by `supersededBy`; null if not given. */
  readonly named: readonly EvidenceRow[] | null;
  readonly newest: Pick<EvidenceControl, "control_id"> | undefined;
  /** Number of the newest control of any evidence about the person. */
  readonly lastNumber: number;
}

export const EVIDENCE_CONTROL: ControlRoute<
  typeof EVIDENCE_CONTROL_BODY,
  ControlledEvidence,
  EvidenceRow,
  Evidence
> = {
  summary: "Supersede or retract evidence, or raise its privacy",
  body: EVIDENCE_CONTROL_BODY,
  example: { kind: "RETRACTED" },
  errors: ["RELATIONSHIP_ENTRY_CONFLICT", "PRIVACY_DOWNGRADE_FORBIDDEN"],
  idName: "evidenceId",
  policy: "relationship-evidence-control",
  schema: EVIDENCE_SCHEMA,
  check: checkControl,
  async related(sql, { owner, personId, entryId, body: { supersededBy } }) {
    const [[evidence], named, [newest], lastNumber] = await Promise.all([
      findEvidence(sql, owner, personId, entryId),
      supersededBy === undefined ? null : findAnyEvidence(sql, owner, supersededBy),
      findLastControl(sql, owner, personId, entryId),
      findLastControlNumber(sql, owner, personId),
    ]);
    return { evidence, named, newest, lastNumber };
  },
  decide(person, { evidence: before, named, newest, lastNumber }, controlling) {
    const { caller, owner, body, now } = controlling;
    const [superseding = null] = named ?? [];
    const isUnknown = named !== null && superseding === null;
    if (before === undefined || isUnknown) throw new ServiceError("RECORD_NOT_FOUND");
    if (isHidden(before.privacy_today, caller)) throw new ServiceError("FORBIDDEN");
    const after = decideControl(before, body, superseding);
    const result = showEvidence(after, caller);
    if (after === before) {
      // A replay shows the evidence after this control, or as created.
      const subjectId = newest?.control_id ?? before.evidence_id;
      return { subjectId, revision: null, result, statement: null };
    }
    const control: EvidenceControl = {
      control_id: newId(now),
      evidence_id: before.evidence_id,
      person_id: person.person_id,
      control_number: lastNumber + 1,
      kind: body.kind,
      superseded_by: body.supersededBy ?? null,
      privacy: body.privacy ?? null,
      recorded_at: now,
    };
    return {
      subjectId: control.control_id,
      revision: null,
      result,
      statement: (sql, ledger) =>
        entryStatement(sql, ledger, evidenceControlEntry(sql, owner, control)),
    };
  },
  findAfter: (sql, { owner, personId, entryId }, controlId) =>
    findEvidenceAfter(sql, owner, personId, entryId, controlId),
  show: showEvidence,
};

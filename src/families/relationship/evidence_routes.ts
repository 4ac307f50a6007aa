/** REL-006: evidence and its controls. */

import type { Caller } from "../../access/identity.ts";
import type { PlannedWrite } from "../../command/command.ts";
import { newControl } from "../../kit/controlled_ledger.ts";
import type { Endpoint } from "../../http/route.ts";
import { controlEndpoint } from "./control.ts";
import {
  type Evidence,
  EVIDENCE_BODY,
  EVIDENCE_FIELDS,
  type EvidenceColumns,
  newEvidence,
  showEvidence,
} from "./evidence.ts";
import { EVIDENCE_LEDGER, findLastControlNumber } from "./evidence_store.ts";
import { fieldEntryEndpoints, ledgerControl } from "./ledger_routes.ts";
import type { PersonRow } from "./person.ts";
import { assertOpen } from "./person_rules.ts";
import { entryWrite, type RelationshipServices } from "./person_store.ts";

export function createEvidenceEndpoints(
  services: RelationshipServices,
): Readonly<Record<"append" | "list" | "detail" | "control", Endpoint>> {
  return {
    ...fieldEntryEndpoints(services, EVIDENCE_LEDGER, {
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
      },
      list: "List the evidence about a person, newest first",
      detail: "Read evidence",
      kept: EVIDENCE_FIELDS,
      write: evidenceWrite,
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
  return entryWrite(writer, null, {
    subjectId: row.evidence_id,
    result: showEvidence(row, writer),
    added: (sql, owner) => EVIDENCE_LEDGER.added(sql, owner, row),
  });
}

export const EVIDENCE_CONTROL = ledgerControl(EVIDENCE_LEDGER, {
  summary: "Supersede or retract evidence, or raise its privacy",
  readMore: findLastControlNumber,
  decide: ({ person_id }, { evidence_id }, { body, now }, lastNumber) => ({
    control: { ...newControl(body, now), evidence_id, person_id, control_number: lastNumber + 1 },
    next: null,
  }),
});

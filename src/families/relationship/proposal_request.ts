/** REL-005: request of a proposal, for a worker. */

import { systemCaller } from "../../access/identity.ts";
import type { Command, PlannedWrite } from "../../command/command.ts";
import { auditEntries } from "../../command/statements.ts";
import type { Sql } from "../../database/sql.ts";
import { findSourceEntries } from "./evidence_store.ts";
import type { PersonRow } from "./person.ts";
import { type Proposal, showProposal } from "./proposal.ts";
import { decideSuperseded, moveTo, newProposal, systemOperation } from "./proposal_rules.ts";
import {
  type LockedProposal,
  lockOpenProposal,
  moveAhead,
  proposalEntries,
  releaseLastLease,
} from "./proposal_store.ts";
import { assertOpen } from "./person_rules.ts";
import { type SourceEntry, type Sources, takenEntries } from "./sources.ts";
import { entryStatement } from "../../kit/write.ts";

interface Requested {
  /** The proposal that may still be open. */
  readonly open: LockedProposal | undefined;
  readonly entries: readonly SourceEntry[];
}

/** Call it only while the person is locked. */
export async function readRequested(sql: Sql, owner: string, personId: string): Promise<Requested> {
  const [[open], entries] = await Promise.all([
    lockOpenProposal(sql, owner, personId),
    findSourceEntries(sql, owner, personId, false),
  ]);
  return { open, entries };
}

/**
 * @param processId Identifies this process in the audit entry if the open proposal is closed.
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person;
 *   `RELATIONSHIP_PROPOSAL_CONFLICT` if another proposal is open and cannot be closed.
 */
export function proposalWrite(
  command: Command,
  processId: string,
  person: PersonRow,
  { open, entries }: Requested,
  providerConsent: boolean,
): PlannedWrite<Proposal> {
  assertOpen(person);
  const { caller, now } = command;
  const owner = caller.account.accountId;
  const sources = { person, entries };
  const preceding = open === undefined ? {} : supersede(command, processId, open, sources);
  const row = newProposal(sources, providerConsent, now);
  const taken = takenEntries(sources).map((entry) => entry.evidence_id);
  return {
    subjectId: row.proposal_id,
    revision: null,
    result: showProposal(row, caller, now),
    ...preceding,
    statement: (sql, ledger) =>
      entryStatement(sql, ledger, proposalEntries(sql, owner, row, taken)),
  };
}

function supersede(
  command: Command,
  processId: string,
  open: LockedProposal,
  sources: Sources,
): Pick<PlannedWrite<Proposal>, "preceding" | "precedingOperation"> {
  const { caller: { account }, now } = command;
  const way = decideSuperseded(open, sources, now);
  if (way === "RELEASED") {
    return { preceding: (sql) => [releaseLastLease(sql, account.accountId, open)] };
  }
  const move = moveTo(open, way, now);
  const operation = systemOperation(way);
  const audited = { ...command, operation, caller: systemCaller(account, processId, now) };
  return {
    precedingOperation: operation,
    preceding: (sql) => [
      moveAhead(sql, account.accountId, move),
      auditEntries(sql, audited, [{ subjectId: open.proposal_id, revision: null }]),
    ],
  };
}

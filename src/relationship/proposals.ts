/** REL-005: proposals of evaluations. A request makes one, a worker readies it, the owner decides on it. */

import { systemIdentity } from "../access/identity.ts";
import type { Command, Write } from "../command/command.ts";
import { auditEntries } from "../command/statements.ts";
import type { Sql } from "../database/sql.ts";
import { appendEntry, type Entry, entryReadEndpoints } from "../family/entry.ts";
import { listBelowEndpoint } from "../family/lists.ts";
import { readOnlyKey } from "../family/route.ts";
import { familyCommand } from "../family/write.ts";
import { bodyOf } from "../http/contract.ts";
import { accepted, replying } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { boolean, readBody } from "../validate/schema.ts";
import { controlEndpoint } from "./control.ts";
import { findSourceEntries } from "./evidence_store.ts";
import type { PersonRow } from "./person.ts";
import {
  asRequested,
  type Proposal,
  PROPOSAL_EVENT_SCHEMA,
  PROPOSAL_SCHEMA,
  type ProposalEvent,
  type ProposalEventRow,
  type ProposalRow,
  showProposal,
  showProposalEvent,
} from "./proposal.ts";
import { CONFIRMATION, REJECTION } from "./proposal_decisions.ts";
import { decideGivingWay, moveTo, newProposal, systemOperation } from "./proposal_rules.ts";
import {
  findProposal,
  findProposalEvent,
  type LockedProposal,
  lockOpenProposal,
  moveAhead,
  proposalEntries,
  readProposalEvents,
  readProposals,
  releaseLastLease,
} from "./proposal_store.ts";
import { assertOpen } from "./rules.ts";
import { type SourceEntry, type Sources, takenEntries } from "./sources.ts";
import {
  entryStatement,
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./store.ts";

export const PROPOSALS: Entry<PersonTypes["key"], ProposalRow, Proposal> = {
  policy: "relationship-proposal",
  idName: "proposalId",
  find: (sql, owner, { personId }, id) => findProposal(sql, owner, personId, id),
  cursor: (sql, owner, { personId }, id) => findProposal(sql, owner, personId, id),
  rows: (sql, reader, { personId }, page) => readProposals(sql, reader, personId, page),
  cursorOf: (row) => row.proposal_id,
  show: showProposal,
  showAsMade: (row, reader, now) => showProposal(asRequested(row), reader, now),
  schema: PROPOSAL_SCHEMA,
};

/** What names a proposal in a path. */
type ProposalKey = PersonTypes["key"] & { readonly proposalId: string };

const BODY = { providerConsent: boolean };

/** The endpoints of `/people/{personId}/proposals`. */
export function createProposalEndpoints(
  services: RelationshipServices,
): Readonly<
  Record<"request" | "list" | "detail" | "events" | "confirm" | "reject", Endpoint>
> {
  const signedWith = services.serverSecret;
  return {
    request: createRequest(services),
    ...entryReadEndpoints(services, PEOPLE, PROPOSALS, {
      list: { summary: "List the proposals about a person, newest first", signedWith },
      detail: { summary: "Read a proposal" },
    }),
    events: listBelowEndpoint<ProposalKey, ProposalEventRow, ProposalEvent>(services, {
      keyNames: ["personId", "proposalId"],
      find: (sql, owner, { personId, proposalId }) =>
        findProposal(sql, owner, personId, proposalId),
    }, {
      schema: PROPOSAL_EVENT_SCHEMA,
      cursor: (sql, owner, { personId, proposalId }, cursor) =>
        findProposalEvent(sql, owner, personId, proposalId, cursor),
      rows: (sql, reader, { personId, proposalId }, page) =>
        readProposalEvents(sql, reader.account.accountId, personId, proposalId, page),
      cursorOf: (row) => row.event_id,
      show: showProposalEvent,
    }, { summary: "List the steps of a proposal, newest first", signedWith }),
    confirm: controlEndpoint(services, CONFIRMATION),
    reject: controlEndpoint(services, REJECTION),
  };
}

function createRequest(services: RelationshipServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Request a proposal of an evaluation, which a worker makes later",
      body: bodyOf(BODY, { providerConsent: false }),
      responses: { 202: { data: PROPOSAL_SCHEMA } },
      errors: [
        "RECORD_NOT_FOUND",
        "RELATIONSHIP_STATUS_CONFLICT",
        "RELATIONSHIP_PROPOSAL_CONFLICT",
      ],
    },
    body: "json",
    parse: (call): PersonTypes["key"] => readOnlyKey(call, PEOPLE.keyNames),
    async handle(call) {
      const { identity, parsed: key } = call;
      const { providerConsent } = readBody(BODY, call.body);
      const { module } = PEOPLE;
      const { policy } = PROPOSALS;
      const command = familyCommand(call, { module, policy, target: key.personId });
      const { processId } = services.commands;
      const { result, id, replayed } = await appendEntry(services, PEOPLE, PROPOSALS, command, {
        key,
        related: (sql) => readRequested(sql, identity.account.accountId, key.personId),
        decide: (person, requested) =>
          proposalWrite(command, processId, person, requested, providerConsent),
        options: personOptions(call),
      });
      if (!replayed) services.proposalRequested();
      return replying(accepted(result, `${call.path}/${id}`), replayed);
    },
  });
}

/** What a new proposal depends on. */
export interface Requested {
  /** The proposal that may still be open. */
  readonly open: LockedProposal | undefined;
  readonly entries: readonly SourceEntry[];
}

/** Reads it, behind the person's lock. */
export async function readRequested(sql: Sql, owner: string, personId: string): Promise<Requested> {
  const [[open], entries] = await Promise.all([
    lockOpenProposal(sql, owner, personId),
    findSourceEntries(sql, owner, personId, false),
  ]);
  return { open, entries };
}

/**
 * Decides a new proposal.
 *
 * @param processId Names the process where the service itself moves the proposal before it.
 * @throws ServiceError `RELATIONSHIP_STATUS_CONFLICT` for an archived person;
 * `RELATIONSHIP_PROPOSAL_CONFLICT` while another proposal is open that does not give way.
 */
export function proposalWrite(
  command: Command,
  processId: string,
  person: PersonRow,
  { open, entries }: Requested,
  providerConsent: boolean,
): Write<Proposal> {
  assertOpen(person);
  const { identity, now } = command;
  const owner = identity.account.accountId;
  const sources = { person, entries };
  const preceding = open === undefined ? {} : givingWay(command, processId, open, sources);
  const row = newProposal(sources, providerConsent, now);
  const taken = takenEntries(sources).map((entry) => entry.evidence_id);
  return {
    subjectId: row.proposal_id,
    revision: null,
    result: showProposal(row, identity, now),
    ...preceding,
    statement: (sql, ledger) =>
      entryStatement(sql, ledger, proposalEntries(sql, owner, row, taken)),
  };
}

/** How the open proposal gives way, in statements ahead of the new one's. */
function givingWay(
  command: Command,
  processId: string,
  open: LockedProposal,
  sources: Sources,
): Pick<Write<Proposal>, "preceding" | "precedingOperation"> {
  const { identity: { account }, now } = command;
  const way = decideGivingWay(open, sources, now);
  if (way === "RELEASED") {
    return { preceding: (sql) => [releaseLastLease(sql, account.accountId, open)] };
  }
  const move = moveTo(open, way, now);
  const operation = systemOperation(way);
  const audited = { ...command, operation, identity: systemIdentity(account, processId, now) };
  return {
    precedingOperation: operation,
    preceding: (sql) => [
      moveAhead(sql, account.accountId, move),
      auditEntries(sql, audited, [{ subjectId: open.proposal_id, revision: null }]),
    ],
  };
}

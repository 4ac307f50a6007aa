/** REL-005: proposals. A request creates one, a worker readies it, the owner decides. */

import { appendEntry, entryReadEndpoints, type LedgerEntry } from "../../kit/entry.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { readOnlyKey } from "../../kit/route.ts";
import { commandOf } from "../../command/command.ts";
import { bodyOf } from "../../http/contract.ts";
import { accepted, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { boolean, readBody } from "../../validate/schema.ts";
import { controlEndpoint } from "./control.ts";
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
import { proposalWrite, readRequested } from "./proposal_request.ts";
import {
  findProposal,
  findProposalEvent,
  readProposalEvents,
  readProposals,
} from "./proposal_store.ts";
import {
  PEOPLE,
  personOptions,
  type PersonTypes,
  type RelationshipServices,
} from "./person_store.ts";

export const PROPOSALS: LedgerEntry<PersonTypes["key"], ProposalRow, Proposal> = {
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

type ProposalKey = PersonTypes["key"] & { readonly proposalId: string };

const BODY = { providerConsent: boolean };

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
      summary: "Request an evaluation proposal, which a worker creates later",
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
      const { caller, parsed: key } = call;
      const { providerConsent } = readBody(BODY, call.body);
      const { module } = PEOPLE;
      const { policy } = PROPOSALS;
      const command = commandOf(call, { module, policy, target: key.personId });
      const { processId } = services.commands;
      const { result, id, replayed } = await appendEntry(services, PEOPLE, PROPOSALS, command, {
        key,
        related: (sql) => readRequested(sql, caller.account.accountId, key.personId),
        decide: (person, requested) =>
          proposalWrite(command, processId, person, requested, providerConsent),
        options: personOptions(call),
      });
      if (!replayed) services.proposalRequested();
      return replying(accepted(result, `${call.path}/${id}`), replayed);
    },
  });
}

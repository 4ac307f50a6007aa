/** `/api/v2/proposals`: the owner reads, accepts and rejects proposals of assistants. */

import type { AttachmentReferences } from "../attachments/port.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Command, commandOf } from "../command/command.ts";
import type { ClaimRow, Ledger } from "../command/ledger.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { databaseFailure } from "../database/failures.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AI_DRAFT_COMMAND, keepAiDraft } from "../families/memory/port.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, toWalkedPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import {
  changeRecord,
  checkModify,
  CREATE_BODY,
  createRecord,
  decideCreate,
  decideModify,
  type MODIFY_BODY,
} from "../records/port.ts";
import {
  identifier,
  type InferObject,
  oneOf,
  optional,
  readBody,
  readQuery,
} from "../validate/schema.ts";
import {
  type AssistantProposalRow,
  bodyOfProposal,
  DECIDED_ONCE,
  findProposal,
  listProposals,
  PROPOSAL_SCHEMA,
  PROPOSAL_STATES,
  proposalEvent,
  toProposal,
} from "./proposal.ts";

export interface ProposalServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly commands: CommandRunner;
  readonly attachments: AttachmentReferences;
}

export type ProposalEndpoints = Readonly<Record<"list" | "detail" | "accept" | "reject", Endpoint>>;

const LIST_QUERY = {
  ...PAGE_QUERY,
  state: optional(oneOf(...PROPOSAL_STATES)),
  assistantId: optional(identifier),
};

export function createProposalEndpoints(services: ProposalServices): ProposalEndpoints {
  return {
    list: listEndpoint(services),
    detail: endpoint({
      contract: {
        summary: "Read a proposal of an assistant",
        responses: { 200: { data: PROPOSAL_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyPathId(call, "proposalId"),
      handle: async (call) => ok(toProposal(await readProposal(services, call))),
    }),
    accept: decisionEndpoint(services, "Accept a proposal and write its change", accept),
    reject: decisionEndpoint(services, "Reject a proposal", reject),
  };
}

function listEndpoint({ database }: ProposalServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List proposals of assistants by state, newest first",
      query: LIST_QUERY,
      responses: { 200: { data: pageOf(PROPOSAL_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readQuery(LIST_QUERY, query),
    async handle({ parsed, caller: { account: { accountId: owner } }, now }) {
      const { state = "PENDING", assistantId = null, cursor = null, limit } = parsed;
      const query = { state, assistantId, cursor, limit: limit ?? PAGE_LIMIT.standard };
      const walked = await database.read(async (sql) => {
        const [known, walked] = await Promise.all([
          cursor === null ? null : findProposal(sql, owner, cursor, now),
          listProposals(sql, owner, query, now),
        ]);
        if (known?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        return walked;
      });
      return ok(toWalkedPage(walked, toProposal, (row) => row.proposal_id));
    },
  });
}

/** Decides a pending proposal, or replays an earlier decision. */
type Decide = (
  services: ProposalServices,
  call: CheckedCall<string>,
  proposal: AssistantProposalRow,
) => Promise<{ readonly replayed: boolean }>;

function decisionEndpoint(services: ProposalServices, summary: string, decide: Decide): Endpoint {
  return endpoint({
    contract: {
      summary,
      responses: { 200: { data: PROPOSAL_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "PROPOSAL_STATE_CONFLICT", "FORBIDDEN"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "proposalId"),
    async handle(call) {
      const proposal = await readProposal(services, call);
      const isMemory = proposal.kind === "MEMORY_TEXT";
      const needed = isMemory ? "memory.write" : "record.write";
      if (!call.caller.permissions.has(needed)) throw new ServiceError("FORBIDDEN");
      const { replayed } = await decide(services, call, proposal).catch((error) => {
        throw isLost(error) ? stateConflict(call) : error;
      });
      return replying(ok(toProposal(await readProposal(services, call))), replayed);
    },
  });
}

/** @throws ServiceError `RECORD_NOT_FOUND`. */
async function readProposal(
  { database }: ProposalServices,
  { parsed: id, caller: { account: { accountId } }, now }: CheckedCall<string>,
): Promise<AssistantProposalRow> {
  const [row] = await database.read(async (sql) => await findProposal(sql, accountId, id, now));
  if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  return row;
}

/** Returns whether another decision, or another change of the record, was first. */
function isLost(error: unknown): boolean {
  return databaseFailure(error)?.constraint === DECIDED_ONCE ||
    (error instanceof ServiceError && error.code === "REVISION_CONFLICT");
}

function stateConflict({ operation }: Pick<Command, "operation">): ServiceError {
  return new ServiceError("PROPOSAL_STATE_CONFLICT", { details: { operation } });
}

/** Runs the ordinary operation of a proposal's kind. */
type Accept = (
  services: ProposalServices,
  call: CheckedCall<string>,
  proposal: AssistantProposalRow,
  command: Command,
) => Promise<{ readonly replayed: boolean }>;

const RECORD_WRITE = { policy: "record", frozen: true } as const;

const acceptRecord: Accept = async (services, call, proposal, command) => {
  const module = moduleOf(services, proposal);
  const creation = { ...command, ...RECORD_WRITE, operation: "record.create" };
  return await createRecord(services, creation, () => {
    assertPending(call, proposal);
    return decideCreate(module, readBody(CREATE_BODY, bodyOfProposal(proposal)), call.now);
  });
};

const acceptChange: Accept = async (services, call, proposal, command) => {
  const { catalog } = services;
  const { now } = call;
  const { expectedRevision, recordId } = targetOf(proposal);
  const module = moduleOf(services, proposal);
  const body = {
    ...bodyOfProposal<InferObject<typeof MODIFY_BODY>>(proposal),
    expectedRevision,
  };
  const change = { ...command, ...RECORD_WRITE, operation: "record.modify" };
  return await changeRecord(services, change, {
    check() {
      assertPending(call, proposal);
      checkModify(module, body, { now, recordId });
    },
    decide: (root) => decideModify(catalog, module, root, body, now),
  }, recordId);
};

const acceptMemoryText: Accept = async (services, call, proposal, command) => {
  const { expectedRevision, recordId } = targetOf(proposal);
  const { aiDraft } = bodyOfProposal<{ aiDraft: string }>(proposal);
  const body = { expectedRevision, aiDraft, provider: proposal.assistant_name };
  const draft = { ...command, ...AI_DRAFT_COMMAND };
  return await keepAiDraft(services, draft, recordId, body, () => assertPending(call, proposal));
};

const ACCEPT: Readonly<Record<AssistantProposalRow["kind"], Accept>> = {
  RECORD: acceptRecord,
  CHANGE: acceptChange,
  MEMORY_TEXT: acceptMemoryText,
};

/** Runs the ordinary operation, and decides the proposal in the same statement. */
const accept: Decide = async (services, call, proposal) => {
  const owner = call.caller.account.accountId;
  const command: Command = {
    ...decisionCommand(call, proposal),
    acceptance: {
      assistantId: proposal.assistant_id,
      entries: (sql, written) => proposalEvent(sql, owner, eventOf(call), written),
    },
  };
  return await ACCEPT[proposal.kind](services, call, proposal, command);
};

function moduleOf({ catalog }: ProposalServices, { module_code }: AssistantProposalRow) {
  const module = catalog.module(module_code);
  if (module === undefined) throw new Error("A stored proposal's module is not in the catalog");
  return module;
}

/** The record to change, and its revision when the change was proposed. */
function targetOf({ target, expected_revision }: AssistantProposalRow) {
  return { recordId: target ?? "", expectedRevision: expected_revision ?? 0 };
}

/** Rejects a proposal, also during a maintenance window. */
const reject: Decide = async ({ commands }, call, proposal) => {
  const owner = call.caller.account.accountId;
  return await commands.run<never, null>(decisionCommand(call, proposal), {
    decide() {
      assertPending(call, proposal);
      return {
        subjectId: proposal.proposal_id,
        revision: null,
        result: null,
        statement: (sql: Sql, ledger: Ledger) =>
          sql<ClaimRow>`
            with ${ledger.claim}, ${proposalEvent(sql, owner, eventOf(call), null)}, ${ledger.ctes}
            select verdict, envelope from claim`,
      };
    },
    replay: () => Promise.resolve(null),
  });
};

function eventOf({ parsed: proposalId, now }: CheckedCall<string>) {
  return { proposalId, now };
}

function decisionCommand(
  call: CheckedCall<string>,
  { module_code }: AssistantProposalRow,
): Command {
  return commandOf(call, { module: module_code, target: call.parsed, policy: "proposal" });
}

/** Call it after the claim of the key, so that replays succeed. */
function assertPending(call: CheckedCall<string>, { state }: AssistantProposalRow): void {
  if (state !== "PENDING") throw stateConflict(call);
}

/** Tools for proposals. None of them changes a record. */

import type { CatalogModule } from "../catalog/module.ts";
import { commandOf } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import { newId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, tooMany } from "../errors/service_error.ts";
import { assertRevision } from "../kit/root.ts";
import { AI_DRAFT } from "../families/memory/port.ts";
import {
  checkModify,
  CREATE_BODY,
  decideCreate,
  decideModify,
  MODIFY_BODY,
  requireGenericWrite,
} from "../records/port.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { lockAssistant } from "./assistant_store.ts";
import { enumOf, objectOf, TIME, ULID } from "../validate/json_schema.ts";
import { identifier, type InferObject, revision, Violations } from "../validate/schema.ts";
import { findVisible, lentModule, showsText } from "./lent.ts";
import {
  expiryOf,
  insertProposal,
  type NewAssistantProposal,
  pendingProposals,
  PROPOSAL_STATES,
} from "./proposal.ts";
import {
  MODULE_CODE,
  type Tool,
  tool,
  type ToolAnswer,
  type ToolContext,
  type ToolServices,
} from "./tool.ts";

export interface ProposingServices extends ToolServices {
  readonly commands: CommandRunner;
}

/** Maximum pending proposals of an assistant. */
const MAX_PENDING = 50;

const OUTPUT = objectOf({ proposalId: ULID, state: enumOf(PROPOSAL_STATES), expiresAt: TIME });
const NOTE = "Nothing is written until the owner accepts the proposal in the console.";

/** In the order of the contract. */
export function createProposingTools(services: ProposingServices): readonly Tool[] {
  return [proposeRecord(services), proposeChange(services), proposeMemoryText(services)];
}

function proposeRecord(services: ProposingServices): Tool {
  const { catalog } = services;
  return tool({
    name: "propose_record",
    title: "Propose a record",
    description: `Proposes a new record of a module. ${NOTE}`,
    input: { moduleCode: MODULE_CODE, ...CREATE_BODY },
    output: OUTPUT,
    proposes: true,
    moduleOf: ({ moduleCode }) => moduleCode,
    async run({ moduleCode, ...body }, context) {
      const module = lentModule(context.lent, moduleCode);
      requireGenericWrite(catalog, moduleCode, "record.create", "createCode");
      const target = { kind: "RECORD", target: null, expected_revision: null } as const;
      return await propose(services, context, { module, ...target, body }, () => {
        refuseFields(module, body.payload, "proposal.file_field", isFile);
        decideCreate(module, body, context.now);
      });
    },
  });
}

const { expectedRevision: _, ...CHANGE_BODY } = MODIFY_BODY;

function proposeChange(services: ProposingServices): Tool {
  const { catalog } = services;
  return tool({
    name: "propose_change",
    title: "Propose a change",
    description: `Proposes to set or remove fields of a record. ${NOTE}`,
    input: {
      moduleCode: MODULE_CODE,
      recordId: identifier,
      expectedRevision: revision,
      ...CHANGE_BODY,
    },
    output: OUTPUT,
    proposes: true,
    moduleOf: ({ moduleCode }) => moduleCode,
    async run({ moduleCode, recordId, expectedRevision, ...body }, context) {
      const { lent, now } = context;
      const module = lentModule(lent, moduleCode);
      requireGenericWrite(catalog, moduleCode, "record.modify", "changeCode");
      const target = {
        kind: "CHANGE",
        target: recordId,
        expected_revision: expectedRevision,
      } as const;
      return await propose(services, context, { module, ...target, body }, async (sql) => {
        const row = await findVisible(sql, catalog, lent, module, recordId);
        assertRevision(row, expectedRevision);
        checkChange(module, body, context);
        checkModify(module, body, { now, recordId });
        const { change } = decideModify(catalog, module, row, { ...body, expectedRevision }, now);
        if (change === null) throw payloadInvalid(["proposal.no_change"]);
      });
    },
  });
}

function proposeMemoryText(services: ProposingServices): Tool {
  const { catalog } = services;
  return tool({
    name: "propose_memory_text",
    title: "Propose a text for a memory",
    description: `Proposes a draft next to the text of a memory. ${NOTE}`,
    input: { memoryId: identifier, expectedRevision: revision, aiDraft: AI_DRAFT },
    output: OUTPUT,
    proposes: true,
    moduleOf: () => "memory",
    async run({ memoryId, expectedRevision, ...body }, context) {
      const module = lentModule(context.lent, "memory");
      const target = { target: memoryId, expected_revision: expectedRevision };
      const proposed = { module, kind: "MEMORY_TEXT", ...target, body } as const;
      return await propose(services, context, proposed, async (sql) => {
        const row = await findVisible(sql, catalog, context.lent, module, memoryId);
        assertRevision(row, expectedRevision);
      });
    },
  });
}

/** @throws ServiceError `PAYLOAD_INVALID` for a forbidden field, or an empty change. */
function checkChange(
  module: CatalogModule,
  { title, summary, payload = {}, payloadRemove = [] }: InferObject<typeof CHANGE_BODY>,
  { lent: { rights } }: ToolContext,
): void {
  refuseFields(module, payload, "proposal.file_field", isFile);
  const changed = { ...payload, ...Object.fromEntries(payloadRemove.map((name) => [name, null])) };
  const isHidden = ({ name }: Field) => !showsText(rights, module, name);
  refuseFields(module, changed, "proposal.hidden_field", isHidden);
  const isNamed = title !== undefined || summary !== undefined || Object.keys(changed).length > 0;
  if (!isNamed) throw payloadInvalid(["proposal.no_change"]);
}

type Field = CatalogModule["fields"][number];

function isFile({ edit }: Field): boolean {
  return edit === "file";
}

function refuseFields(
  { fields }: CatalogModule,
  values: JsonObject,
  rule: string,
  isRefused: (field: Field) => boolean,
): void {
  const violations = new Violations();
  for (const field of fields) {
    if (Object.hasOwn(values, field.name) && isRefused(field)) violations.add(rule, field.name);
  }
  violations.throwIfAny();
}

interface Proposed extends Pick<NewAssistantProposal, "kind" | "target" | "expected_revision"> {
  readonly module: CatalogModule;
  readonly body: object;
}

/**
 * Stores a proposal unless an equal one is pending, and the event of the call.
 *
 * @param check Checks the proposal, after the maintenance window and the freeze of the account.
 * @throws ServiceError `SYSTEM_MAINTENANCE`; errors of `check`; `PAYLOAD_INVALID` for too many
 *   pending proposals.
 */
async function propose(
  { commands }: ProposingServices,
  { lent, now, requestId, insertEvent }: ToolContext,
  { module, body, ...target }: Proposed,
  check: (sql: Sql) => void | Promise<void>,
): Promise<ToolAnswer> {
  const { owner, assistantId, rights } = lent;
  const made: NewAssistantProposal = {
    ...target,
    proposal_id: newId(now),
    assistant_id: assistantId,
    assistant_name: rights.name,
    module_code: module.code,
    body: canonicalJson(body as JsonObject),
    created_at: now,
  };
  const call = { operation: "proposal.create", caller: lent.reader, requestId, now, key: null };
  const command = commandOf(call, { module: module.code, policy: "proposal", frozen: true });
  const kept = await commands.runMany(command, async ({ sql }) => {
    await lockAssistant(sql, owner, assistantId);
    await check(sql);
    const pending = await pendingProposals(sql, owner, assistantId, now);
    const equal = pending.find((other) => isEqual(other, made));
    if (equal === undefined) {
      if (pending.length >= MAX_PENDING) throw tooMany("proposal.count", MAX_PENDING);
      await insertProposal(sql, owner, made);
    }
    await insertEvent(sql);
    return equal ?? made;
  });
  const { proposal_id: proposalId } = kept;
  const content = { proposalId, state: "PENDING", expiresAt: expiryOf(kept).toISOString() };
  return { content, records: 0, hasEvent: true };
}

/** The columns that make two proposals of an assistant equal. */
const COMPARED = ["kind", "module_code", "target", "expected_revision", "body"] as const;

function isEqual(one: NewAssistantProposal, other: NewAssistantProposal): boolean {
  return COMPARED.every((name) => one[name] === other[name]);
}

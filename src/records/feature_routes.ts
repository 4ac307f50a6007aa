/**
 * The feature route, and execution of features.
 *
 * In the shipped catalog every feature is partial or has dedicated routes, so production executes
 * nothing here. Catalog and executors are parameters of the application: a feature that becomes
 * `implemented_local`, with a registered strategy, runs through this code.
 */

import type { Catalog } from "../catalog/catalog.ts";
import type { Feature, Strategy } from "../catalog/module.ts";
import type { Command, PlannedWrite } from "../command/command.ts";
import type { Envelope } from "../command/envelope.ts";
import { newId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { assertRevision } from "../kit/root.ts";
import { bodyOf, type Contract } from "../http/contract.ts";
import { readPathId } from "../http/path.ts";
import { ok, replying } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { entryStatement } from "../kit/write.ts";
import { serialiseJson } from "../validate/json_output.ts";
import { jsonObject, optional, readBody, refuseQuery, revision } from "../validate/schema.ts";
import {
  EXECUTION_SCHEMA,
  executionEntry,
  type ExecutionRow,
  findExecution,
  type PublicExecution,
  toPublicExecution,
} from "./execution.ts";
import {
  featureNotImplemented,
  genericWriteErrors,
  recordCommand,
  refuseUnreached,
  requireFeature,
  withinModule,
} from "./module_access.ts";
import type { RecordRow } from "./record.ts";
import { lockRecord, type RecordServices } from "./record_store.ts";

const FEATURE_BODY = { input: optional(jsonObject), expectedRevision: optional(revision) };

/** The current record, and the request's input. */
export interface ExecutionInput {
  readonly feature: Feature;
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
  readonly revision: number;
  readonly input: JsonObject;
  readonly now: Date;
}

/** Executes one strategy. Pure; may throw a ServiceError. */
export type StrategyExecutor = (execution: ExecutionInput) => JsonObject;

/** Executors by strategy. Features whose strategy has none are rejected. */
export type Executors = Readonly<Partial<Record<Strategy, StrategyExecutor>>>;

/** Specification, Record Kernel route 9. */
export function createFeatureEndpoint(services: RecordServices, executors: Executors): Endpoint {
  const { catalog, commands } = services;
  return endpoint({
    contract: featureContract(catalog),
    body: "json",
    parse(call) {
      refuseUnreached(catalog, call.params.moduleCode, call.caller);
      const { module, feature } = requireFeature(catalog, call);
      const execute = executors[feature.strategy];
      if (execute === undefined) throw featureNotImplemented(module, feature);
      refuseQuery(call.query);
      return { module, feature, execute, recordId: readPathId(call, "recordId") };
    },

    async handle(call) {
      const { module, feature, recordId, execute } = call.parsed;
      const { input = {}, expectedRevision } = readBody(FEATURE_BODY, call.body);
      const command: Command = {
        ...recordCommand(call, module, recordId),
        scope: `${call.operation}:${module.code}:${feature.id}`,
        policy: "feature",
      };
      const owner = call.caller.account.accountId;
      const { result, replayed } = await commands.run<RecordRow, PublicExecution>(command, {
        check: () => {},
        lock: (sql) => lockRecord(sql, owner, recordId),
        decide: (root) => {
          const record = withinModule(catalog, module, root);
          assertRevision(record, expectedRevision);
          const output = execute(executionInput(record, feature, input, call.now));
          return writeExecution(owner, record, feature, output, call.now);
        },
        replay: (envelope) => replayExecution(services, command, envelope),
      });
      return replying(ok(result), replayed);
    },
  });
}

function featureContract(catalog: Catalog): Contract {
  const dedicated = catalog.modules.flatMap(({ features }) =>
    features.flatMap(({ dedicatedCode }) => dedicatedCode ?? [])
  );
  return {
    summary: "Execute a feature on a record",
    body: bodyOf(FEATURE_BODY, {}),
    responses: { 200: { data: EXECUTION_SCHEMA } },
    errors: [
      ...genericWriteErrors(catalog, "changeCode"),
      "FEATURE_NOT_FOUND",
      "FEATURE_MODULE_MISMATCH",
      ...dedicated,
      "FEATURE_NOT_IMPLEMENTED",
      "RECORD_NOT_FOUND",
      "REVISION_CONFLICT",
    ],
  };
}

function executionInput(
  record: RecordRow,
  feature: Feature,
  input: JsonObject,
  now: Date,
): ExecutionInput {
  const { title, summary, revision } = record;
  return { feature, title, summary, payload: JSON.parse(record.payload), revision, input, now };
}

function writeExecution(
  owner: string,
  record: RecordRow,
  feature: Feature,
  output: JsonObject,
  now: Date,
): PlannedWrite<PublicExecution> {
  const row: ExecutionRow = {
    execution_id: newId(now),
    record_id: record.record_id,
    module_code: record.module_code,
    feature_id: feature.id,
    strategy: feature.strategy,
    revision: record.revision,
    status: "SUCCEEDED",
    output: serialiseJson(output),
    created_at: now,
  };
  return {
    subjectId: record.record_id,
    revision: record.revision,
    executionId: row.execution_id,
    result: toPublicExecution(row, false),
    statement: (sql, ledger) => entryStatement(sql, ledger, executionEntry(sql, owner, row)),
  };
}

/** The execution as in the first response. */
async function replayExecution(
  services: RecordServices,
  command: Command,
  envelope: Envelope,
): Promise<PublicExecution> {
  const [row] = await services.database.read((sql) =>
    findExecution(sql, command.caller.account.accountId, envelope.executionId ?? "")
  );
  if (row === undefined || row.module_code !== command.moduleCode) {
    throw new Error("An idempotency envelope names an execution that does not exist");
  }
  return toPublicExecution(row, false);
}

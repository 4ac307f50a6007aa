/**
 * Features of typed families that do not run on a single record, such as exports: each run is an
 * execution that stores its output.
 */

import type { Command, PlannedWrite } from "../command/command.ts";
import { newId } from "../core/ids.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { readOnlyKey } from "../kit/route.ts";
import {
  entryStatement,
  type FamilyServices,
  type ResultWithId,
  type RootResult,
  toRootResult,
  withResultId,
} from "../kit/write.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { serialiseJson } from "../validate/json_output.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import {
  executionEntry,
  type ExecutionRow,
  findExecution,
  listFamilyExecutions,
} from "./execution.ts";

export interface FamilyFeature {
  readonly module: string;
  /** The feature's identifier, such as `MEM-008`. */
  readonly featureId: string;
  readonly strategy: string;
  readonly policy: string;
}

/** A run as stored: output and identifier. */
export type KeptRun<Output extends object> = Output & { readonly executionId: string };

export type ListedRun<Output extends object> = KeptRun<Output> & { readonly createdAt: string };

export function keptRun<Output extends object>(row: ExecutionRow): KeptRun<Output> {
  return { executionId: row.execution_id, ...JSON.parse(row.output) };
}

export function listedRun<Output extends object>(row: ExecutionRow): ListedRun<Output> {
  return { ...keptRun<Output>(row), createdAt: row.created_at.toISOString() };
}

interface FeatureRun<Answer> {
  /** The output, as the ledger stores it. */
  readonly output: object;
  readonly answer: (row: ExecutionRow) => Answer;
  /** See `CreateWork.verify`. */
  readonly verify?: NonNullable<PlannedWrite<unknown>["verify"]>;
}

interface FeatureWork<Answer> {
  /** Must be pure. Its errors are thrown after the claim; see `CreateWork.decide`. */
  readonly decide: () => FeatureRun<Answer>;
  readonly replay: (row: ExecutionRow) => Answer;
}

export async function runFeature<Answer>(
  services: FamilyServices,
  feature: FamilyFeature,
  command: Command,
  { decide, replay }: FeatureWork<Answer>,
): Promise<RootResult<Answer>> {
  const { caller, now } = command;
  const owner = caller.account.accountId;
  return toRootResult(
    await services.commands.run<never, ResultWithId<Answer>>(command, {
      decide() {
        const { output, answer, ...verification } = decide();
        const row = toExecution(feature, output, now);
        return withResultId({
          subjectId: row.execution_id,
          revision: null,
          executionId: row.execution_id,
          result: answer(row),
          ...verification,
          statement: (sql, ledger) => entryStatement(sql, ledger, executionEntry(sql, owner, row)),
        });
      },
      async replay({ executionId: id = "" }) {
        const row = await find(services, feature, owner, id);
        if (row === undefined) throw new Error("An envelope names a run that does not exist");
        return { id, result: replay(row) };
      },
    }),
  );
}

export interface FeatureReads {
  readonly schema: JsonSchema;
  /** Summaries of both routes. */
  readonly list: string;
  readonly detail: string;
}

/** GET of a feature's runs, newest first, and GET of one; both as `listedRun`. */
export function featureReadEndpoints(
  services: FamilyServices,
  feature: FamilyFeature,
  { schema, list, detail }: FeatureReads,
): Readonly<Record<"list" | "detail", Endpoint>> {
  return {
    list: listEndpoint(services, feature, { summary: list, schema }),
    detail: endpoint({
      contract: {
        summary: detail,
        responses: { 200: { data: schema } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyKey(call, ["executionId"]).executionId,
      async handle({ parsed: executionId, caller }) {
        const row = await find(services, feature, caller.account.accountId, executionId);
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(listedRun(row));
      },
    }),
  };
}

function listEndpoint(
  services: FamilyServices,
  feature: FamilyFeature,
  { summary, schema }: { readonly summary: string; readonly schema: JsonSchema },
): Endpoint {
  return endpoint({
    contract: {
      summary,
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(schema) } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readPageQuery(query),
    async handle({ parsed: { limit, cursor }, caller }) {
      const owner = caller.account.accountId;
      const isKnown = cursor === null || await find(services, feature, owner, cursor) !== undefined;
      if (!isKnown) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      const rows = await services.database.read((sql) =>
        listFamilyExecutions(sql, owner, feature.featureId, cursor, limit + 1)
      );
      return ok(toPage(rows, limit, listedRun, (item) => item.executionId));
    },
  });
}

async function find(
  { database }: Pick<FamilyServices, "database">,
  { featureId }: FamilyFeature,
  owner: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  const [row] = await database.read((sql) => findExecution(sql, owner, executionId));
  return row?.feature_id === featureId ? row : undefined;
}

function toExecution(
  { module, featureId, strategy }: FamilyFeature,
  output: object,
  now: Date,
): ExecutionRow {
  return {
    execution_id: newId(now),
    record_id: null,
    module_code: module,
    feature_id: featureId,
    strategy,
    revision: null,
    status: "SUCCEEDED",
    output: serialiseJson(output),
    created_at: now,
  };
}

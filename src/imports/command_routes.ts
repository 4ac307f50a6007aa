/** The routes that move an import on: mapping, run, stop, withdraw. */

import { isPermission } from "../access/permissions.ts";
import type { CommandResult } from "../command/command.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { familyCommand } from "../families/kit/write.ts";
import { spendProof } from "../families/kit/proof.ts";
import { type BodyContract, bodyOf } from "../http/contract.ts";
import { readOnlyPathId } from "../http/path.ts";
import { accepted, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { describeObject, readBody, stringMatching } from "../validate/schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { converterOf } from "./converters/converters.ts";
import { assertAnswers } from "./answers.ts";
import { PEOPLE_MAPPING } from "./converters/people.ts";
import { CSV_MAPPING } from "./converters/csv_mapping.ts";
import { MARKDOWN_MAPPING } from "./converters/markdown.ts";
import { SPOOL_LIFETIME_MS } from "./folder.ts";
import { type Import, IMPORT_SCHEMA, type ImportRow, NO_PLAN, showImport } from "./import.ts";
import { type ImportPatch, isAtWork, lockImport, writeImport } from "./import_store.ts";
import { busy, type ImportServices, requireImport } from "./services.ts";

/** Why the state of an import forbids an operation. */
type StateRule = "import.state" | "import.plan" | "import.mapping" | "import.expired";

function conflict(rule: StateRule): ServiceError {
  return new ServiceError("IMPORT_STATE_CONFLICT", { details: { rules: [rule] } });
}

const RUN_BODY = {
  plan: stringMatching("field.digest", (text) => /^[0-9a-f]{64}$/.test(text), {
    type: "string",
    pattern: "^[0-9a-f]{64}$",
  }),
};

const MAPPING_BODY: BodyContract = {
  schema: { anyOf: [MARKDOWN_MAPPING, CSV_MAPPING, PEOPLE_MAPPING].map(describeObject) },
  examples: {
    markdown: { folders: { Journal: "memory", Templates: "leave" }, timeZone: "Europe/Berlin" },
    csv: {
      target: "commitment",
      columns: { Task: "@title" },
      constants: { commitmentType: "OUTGOING", content: "From a list", completionStatus: "OPEN" },
    },
  },
};

export function createCommandEndpoints(
  services: ImportServices,
): Readonly<Record<"map" | "run" | "stop" | "withdraw", Endpoint>> {
  return {
    map: mapEndpoint(services),
    run: moveEndpoint(services, {
      summary: "Bring in the items of an import, by the plan that was seen",
      frozen: true,
      body: bodyOf(RUN_BODY, { plan: "0".repeat(64) }),
      decide: decideRun,
    }),
    stop: moveEndpoint(services, {
      summary: "Stop the run of an import; another run resumes it",
      frozen: false,
      decide(row) {
        if (row.state !== "RUNNING") throw conflict("import.state");
        return { state: "STOPPED" };
      },
    }),
    withdraw: moveEndpoint(services, {
      summary: "Withdraw an import: archive the unchanged records that it made",
      frozen: true,
      needsProof: true,
      decide(row) {
        if (row.state !== "DONE" && row.state !== "STOPPED") throw conflict("import.state");
        return { state: "WITHDRAWING" };
      },
    }),
  };
}

/** A route that changes an import's state and lets the worker do the rest in the background. */
interface Move {
  readonly summary: string;
  readonly frozen: boolean;
  readonly body?: BodyContract;
  readonly needsProof?: boolean;
  readonly decide: (row: ImportRow, call: CheckedCall<string>, isKept: boolean) => ImportPatch;
}

function moveEndpoint(services: ImportServices, move: Move): Endpoint {
  const { summary, frozen, body, needsProof = false } = move;
  return endpoint({
    contract: {
      summary,
      body: body ?? bodyOf({}, {}),
      headers: needsProof ? ["Step-Up-Proof"] : [],
      responses: { 202: { data: IMPORT_SCHEMA } },
      errors: [
        "RECORD_NOT_FOUND",
        "IMPORT_STATE_CONFLICT",
        ...frozen ? ["SYSTEM_MAINTENANCE"] as const : [],
        ...needsProof ? ["STEP_UP_REQUIRED"] as const : [],
      ],
    },
    body: body === undefined ? "optional-json" : "json",
    parse: (call) => readOnlyPathId(call, "importId"),
    async handle(call) {
      if (body === undefined) readBody({}, call.body);
      else readBody(RUN_BODY, call.body);
      const { result, replayed } = await changeImport(services, call, {
        frozen,
        decide: (row, isKept) => move.decide(row, call, isKept),
        ...(needsProof && { verify: (sql: Sql) => spendWithdrawal(services, call, sql) }),
      });
      services.worker.wake();
      return replying(accepted(result, call.path.replace(/\/[a-z]+$/, "")), replayed);
    },
  });
}

async function spendWithdrawal(
  services: ImportServices,
  call: CheckedCall<string>,
  sql: Sql,
): Promise<void> {
  const use = { purpose: "IMPORT_WITHDRAW", targetId: call.parsed } as const;
  await spendProof(services, call, sql, use, "STEP_UP_REQUIRED");
}

function decideRun(
  row: ImportRow,
  { caller, body }: CheckedCall<string>,
  isKept: boolean,
): ImportPatch {
  const { plan } = readBody(RUN_BODY, body);
  const needs: readonly string[] = JSON.parse(row.needs);
  const isAllowed = needs.every((name) => isPermission(name) && caller.permissions.has(name));
  if (!isAllowed) throw new ServiceError("FORBIDDEN");
  if (row.state !== "PLANNED" && row.state !== "STOPPED") throw conflict("import.state");
  if (!isKept) throw conflict("import.expired");
  if (row.plan === null) throw conflict("import.mapping");
  if (row.plan !== plan) throw conflict("import.plan");
  return { state: "RUNNING" };
}

function mapEndpoint(services: ImportServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Say what columns, folders or possible duplicates become, and plan again",
      body: MAPPING_BODY,
      responses: { 200: { data: IMPORT_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "IMPORT_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: (call) => readOnlyPathId(call, "importId"),
    async handle(call) {
      const mapping = readMapping(services, call.body);
      await assertAnswers(services, await requireImport(services, call, call.parsed), mapping);
      const { result } = await changeImport(services, call, {
        frozen: true,
        decide: (row, isKept) => decideMapping(services, row, mapping, isKept),
      });
      services.worker.wake();
      return ok(result);
    },
  });
}

/**
 * Refuses what no import accepts, before one is looked up.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
function readMapping({ targets }: ImportServices, body: JsonValue): JsonObject {
  if (!isJsonObject(body)) return readBody({}, body);
  const context = { columns: null, fieldsOf: targets.fieldsOf };
  const format = "target" in body || "columns" in body
    ? "csv"
    : "duplicates" in body || "categories" in body
    ? "vcard"
    : "markdown";
  converterOf(format).readMapping?.(body, context);
  return body;
}

function decideMapping(
  services: ImportServices,
  row: ImportRow,
  mapping: JsonObject,
  isKept: boolean,
): ImportPatch {
  if (row.state !== "PLANNED") throw conflict("import.state");
  const { readMapping } = converterOf(row.format);
  if (readMapping === undefined) throw conflict("import.mapping");
  if (!isKept) throw conflict("import.expired");
  const columns = row.columns === null ? null : JSON.parse(row.columns);
  readMapping(mapping, { columns, fieldsOf: services.targets.fieldsOf });
  return { ...NO_PLAN, state: "READING", mapping: canonicalJson(mapping) };
}

interface StateChange {
  readonly frozen: boolean;
  /** @param isKept Whether the file of the import is there, and young enough. */
  readonly decide: (row: ImportRow, isKept: boolean) => ImportPatch;
  readonly verify?: (sql: Sql) => Promise<void>;
}

async function changeImport(
  services: ImportServices,
  call: CheckedCall<string>,
  { frozen, decide, verify }: StateChange,
): Promise<CommandResult<Import>> {
  const { parsed: importId, caller: { account: { accountId: owner } }, now } = call;
  const about = { module: null, target: importId, policy: "import", frozen };
  const command = familyCommand(call, about);
  const hasFile = await services.folder.has(importId, "source");
  return await services.commands.run<ImportRow, Import, boolean>(command, {
    check: () => {},
    lock: (sql) => lockImport(sql, owner, importId),
    related: (sql) => isAtWork(sql, owner, importId),
    decide(row, isBusy) {
      if (row === null) throw new ServiceError("RECORD_NOT_FOUND");
      const isYoung = now.getTime() < row.created_at.getTime() + SPOOL_LIFETIME_MS;
      const patch = decide(row, hasFile && isYoung);
      if (isBusy && patch.state !== "STOPPED") throw busy();
      const next = { ...row, ...patch, updated_at: now };
      return {
        subjectId: importId,
        revision: null,
        result: showImport(next),
        ...(verify && { verify }),
        statement: (sql, ledger) => writeImport(sql, ledger, next),
      };
    },
    replay: async () => showImport(await requireImport(services, call, importId)),
    constraints: { imports_at_work: busy },
  });
}

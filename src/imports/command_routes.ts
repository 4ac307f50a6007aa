/** The routes that move an import on: mapping, run, stop, withdraw. */

import { Buffer } from "node:buffer";
import { isPermission } from "../access/permissions.ts";
import type { CommandResult } from "../command/command.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { familyCommand } from "../kit/write.ts";
import { spendProof } from "../kit/proof.ts";
import { type BodyContract, bodyOf } from "../http/contract.ts";
import { readOnlyPathId } from "../http/path.ts";
import { accepted, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { SHA256 } from "../validate/json_schema.ts";
import { describeObject, readBody, stringMatching } from "../validate/schema.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { SHA256_HEX } from "../validate/text.ts";
import { converterOf, CONVERTERS } from "./converters/converters.ts";
import { assertAnswers } from "./people_matches.ts";
import { type KeptFolder, SPOOL_LIFETIME_MS } from "./folder.ts";
import {
  AT_WORK,
  IMPORT_SCHEMA,
  importConflict,
  type ImportPatch,
  type ImportRow,
  type ItemImport,
  NO_PLAN,
  readsOf,
  showImport,
} from "./import.ts";
import { isAtWork, lockImport, requireImport, writeImport } from "./import_store.ts";
import type { ImportServices } from "./work.ts";

const PURPOSE = "IMPORT_WITHDRAW";

const RUN_BODY = {
  plan: stringMatching("field.digest", (text) => SHA256_HEX.test(text), SHA256),
};

/** Each mapping once; formats of people share theirs. */
const MAPPINGS = new Set(CONVERTERS.flatMap(({ mapping = [] }) => mapping));

const MAPPING_BODY: BodyContract = {
  schema: { anyOf: Array.from(MAPPINGS, ({ schema }) => describeObject(schema)) },
  examples: Object.fromEntries(
    CONVERTERS.flatMap(({ format, mapping: { example } = {} }) =>
      example === undefined ? [] : [[format, example]]
    ),
  ),
};

export function createCommandEndpoints(
  services: ImportServices,
): Readonly<Record<"map" | "run" | "stop" | "discard" | "withdraw", Endpoint>> {
  return {
    map: moveEndpoint(services, {
      summary: "Say what columns, folders or possible duplicates become, and plan again",
      isFrozen: true,
      body: MAPPING_BODY,
      status: 200,
      async check(call) {
        const mapping = mappingOf(call);
        const row = await requireImport(services, call, call.parsed);
        const acceptsMapping = converterOf(row.format).mapping !== undefined;
        // `decide` refuses any other.
        if (row.state === "PLANNED" && acceptsMapping) {
          await assertAnswers(services, row, mapping);
        }
      },
      decide: (row, call, isKept) => decideMapping(services, row, call, isKept),
    }),
    run: moveEndpoint(services, {
      summary: "Bring in the items of an import, by the plan that was seen",
      isFrozen: true,
      body: bodyOf(RUN_BODY, { plan: "0".repeat(64) }),
      check: ({ body }) => readBody(RUN_BODY, body),
      decide: decideRun,
    }),
    stop: moveEndpoint(services, {
      summary:
        "Stop an import: another run resumes one that ran, and one that is read is discarded",
      isFrozen: false,
      continuesWhenFull: true,
      check: ({ body }) => readBody({}, body),
      decide({ state }) {
        if (state === "RUNNING") return { state: "STOPPED" };
        if (state !== "RECEIVED" && state !== "READING") throw importConflict("import.state");
        return { state: "DISCARDED" };
      },
      // A reader may take a moment to end.
      after: (folder) => void services.worker.discard(folder),
    }),
    discard: moveEndpoint(services, {
      summary: "Discard a planned import and remove its files",
      isFrozen: false,
      continuesWhenFull: true,
      status: 200,
      check: ({ body }) => readBody({}, body),
      decide({ state }) {
        if (state !== "PLANNED") throw importConflict("import.state");
        return { state: "DISCARDED" };
      },
      after: (folder) => services.worker.discard(folder),
    }),
    withdraw: moveEndpoint(services, {
      summary: "Withdraw an import: archive the unchanged records that it made",
      isFrozen: true,
      needsProof: true,
      check: ({ body }) => readBody({}, body),
      decide(row) {
        if (row.state !== "DONE" && row.state !== "STOPPED") throw importConflict("import.state");
        return { state: "WITHDRAWING" };
      },
    }),
  };
}

/** A route that changes an import's state and lets the worker do the rest in the background. */
interface Move {
  readonly summary: string;
  readonly isFrozen: boolean;
  readonly body?: BodyContract;
  /** 202 by default. */
  readonly status?: 200;
  readonly needsProof?: boolean;
  readonly continuesWhenFull?: boolean;
  /** Follows a change to DISCARDED. */
  readonly after?: (folder: KeptFolder) => Promise<void> | void;
  /** Checks the body, before the import is locked. */
  readonly check: (call: CheckedCall<string>) => unknown;
  /** @param isKept Whether the file of the import is there, and young enough. */
  readonly decide: (row: ImportRow, call: CheckedCall<string>, isKept: boolean) => ImportPatch;
}

function moveEndpoint(services: ImportServices, move: Move): Endpoint {
  const { summary, isFrozen, body, status = 202, needsProof = false } = move;
  return endpoint({
    contract: {
      summary,
      body: body ?? bodyOf({}, {}),
      stepUp: needsProof ? PURPOSE : undefined,
      responses: { [status]: { data: IMPORT_SCHEMA } },
      errors: [
        "RECORD_NOT_FOUND",
        "IMPORT_STATE_CONFLICT",
        ...isFrozen ? ["SYSTEM_MAINTENANCE"] as const : [],
      ],
    },
    body: body === undefined ? "optional-json" : "json",
    parse: (call) => readOnlyPathId(call, "importId"),
    async handle(call) {
      await move.check(call);
      const { result, replayed } = await changeImport(services, call, move);
      if (result.state === "DISCARDED") {
        await move.after?.({ importId: result.importId, owner: call.caller.account.accountId });
      }
      services.worker.wake();
      const location = call.path.replace(/\/[a-z]+$/, "");
      return replying(status === 200 ? ok(result) : accepted(result, location), replayed);
    },
  });
}

async function changeImport(
  services: ImportServices,
  call: CheckedCall<string>,
  { isFrozen: frozen, needsProof, continuesWhenFull, decide }: Move,
): Promise<CommandResult<ItemImport>> {
  const { parsed: importId, caller: { account: { accountId: owner } }, now } = call;
  const about = {
    module: null,
    target: importId,
    policy: "import",
    frozen,
    ...(continuesWhenFull && { continuesWhenFull }),
  };
  const hasFile = await services.folder.has(importId, "source");
  const use = { purpose: PURPOSE, targetId: importId } as const;
  const verify = (sql: Sql) => spendProof(services, call, sql, use, "STEP_UP_REQUIRED");
  return await services.commands.run<ImportRow, ItemImport, boolean>(familyCommand(call, about), {
    check: () => {},
    lock: (sql) => lockImport(sql, owner, importId),
    related: (sql) => isAtWork(sql, owner, importId),
    decide(row, isBusy) {
      if (row === null) throw new ServiceError("RECORD_NOT_FOUND");
      const isYoung = now.getTime() < row.created_at.getTime() + SPOOL_LIFETIME_MS;
      const patch = decide(row, call, hasFile && isYoung);
      const isToWork = AT_WORK.some((state) => state === patch.state);
      if (isBusy && isToWork) throw new ServiceError("HTTP_429");
      const next = { ...row, ...patch, updated_at: now };
      return {
        subjectId: importId,
        revision: null,
        result: showImport(next),
        ...(needsProof && { verify }),
        statement: (sql, ledger) => writeImport(sql, ledger, next),
      };
    },
    replay: async () => showImport(await requireImport(services, call, importId)),
    constraints: { imports_at_work: () => new ServiceError("HTTP_429") },
  });
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
  if (row.state !== "PLANNED" && row.state !== "STOPPED") throw importConflict("import.state");
  if (!isKept) throw importConflict("import.expired");
  if (row.plan === null) throw importConflict("import.mapping");
  if (row.plan !== plan) throw importConflict("import.plan");
  return { state: "RUNNING" };
}

/** Bytes of a mapping. */
const MAPPING_BYTES = 64 * 1024;

/** @throws ServiceError `PAYLOAD_INVALID`. */
function mappingOf({ body }: CheckedCall<string>): JsonObject {
  if (!isJsonObject(body)) return readBody({}, body);
  if (Buffer.byteLength(canonicalJson(body)) > MAPPING_BYTES) {
    throw payloadInvalid(["mapping.size"]);
  }
  return body;
}

function decideMapping(
  services: ImportServices,
  row: ImportRow,
  call: CheckedCall<string>,
  isKept: boolean,
): ImportPatch {
  const body = mappingOf(call);
  if (row.state !== "PLANNED") throw importConflict("import.state");
  const { mapping } = converterOf(row.format);
  if (mapping === undefined) throw importConflict("import.mapping");
  if (!isKept) throw importConflict("import.expired");
  const columns = row.columns === null ? null : JSON.parse(row.columns);
  mapping.check(body, { columns, fieldsOf: services.targets.fieldsOf });
  return {
    ...NO_PLAN,
    state: "READING",
    mapping: canonicalJson(body),
    tries: null,
    reads: readsOf(call.caller),
  };
}

/** Routes that change the state of an import. */

import { Buffer } from "node:buffer";
import { isPermission } from "../access/permissions.ts";
import { commandOf, type CommandResult } from "../command/command.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
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
import type { Converter } from "./converters/converter.ts";
import { converterOf, CONVERTERS } from "./converters/converters.ts";
import { assertAnswers } from "./people_answers.ts";
import { SPOOL_LIFETIME_MS } from "./folder.ts";
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
import { reopenFile } from "./open_file.ts";
import { isAtWork, lockImport, requireImport, writeImport } from "./import_store.ts";
import { readGroups, type ShownGroups } from "./sample_groups.ts";
import type { Targets } from "./targets.ts";
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

/** A route that changes an import's state; the worker does the rest in the background. */
interface Transition {
  readonly summary: string;
  readonly isFrozen: boolean;
  /** Default: none. */
  readonly body?: BodyContract;
  /** 202 by default. */
  readonly status?: 200;
  readonly needsProof?: boolean;
  readonly continuesWhenFull?: boolean;
  /** Checks the body, before the import is locked. */
  readonly check?: (services: ImportServices, call: CheckedCall<string>) => Promise<Checked> | void;
  readonly decide: (
    stored: StoredImport,
    call: CheckedCall<string>,
    checked: Checked,
  ) => ImportPatch;
  /** Whether a change to DISCARDED waits until the worker has ended and removed the files. */
  readonly waitsForWorker?: boolean;
}

/** The names that a mapping may use. Columns are null if they are those of the last reading. */
interface Nameable extends ShownGroups {
  readonly columns: readonly string[] | null;
}

type Checked = Nameable | null | void;

interface StoredImport {
  readonly row: ImportRow;
  /** Whether the file of the import exists and is young enough. */
  readonly isKept: boolean;
  readonly fieldsOf: Targets["fieldsOf"];
}

const MAP: Transition = {
  summary: "Set the mapping of columns, folders or possible duplicates, and plan again",
  isFrozen: true,
  body: MAPPING_BODY,
  status: 200,
  async check(services, call) {
    const mapping = mappingOf(call);
    const row = await requireImport(services, call, call.parsed);
    const converter = converterOf(row.format);
    // `decide` refuses any other.
    if (row.state !== "PLANNED" || converter.mapping === undefined) return null;
    await assertAnswers(services, row, mapping);
    const [columns, groups] = await Promise.all([
      readColumns(services, call, converter, mapping),
      readGroups(services.folder, call.parsed),
    ]);
    return { columns, ...groups };
  },
  decide: decideMapping,
};

const RUN: Transition = {
  summary: "Run an import by the plan that its owner has read",
  isFrozen: true,
  body: bodyOf(RUN_BODY, { plan: "0".repeat(64) }),
  check: (_services, { body }) => void readBody(RUN_BODY, body),
  decide: decideRun,
};

const STOP: Transition = {
  summary: "Stop an import: a running one can be resumed, one that is being read is discarded",
  isFrozen: false,
  continuesWhenFull: true,
  decide({ row: { state } }) {
    if (state === "RUNNING") return { state: "STOPPED" };
    if (state !== "RECEIVED" && state !== "READING") throw importConflict("import.state");
    return { state: "DISCARDED" };
  },
};

const DISCARD: Transition = {
  summary: "Discard a planned import and remove its files",
  isFrozen: false,
  continuesWhenFull: true,
  status: 200,
  decide({ row: { state } }) {
    if (state !== "PLANNED") throw importConflict("import.state");
    return { state: "DISCARDED" };
  },
  waitsForWorker: true,
};

const WITHDRAW: Transition = {
  summary: "Withdraw an import: archive the unchanged records that it made",
  isFrozen: true,
  needsProof: true,
  decide({ row: { state } }) {
    if (state !== "DONE" && state !== "STOPPED") throw importConflict("import.state");
    return { state: "WITHDRAWING" };
  },
};

export type CommandEndpoints = Readonly<
  Record<"map" | "run" | "stop" | "discard" | "withdraw", Endpoint>
>;

export function createCommandEndpoints(services: ImportServices): CommandEndpoints {
  return {
    map: transitionEndpoint(services, MAP),
    run: transitionEndpoint(services, RUN),
    stop: transitionEndpoint(services, STOP),
    discard: transitionEndpoint(services, DISCARD),
    withdraw: transitionEndpoint(services, WITHDRAW),
  };
}

function transitionEndpoint(services: ImportServices, transition: Transition): Endpoint {
  const { summary, isFrozen, body, status = 202, needsProof = false } = transition;
  const { check = (_services, call) => void readBody({}, call.body) } = transition;
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
      const checked = await check(services, call);
      const { result, replayed } = await changeImport(services, call, transition, checked);
      if (result.state === "DISCARDED") {
        const owner = call.caller.account.accountId;
        const ended = services.worker.discard({ importId: result.importId, owner });
        if (transition.waitsForWorker) await ended;
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
  { isFrozen: frozen, needsProof, continuesWhenFull = false, decide }: Transition,
  checked: Checked,
): Promise<CommandResult<ItemImport>> {
  const { parsed: importId, caller: { account: { accountId: owner } }, now } = call;
  const about = { module: null, target: importId, policy: "import", frozen, continuesWhenFull };
  const hasFile = await services.folder.has(importId, "source");
  const use = { purpose: PURPOSE, targetId: importId } as const;
  const verify = (sql: Sql) => spendProof(services, call, sql, use);
  return await services.commands.run<ImportRow, ItemImport, boolean>(commandOf(call, about), {
    check: () => {},
    lock: (sql) => lockImport(sql, owner, importId),
    related: (sql) => isAtWork(sql, owner, importId),
    decide(row, isBusy) {
      if (row === null) throw new ServiceError("RECORD_NOT_FOUND");
      const isYoung = now.getTime() < row.created_at.getTime() + SPOOL_LIFETIME_MS;
      const { fieldsOf } = services.targets;
      const patch = decide({ row, isKept: hasFile && isYoung, fieldsOf }, call, checked);
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
  { row, isKept }: StoredImport,
  { caller, body }: CheckedCall<string>,
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

const MAPPING_BYTES = 64 * 1024;

/** @throws ServiceError `PAYLOAD_INVALID`. */
function mappingOf({ body }: CheckedCall<string>): JsonObject {
  if (!isJsonObject(body)) return readBody({}, body);
  if (Buffer.byteLength(canonicalJson(body)) > MAPPING_BYTES) {
    throw payloadInvalid(["mapping.size"]);
  }
  return body;
}

/** Reads the columns of an import's file by a new mapping, if its format has such options. */
async function readColumns(
  { folder }: ImportServices,
  { parsed: importId }: CheckedCall<string>,
  converter: Converter,
  mapping: JsonObject,
): Promise<readonly string[] | null> {
  const read = converter.mapping?.readColumns;
  // `decide` refuses an import without its file.
  if (read === undefined || !await folder.has(importId, "source")) return null;
  using opened = await reopenFile(folder, importId, converter);
  return await read(mapping, opened);
}

function decideMapping(
  { row, isKept, fieldsOf }: StoredImport,
  call: CheckedCall<string>,
  checked: Checked,
): ImportPatch {
  const body = mappingOf(call);
  if (row.state !== "PLANNED") throw importConflict("import.state");
  const { mapping } = converterOf(row.format);
  if (mapping === undefined) throw importConflict("import.mapping");
  if (!isKept) throw importConflict("import.expired");
  const { columns = null, groups = [], series = [] } = checked ?? {};
  mapping.check(body, {
    columns: columns ?? (row.columns === null ? null : JSON.parse(row.columns)),
    presets: row.presets === null ? [] : JSON.parse(row.presets),
    groups: groups.map(({ name }) => name),
    series: series.map(({ name }) => name),
    fieldsOf,
  });
  return {
    ...NO_PLAN,
    state: "READING",
    mapping: canonicalJson(body),
    tries: null,
    reads: readsOf(call.caller),
  };
}

/**
 * MEM-008: exports, part by part. What is SECRET leaves only by a proof, which the signed cursor
 * stands for in the parts that follow. The execution ledger keeps digest and count, never content.
 */

import type { Identity } from "../access/identity.ts";
import { PROOF_HEADER } from "../access/step_up.ts";
import type { Command, Write } from "../command/command.ts";
import { newId } from "../core/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { readCursor, signCursor } from "../core/signed_cursor.ts";
import type { Sql } from "../database/sql.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { readPageQuery, toPage } from "../http/page.ts";
import { created, ok } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import {
  executionEntry,
  type ExecutionRow,
  findExecution,
  listFamilyExecutions,
} from "../records/port.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { refuseQuery } from "../validate/schema.ts";
import { memoryCommand, type MemoryServices, replayHeader } from "./commands.ts";
import { EXPORT_CONTRACTS } from "./contracts.ts";
import {
  type ExportAnswer,
  type ExportDocument,
  type ExportRecord,
  type ListedExport,
  writeExport,
} from "./export_format.ts";
import { type ExportPart, readPart } from "./export_part.ts";
import { toMemory } from "./memory.ts";
import { type ExportBody, readExportBody } from "./export_schema.ts";
import { readPathId } from "./schema.ts";
import { maySeeSecrets } from "./view.ts";

/** One endpoint for each route. */
export interface ExportEndpoints {
  readonly createExport: Endpoint;
  readonly listExports: Endpoint;
  readonly export: Endpoint;
}

const EXPORTS = "/api/v2/memory/exports";
const FEATURE = { feature_id: "MEM-008", strategy: "export" } as const;
const CURSOR_LIFETIME_MS = 15 * 60 * 1000;
/** What a cursor holds beside its place when it stands for a proof. */
const PROVEN = "proven";

/** The endpoints of `/exports`. */
export function createExportEndpoints(services: MemoryServices): ExportEndpoints {
  const { database, commands } = services;

  const find = async (owner: string, executionId: string): Promise<ExecutionRow | undefined> => {
    const [row] = await database.read((sql) => findExecution(sql, owner, executionId));
    return row?.feature_id === FEATURE.feature_id ? row : undefined;
  };

  return {
    createExport: endpoint({
      contract: EXPORT_CONTRACTS.createExport,
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async handle(call) {
        const owner = call.identity.account.accountId;
        const body = readExportBody(call.body);
        const place = readPlace(services, call, body);
        const part = place && await readPart(database, owner, body, place.after);
        const command: Command = {
          ...memoryCommand(call, "memory.export.create", "", false),
          policy: "memory-export",
        };
        const { answer, replayed } = await commands.run<never, ExportAnswer>(command, {
          decide() {
            // Refused behind the gate: a repetition is answered after its cursor has expired too.
            if (!place || !part) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
            return exporting(services, call, body, place, part);
          },
          async replay({ executionId = "" }) {
            const row = await find(owner, executionId);
            if (row === undefined) throw new Error("An envelope names an export that is not there");
            return { ...toRecord(row), content: null, nextCursor: null };
          },
        });
        return created(answer, `${EXPORTS}/${answer.executionId}`, replayHeader(replayed));
      },
    }),

    listExports: endpoint({
      contract: EXPORT_CONTRACTS.listExports,
      body: "none",
      parse: ({ query }) => readPageQuery(query),
      async handle({ parsed: { limit, cursor }, identity }) {
        const owner = identity.account.accountId;
        const known = cursor === null || await find(owner, cursor) !== undefined;
        if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        const rows = await database.read((sql) =>
          listFamilyExecutions(sql, owner, FEATURE.feature_id, cursor, limit + 1)
        );
        return ok(toPage(rows, limit, toListed, (item) => item.executionId));
      },
    }),

    export: endpoint({
      contract: EXPORT_CONTRACTS.export,
      body: "none",
      parse: (call) => readPathId(call, "executionId"),
      async handle({ parsed: executionId, identity }) {
        const row = await find(identity.account.accountId, executionId);
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(toListed(row));
      },
    }),
  };
}

/** Where a part begins, and whether an earlier part brought the proof. */
interface Place {
  readonly after: string | null;
  readonly proven: boolean;
}

/** Null for a cursor of another session or request, or an expired one. */
function readPlace(
  { serverSecret }: MemoryServices,
  { identity, now, body }: CheckedCall<unknown>,
  { cursor }: ExportBody,
): Place | null {
  if (cursor === undefined) return { after: null, proven: false };
  const place = readCursor(serverSecret, cursor, cursorScope(identity, body), now);
  return place && { after: place.after, proven: place.data === PROVEN };
}

/** A cursor counts for one credential and for the very request that it was given to. */
function cursorScope({ credential }: Identity, sent: JsonValue): string {
  const request: JsonObject = isJsonObject(sent) ? { ...sent } : {};
  delete request.cursor;
  return canonicalJson({ list: "memory.export", credential: credential.id, request });
}

function exporting(
  services: MemoryServices,
  call: CheckedCall<unknown>,
  body: ExportBody,
  place: Place,
  part: ExportPart,
): Write<ExportAnswer> {
  const { identity, now } = call;
  const owner = identity.account.accountId;
  const takesSecrets = part.namesSecret ||
    (body.includeSecret === true && body.memoryIds === undefined);
  if (part.namesUnknown) throw new ServiceError("RECORD_NOT_FOUND");
  if (takesSecrets && !maySeeSecrets(identity)) throw new ServiceError("FORBIDDEN");

  const document = writeExport(body.format, part.rows.map(toMemory), now);
  const row = toExecution(newId(now), document, now);
  const proven = takesSecrets ? { data: PROVEN } : {};
  const nextCursor = part.next === null ? null : signCursor(services.serverSecret, {
    after: part.next,
    scope: cursorScope(identity, call.body),
    expiresAt: new Date(now.getTime() + CURSOR_LIFETIME_MS),
    ...proven,
  });
  return {
    subjectId: row.execution_id,
    revision: null,
    executionId: row.execution_id,
    answer: { executionId: row.execution_id, ...document, nextCursor },
    ...(takesSecrets && !place.proven && { verify: (sql) => spendProof(services, call, sql) }),
    statement: (sql, ledger) =>
      sql`
        with ${ledger.claim}, ${executionEntry(sql, owner, row)}, ${ledger.entries}
        select verdict, envelope from claim`,
  };
}

async function spendProof(
  { stepUp }: MemoryServices,
  { identity, request, now }: CheckedCall<unknown>,
  sql: Sql,
): Promise<void> {
  if (stepUp === null) throw new ServiceError("STEP_UP_REQUIRED");
  const proof = request.headers.get(PROOF_HEADER);
  const use = { purpose: "MEMORY_SECRET_EXPORT", targetId: null, proof } as const;
  await stepUp.consume(sql, identity, use, now);
}

function toExecution(executionId: string, document: ExportDocument, now: Date): ExecutionRow {
  const { content: _, ...output } = document;
  return {
    execution_id: executionId,
    record_id: null,
    module_code: "memory",
    ...FEATURE,
    revision: null,
    status: "SUCCEEDED",
    output: JSON.stringify(output),
    created_at: now,
  };
}

function toRecord({ execution_id: executionId, output }: ExecutionRow): ExportRecord {
  return { executionId, ...JSON.parse(output) };
}

function toListed(row: ExecutionRow): ListedExport {
  return { ...toRecord(row), createdAt: row.created_at.toISOString() };
}

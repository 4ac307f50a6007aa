/**
 * MEM-008: exports, part by part. What is SECRET leaves only by a proof, which the signed cursor
 * stands for in the parts that follow. The execution ledger keeps digest and count, never content.
 */

import type { Identity } from "../access/identity.ts";
import type { Write } from "../command/command.ts";
import { newId } from "../core/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { readCursor, signCursor } from "../core/signed_cursor.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { type ProofServices, spendProof } from "../family/proof.ts";
import { readOnlyKey } from "../family/route.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { created, ok, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import {
  executionEntry,
  type ExecutionRow,
  findExecution,
  listFamilyExecutions,
} from "../records/port.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { refuseQuery } from "../validate/schema.ts";
import {
  EXPORT_SCHEMA,
  type ExportAnswer,
  type ExportDocument,
  type ExportRecord,
  LISTED_EXPORT_SCHEMA,
  type ListedExport,
  writeExport,
} from "./export_format.ts";
import { type ExportPart, readPart } from "./export_part.ts";
import { EXPORT_BODY, type ExportBody, readExportBody } from "./export_schema.ts";
import { toMemory } from "./memory.ts";
import { memoryCommand } from "./store.ts";
import { maySeeSecrets } from "./view.ts";

/** What the export routes need of the application. */
export interface ExportServices extends ProofServices {
  /** Signs the cursors. */
  readonly serverSecret: Uint8Array;
}

const FEATURE = { feature_id: "MEM-008", strategy: "export" } as const;
const PROOF_USE = { purpose: "MEMORY_SECRET_EXPORT", targetId: null } as const;
const CURSOR_LIFETIME_MS = 15 * 60 * 1000;
/** What a cursor holds beside its place when it stands for a proof. */
const PROVEN = "proven";

/** The endpoints of `/exports`. */
export function createExportEndpoints(
  services: ExportServices,
): Readonly<Record<"createExport" | "listExports" | "export", Endpoint>> {
  const { database, commands } = services;
  return {
    createExport: endpoint({
      contract: {
        summary: "Export memories, one part a call; what is SECRET takes a proof",
        body: bodyOf(EXPORT_BODY, { format: "JSON" }),
        headers: ["Step-Up-Proof"],
        responses: { 201: { data: EXPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND", "STEP_UP_REQUIRED"],
      },
      body: "json",
      parse: (call) => refuseQuery(call.query),
      async handle(call) {
        const owner = call.identity.account.accountId;
        const body = readExportBody(call.body);
        const place = readPlace(services, call, body);
        const part = place && await readPart(database, owner, body, place.after);
        const command = memoryCommand(call, { target: "", policy: "memory-export" });
        const { result, replayed } = await commands.run<never, ExportAnswer>(command, {
          decide() {
            // Refused behind the claim: a repetition is answered after its cursor has expired too.
            if (!place || !part) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
            return exporting(services, call, body, place, part);
          },
          async replay({ executionId = "" }) {
            const row = await find(services, owner, executionId);
            if (row === undefined) throw new Error("An envelope names an export that is not there");
            return { ...toRecord(row), content: null, nextCursor: null };
          },
        });
        return replying(created(result, `${call.path}/${result.executionId}`), replayed);
      },
    }),

    listExports: endpoint({
      contract: {
        summary: "List the exports that were made, newest first",
        query: PAGE_QUERY,
        responses: { 200: { data: pageOf(LISTED_EXPORT_SCHEMA) } },
        errors: [],
      },
      body: "none",
      parse: ({ query }) => readPageQuery(query),
      async handle({ parsed: { limit, cursor }, identity }) {
        const owner = identity.account.accountId;
        const known = cursor === null || await find(services, owner, cursor) !== undefined;
        if (!known) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
        const rows = await database.read((sql) =>
          listFamilyExecutions(sql, owner, FEATURE.feature_id, cursor, limit + 1)
        );
        return ok(toPage(rows, limit, toListed, (item) => item.executionId));
      },
    }),

    export: endpoint({
      contract: {
        summary: "Describe an export that was made",
        responses: { 200: { data: LISTED_EXPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyKey(call, ["executionId"]).executionId,
      async handle({ parsed: executionId, identity }) {
        const row = await find(services, identity.account.accountId, executionId);
        if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
        return ok(toListed(row));
      },
    }),
  };
}

async function find(
  { database }: ExportServices,
  owner: string,
  executionId: string,
): Promise<ExecutionRow | undefined> {
  const [row] = await database.read((sql) => findExecution(sql, owner, executionId));
  return row?.feature_id === FEATURE.feature_id ? row : undefined;
}

/** Where a part begins, and whether an earlier part brought the proof. */
interface Place {
  readonly after: string | null;
  readonly proven: boolean;
}

/** Null for a cursor of another session or request, or an expired one. */
function readPlace(
  { serverSecret }: ExportServices,
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
  services: ExportServices,
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
    result: { executionId: row.execution_id, ...document, nextCursor },
    ...(takesSecrets && !place.proven && {
      verify: (sql) => spendProof(services, call, sql, PROOF_USE, "STEP_UP_REQUIRED"),
    }),
    statement: (sql, ledger) =>
      sql`
        with ${ledger.claim}, ${executionEntry(sql, owner, row)}, ${ledger.entries}
        select verdict, envelope from claim`,
  };
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

/**
 * Exports of a whole account. Rows are read from one snapshot and spooled, so that a slow client
 * holds no transaction. The bytes of attachments never change, and are read while they are sent.
 */

import type { StepUp } from "../access/step_up.ts";
import type { ObjectStore } from "../attachments/object_store.ts";
import { commandOf, type CommandResult, type CreateWork } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import { noteSecretShown } from "../access/identity.ts";
import { FairPlaces } from "../core/fair_places.ts";
import { newId } from "../core/ids.ts";
import type { JsonValue } from "../core/json.ts";
import { EXPORTS_AT_ONCE, EXPORTS_WAITING } from "../core/shares.ts";
import type { SpoolShares } from "../core/spool_shares.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError, tooManyRequests } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { readOnlyPathId } from "../http/path.ts";
import { created, ok, type Reply, replying } from "../http/reply.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { assertProof, spendProof } from "../kit/proof.ts";
import { boolean, oneOf, optional, readBody, refuseQuery } from "../validate/schema.ts";
import type { AccountExportFormat } from "./export_format.ts";
import {
  ACCOUNT_EXPORT_SCHEMA,
  type AccountExport,
  findAccountExport,
  findOpenAccountExport,
  insertAccountExport,
} from "./export_store.ts";
import { JSON_LINES } from "./json_lines.ts";
import { markdownArchive } from "./markdown/archive.ts";
import type { SpoolFolder } from "./spool.ts";
import { spoolExport } from "./spool_export.ts";

const PURPOSE = "ACCOUNT_EXPORT";
/** How long an export can be read. */
const LIFETIME_MS = 60 * 60 * 1000;

const EXPORT_BODY = {
  format: optional(oneOf("JSON_LINES", "MARKDOWN")),
  /** True if Markdown files include SECRET entries; a proof is required in any case. */
  includeSecret: optional(boolean),
};

export interface AccountExportServices {
  readonly database: Database;
  readonly commands: CommandRunner;
  readonly objects: ObjectStore;
  readonly spool: SpoolFolder;
  readonly spools: SpoolShares;
  /** Null without step-up proofs: then nothing can be exported. */
  readonly stepUp: StepUp | null;
}

export function createAccountExportEndpoints(
  services: AccountExportServices,
): Readonly<Record<"createExport" | "export" | "exportContent", Endpoint>> {
  return {
    createExport: createEndpoint(services),

    export: endpoint({
      contract: {
        summary: "Describe an export that the session made in the last hour",
        responses: { 200: { data: ACCOUNT_EXPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyPathId(call, "exportId"),
      handle: async (call) => ok(await requireExport(services, call)),
    }),

    exportContent: endpoint({
      contract: {
        summary: "Download an export that the session made in the last hour",
        responses: {
          200: { content: { mediaType: "*/*" }, headers: ["Content-Disposition"] },
        },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyPathId(call, "exportId"),
      handle: (call) => sendContent(services, call),
    }),
  };
}

function createEndpoint(services: AccountExportServices): Endpoint {
  const turns = new FairPlaces({ places: Infinity, perAccount: EXPORTS_AT_ONCE });
  return endpoint({
    contract: {
      summary: "Export the whole account; requires a step-up proof",
      stepUp: PURPOSE,
      body: bodyOf(EXPORT_BODY, { format: "MARKDOWN", includeSecret: true }),
      responses: { 201: { data: ACCOUNT_EXPORT_SCHEMA } },
      errors: [],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { format, hasSecrets } = readFormat(call.body);
      const { result, replayed } = await exportAccount({ ...services, turns }, call, format);
      // After this reply, only the session that made it can fetch the content.
      if (hasSecrets) noteSecretShown(call.caller, result.exportId);
      return replying(created(result, `${call.path}/${result.exportId}`), replayed);
    },
  });
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
function readFormat(
  sent: JsonValue,
): { readonly format: AccountExportFormat; readonly hasSecrets: boolean } {
  const { format = "JSON_LINES", includeSecret } = readBody(EXPORT_BODY, sent);
  if (format === "MARKDOWN") {
    const hasSecrets = includeSecret ?? false;
    return { format: markdownArchive({ includeSecret: hasSecrets }), hasSecrets };
  }
  // The other formats contain everything.
  if (includeSecret !== undefined) {
    throw payloadInvalid(["export.include_secret"], ["includeSecret"]);
  }
  return { format: JSON_LINES, hasSecrets: true };
}

/** Exports the account in its turn, or returns the replay. */
async function exportAccount(
  services: AccountExportServices & { readonly turns: FairPlaces },
  call: CheckedCall<void>,
  format: AccountExportFormat,
): Promise<CommandResult<AccountExport>> {
  const { database, commands, spool, turns } = services;
  const { caller, now } = call;
  const owner = caller.account.accountId;
  const exportId = newId(now);
  const about = { module: null, policy: "account-export", continuesWhenFull: true };
  const command = commandOf(call, about);
  try {
    const outcome = await commands.run<never, AccountExport>(command, {
      // Rejects a missing proof before any slow work starts.
      before: (sql) => assertProof(services, call, sql, { purpose: PURPOSE }),
      prepare: () => {
        if (turns.ownWaiting >= EXPORTS_WAITING) throw new ServiceError("HTTP_429");
        return turns.run(async () => {
          await assertRoom(services, owner, now);
          const made = await makeExport(services, owner, format, exportId, now);
          return creation(services, call, made);
        });
      },
      async replay({ recordId }) {
        const kept = await database.read((sql) => findAccountExport(sql, owner, recordId));
        if (kept === null) throw new Error("An envelope names a missing export");
        return kept;
      },
    });
    if (outcome.replayed) await spool.remove(exportId);
    return outcome;
  } catch (error) {
    await spool.remove(exportId);
    throw error;
  }
}

/**
 * A running export may exceed the share: only the account's rows limit it.
 *
 * @throws ServiceError `HTTP_429` while the account's files use their share of the disk.
 */
async function assertRoom(
  { spool, spools }: AccountExportServices,
  owner: string,
  now: Date,
): Promise<void> {
  await spool.removeExpired(now);
  if (await spools.usedBy(owner) < spools.accountBytes) return;
  // Without an export the files are those of imports, which wait for their owner.
  const until = spool.expiryOf(owner)?.getTime() ?? now.getTime() + LIFETIME_MS;
  const seconds = Math.ceil((until - now.getTime()) / 1000);
  throw tooManyRequests(seconds);
}

function creation(
  services: AccountExportServices,
  call: CheckedCall<void>,
  made: AccountExport,
): CreateWork<AccountExport> {
  const { account, credential } = call.caller;
  return {
    decide: () => ({
      subjectId: made.exportId,
      revision: null,
      verify: (sql) => spendProof(services, call, sql, { purpose: PURPOSE }),
      statement: (sql, ledger) =>
        insertAccountExport(sql, ledger, account.accountId, credential.id, made),
      result: made,
    }),
  };
}

async function makeExport(
  services: AccountExportServices,
  owner: string,
  format: AccountExportFormat,
  exportId: string,
  now: Date,
): Promise<AccountExport> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const { size, sha256, counts } = await spoolExport(services, owner, format, {
    exportId,
    expiresAt,
  });
  const { mediaType, extension } = format;
  const filename = `prs-account-${now.toISOString().slice(0, 10)}.${extension}`;
  const times = { createdAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
  return { exportId, filename, mediaType, size, sha256, counts, ...times };
}

async function requireExport(
  { database }: AccountExportServices,
  { parsed: exportId, caller: { account, credential }, now }: CheckedCall<string>,
): Promise<AccountExport> {
  const found = await database.read((sql) =>
    findOpenAccountExport(sql, account.accountId, credential.id, exportId, now)
  );
  if (found === null) throw new ServiceError("RECORD_NOT_FOUND");
  return found;
}

async function sendContent(
  services: AccountExportServices,
  call: CheckedCall<string>,
): Promise<Reply> {
  const { objects, spool } = services;
  const { exportId, size, mediaType, filename } = await requireExport(services, call);
  const file = await spool.find(exportId);
  if (file === null) throw new ServiceError("RECORD_NOT_FOUND");
  const bytes = file.read(objects, call.caller.account.accountId);
  const body = call.request.method === "HEAD" ? null : ReadableStream.from(bytes);
  const headers = {
    "Content-Type": mediaType,
    "Content-Disposition": `attachment; filename="${filename}"`,
  };
  return { status: 200, body, length: size, headers };
}

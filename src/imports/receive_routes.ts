/** POST of a file: spools and checks it, then wakes the worker. */

import { PLANNED_IMPORTS, UPLOADS_AT_ONCE } from "../core/shares.ts";
import { SpoolFullError } from "../core/spool_shares.ts";
import { type Command, commandOf, type PlannedWrite } from "../command/command.ts";
import { whileDiskHasRoom } from "../command/disk_room.ts";
import { storageFull } from "../command/refusals.ts";
import { newId } from "../core/ids.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { created, type Reply } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { oneOf, optional, readQuery, string, stringMatching } from "../validate/schema.ts";
import { converterOf, CONVERTERS } from "./converters/converters.ts";
import {
  importConflict,
  type ImportRow,
  NEW_IMPORT_SCHEMA,
  type NewItemImport,
  NO_PLAN,
  readsOf,
  showNewImport,
} from "./import.ts";
import type { ImportServices } from "./work.ts";
import { countPlanned, hasSource, insertImport, isAtWork } from "./import_store.ts";
import { FileSource } from "./archive/file_source.ts";
import { checkHead, detectFormat, detectSource } from "./upload_check.ts";

const NAME_LENGTH = 100;
const MEDIA_TYPE = "application/octet-stream";

/** The file's own name: not a path, on one line. */
const FILENAME = "^[^/\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,200}$";
const FILENAME_FORM = new RegExp(FILENAME, "u");

/** The format of a file that is recognized by its signs. */
const AUTO = "auto";

const QUERY = {
  format: oneOf(...CONVERTERS.map(({ format }) => format), AUTO),
  name: optional(string({ maximum: NAME_LENGTH })),
  filename: optional(stringMatching("filename.form", (text) => FILENAME_FORM.test(text), {
    type: "string",
    pattern: FILENAME,
  })),
  keepOriginal: optional(oneOf("true", "false")),
};

interface UploadQuery {
  /** Null for one that the file shows. */
  readonly format: string | null;
  readonly name: string | null;
  readonly filename: string | null;
  readonly keepOriginal: boolean;
}

export function createReceiveEndpoint(services: ImportServices): Endpoint {
  const uploads = new AccountPlaces(UPLOADS_AT_ONCE);
  const { maximumBytes } = services;
  return endpoint({
    contract: {
      summary: "Receive a file of another product, and plan the outcomes of its items",
      query: QUERY,
      streamed: MEDIA_TYPE,
      responses: { 201: { data: NEW_IMPORT_SCHEMA } },
      errors: ["ACCOUNT_STORAGE_FULL", "IMPORT_STATE_CONFLICT", "SYSTEM_MAINTENANCE"],
    },
    body: "stream",
    parse({ query, request: { headers } }) {
      const sent = readUploadQuery(query);
      if (!/^application\/octet-stream\s*(;|$)/i.test(headers.get("Content-Type") ?? "")) {
        throw new ServiceError("HTTP_415");
      }
      if (Number(headers.get("Content-Length")) > maximumBytes) {
        throw new ServiceError("HTTP_413", { details: { limit: maximumBytes } });
      }
      return sent;
    },
    handle: (call) => uploads.run(call.caller, () => receive(services, call)),
  });
}

/** @throws ServiceError `PAYLOAD_INVALID`. */
function readUploadQuery(query: URLSearchParams): UploadQuery {
  const { name = null, filename = null, ...sent } = readQuery(QUERY, query);
  const format = sent.format === AUTO ? null : sent.format;
  if (name === null && (format === null || converterOf(format).isNamed)) {
    throw payloadInvalid(["field.required"], ["name"]);
  }
  return { format, name, filename, keepOriginal: sent.keepOriginal !== "false" };
}

async function receive(services: ImportServices, call: CheckedCall<UploadQuery>): Promise<Reply> {
  const { commands, folder, spools, worker } = services;
  const { caller: { account: { accountId: owner } }, request, now } = call;
  const about = { module: null, target: "", policy: "import", frozen: true };
  const command = commandOf(call, about);
  await commands.assertOpen(command);
  await assertPlace(services, owner);
  const importId = newId(now);
  try {
    await spools.assertRoom(owner, Number(request.headers.get("Content-Length") ?? 0));
    const result = await keepImport(services, call, command, importId);
    worker.wake();
    return created(result, `/api/v2/imports/${importId}`);
  } catch (error) {
    await folder.remove({ importId, owner });
    throw error instanceof SpoolFullError ? storageFull(spools.accountBytes) : error;
  }
}

/** Receives the file and stores the import, which names the folder; until then it is locked. */
async function keepImport(
  services: ImportServices,
  call: CheckedCall<UploadQuery>,
  command: Command,
  importId: string,
): Promise<NewItemImport> {
  const { commands, folder } = services;
  const { accountId: owner } = call.caller.account;
  const lock = await folder.make(owner, importId);
  try {
    const received = await receiveFile(services, call, importId);
    using file = await FileSource.open(folder.path(importId, "source"));
    const recognized = await recognize(services, owner, file, call.parsed);
    // The upload may have lasted long, so the credential is confirmed again.
    await call.confirm();
    await assertPlace(services, owner);
    const row = newRow(call, importId, recognized, received);
    const { result } = await commands.run<never, NewItemImport>(command, {
      decide: (): PlannedWrite<NewItemImport> => ({
        subjectId: importId,
        revision: null,
        statement: (sql, ledger) => insertImport(sql, ledger, row),
        result: showNewImport(row),
      }),
      replay: () => Promise.reject(new Error("An upload has no key")),
      constraints: { imports_at_work: () => new ServiceError("HTTP_429") },
    });
    return result;
  } finally {
    lock.release();
  }
}

/**
 * A recognized file has the name in its source only if its format requires one, or if an earlier
 * import has that source, so that nothing comes in twice.
 */
async function recognize(
  { database }: ImportServices,
  owner: string,
  file: FileSource,
  { format: stated, name: sent, filename }: UploadQuery,
): Promise<Pick<ImportRow, "format" | "source">> {
  const format = stated ?? await detectFormat(file, filename);
  const isNamed = stated !== null || converterOf(format).isNamed ||
    await database.read((sql) => hasSource(sql, owner, `${format}:${sent}`));
  return { format, source: await detectSource(file, { format, name: isNamed ? sent : null }) };
}

/** @throws ServiceError `HTTP_429` or `IMPORT_STATE_CONFLICT` for too many imports of the owner. */
async function assertPlace({ database }: ImportServices, owner: string): Promise<void> {
  const [isBusy, planned] = await database.read((sql) =>
    Promise.all([isAtWork(sql, owner), countPlanned(sql, owner)])
  );
  if (isBusy) throw new ServiceError("HTTP_429");
  if (planned >= PLANNED_IMPORTS) throw importConflict("import.planned");
}

/** @throws ServiceError `HTTP_415` if the head is of another format. */
async function receiveFile(
  { commands, folder, spools, clock, maximumBytes }: ImportServices,
  { request, caller: { account }, confirm, parsed: { format } }: CheckedCall<UploadQuery>,
  importId: string,
) {
  using _metered = folder.metered(importId, spools.meterOf(account.accountId));
  const stream = uploadStream(request, () => clock().getTime(), confirm)
    .pipeThrough(checkHead(format))
    .pipeThrough(whileDiskHasRoom(commands));
  return await folder.receive(importId, stream, maximumBytes);
}

function newRow(
  { parsed: { name, filename, keepOriginal }, caller, now }: CheckedCall<UploadQuery>,
  importId: string,
  { format, source }: Pick<ImportRow, "format" | "source">,
  { size, sha256 }: { readonly size: number; readonly sha256: string },
): ImportRow {
  return {
    import_id: importId,
    owner_id: caller.account.accountId,
    format,
    name,
    filename,
    source,
    size,
    sha256,
    keep_original: keepOriginal,
    created_at: now,
    updated_at: now,
    state: "RECEIVED",
    mapping: null,
    columns: null,
    ...NO_PLAN,
    looks_like: null,
    presets: null,
    table_facts: null,
    refusal: null,
    original_attachment_id: null,
    withdrawn: null,
    tries: null,
    reads: readsOf(caller),
  };
}

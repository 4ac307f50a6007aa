/** POST of a file: it is spooled, looked at, and left for the worker. */

import { UPLOADS_AT_ONCE } from "../core/shares.ts";
import type { PlannedWrite } from "../command/command.ts";
import { whileDiskHasRoom } from "../command/disk_room.ts";
import { familyCommand } from "../families/kit/write.ts";
import { newId } from "../core/ids.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { created, type Reply } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { oneOf, optional, readQuery, string } from "../validate/schema.ts";
import { converterOf, CONVERTERS } from "./converters/converters.ts";
import {
  type ImportRow,
  NEW_IMPORT_SCHEMA,
  type NewImport,
  NO_PLAN,
  showNewImport,
} from "./import.ts";
import type { ImportServices } from "./work.ts";
import { insertImport, isAtWork } from "./import_store.ts";
import { FileSource } from "./archive/file_source.ts";
import { readZip } from "./archive/zip.ts";
import { kindOf } from "./open_file.ts";
import { refuseNul } from "./converters/lines.ts";
import { FileRefusal } from "./refusal.ts";

const NAME_LENGTH = 100;
const MEDIA_TYPE = "application/octet-stream";

const QUERY = {
  format: oneOf(...CONVERTERS.map(({ format }) => format)),
  name: optional(string({ maximum: NAME_LENGTH })),
  keepOriginal: optional(oneOf("true", "false")),
};

interface Sent {
  readonly format: string;
  readonly name: string | null;
  readonly keepOriginal: boolean;
}

export function createReceiveEndpoint(services: ImportServices): Endpoint {
  const uploads = new AccountPlaces(UPLOADS_AT_ONCE);
  const { maximumBytes } = services;
  return endpoint({
    contract: {
      summary: "Receive a file of another product, and plan what is to come of its items",
      query: QUERY,
      streamed: MEDIA_TYPE,
      responses: { 201: { data: NEW_IMPORT_SCHEMA } },
      errors: ["ACCOUNT_STORAGE_FULL", "SYSTEM_MAINTENANCE"],
    },
    body: "stream",
    parse({ query, request: { headers } }) {
      const sent = readSent(query);
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
function readSent(query: URLSearchParams): Sent {
  const { format, name, keepOriginal } = readQuery(QUERY, query);
  if (name === undefined && converterOf(format).isNamed) {
    throw payloadInvalid(["field.required"], ["name"]);
  }
  return { format, name: name ?? null, keepOriginal: keepOriginal !== "false" };
}

async function receive(services: ImportServices, call: CheckedCall<Sent>): Promise<Reply> {
  const { database, commands, folder, clock, maximumBytes, worker } = services;
  const { caller: { account }, request, confirm, now } = call;
  const about = { module: null, target: "", policy: "import", frozen: true };
  const command = familyCommand(call, about);
  await commands.assertOpen(command);
  if (await database.read((sql) => isAtWork(sql, account.accountId))) {
    throw new ServiceError("HTTP_429");
  }
  const importId = newId(now);
  try {
    const stream = uploadStream(request, () => clock().getTime(), confirm)
      .pipeThrough(whileDiskHasRoom(commands));
    const received = await folder.receive(importId, stream, maximumBytes);
    const source = await lookAt(services, importId, call.parsed);
    // The upload may have taken long: the credential must still be valid.
    await confirm();
    const row = newRow(call, importId, source, received);
    const { result } = await commands.run<never, NewImport>(command, {
      decide: (): PlannedWrite<NewImport> => ({
        subjectId: importId,
        revision: null,
        statement: (sql, ledger) => insertImport(sql, ledger, row),
        result: showNewImport(row),
      }),
      replay: () => Promise.reject(new Error("An upload has no key")),
      constraints: { imports_at_work: () => new ServiceError("HTTP_429") },
    });
    worker.wake();
    return created(result, `/api/v2/imports/${importId}`);
  } catch (error) {
    await folder.remove(importId);
    throw error;
  }
}

/**
 * The source of a file that begins like its format; null if a broken archive does not tell it.
 *
 * @throws ServiceError `HTTP_415`, rule `import.format`.
 */
async function lookAt(
  { folder }: ImportServices,
  importId: string,
  { format, name }: Sent,
): Promise<string | null> {
  const converter = converterOf(format);
  using file = await FileSource.open(folder.path(importId, "source"));
  try {
    const kind = await kindOf(file, converter);
    if (converter.sourceOf !== undefined) {
      const archive = kind === "text" ? null : await readZip(file);
      return await converter.sourceOf({ name, file, archive });
    }
    if (kind === "text") await refuseNul(file);
    return converter.isNamed ? `${format}:${name}` : format;
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    if (error.rule !== "import.format") return format === "prs-items" ? null : format;
    throw new ServiceError("HTTP_415", { details: { rules: [error.rule] } });
  }
}

function newRow(
  { parsed: { format, name, keepOriginal }, caller, now }: CheckedCall<Sent>,
  importId: string,
  source: string | null,
  { size, sha256 }: { readonly size: number; readonly sha256: string },
): ImportRow {
  return {
    import_id: importId,
    owner_id: caller.account.accountId,
    ...{ format, name, source, size, sha256, keep_original: keepOriginal },
    created_at: now,
    updated_at: now,
    state: "RECEIVED",
    mapping: null,
    columns: null,
    ...NO_PLAN,
    refusal: null,
    original_attachment_id: null,
    withdrawn: null,
  };
}

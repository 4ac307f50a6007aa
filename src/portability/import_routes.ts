/**
 * Imports of a whole account into an empty one: all of a file or nothing.
 *
 *   1. The file is spooled, so that a slow client holds no transaction. Each line is checked as it
 *      arrives; the first invalid one ends the import. Bytes of attachments are received, but not
 *      yet at their final path.
 *   2. One transaction reads the file again, inserts the rows, checks every constraint, moves the
 *      bytes to their paths, and commits.
 */

import { createHash } from "node:crypto";
import { lockAccountExclusively } from "../accounts/account_store.ts";
import { addUsage } from "../attachments/attachment_store.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { commandOf, type KeylessCommand } from "../command/command.ts";
import { whileDiskHasRoom } from "../command/disk_room.ts";
import { auditEntries } from "../command/statements.ts";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { IMPORTS_AT_ONCE } from "../core/shares.ts";
import type { Tx } from "../database/database.ts";
import { databaseFailure } from "../database/failures.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { AccountPlaces } from "../http/account_places.ts";
import { ok } from "../http/reply.ts";
import { uploadStream } from "../http/request.ts";
import { type CheckedCall, type Endpoint, endpoint } from "../http/route.ts";
import { indexAccount } from "../search/build.ts";
import { component, type JsonSchema, SHA256, ULID } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { type NestedRows, readAccountFile, readAccountLines } from "./account_file.ts";
import type { RowCounts } from "./export_format.ts";
import { COUNTS_SCHEMA } from "./export_store.ts";
import type { AccountExportServices } from "./export_routes.ts";
import type { LineType } from "./description.ts";
import { ErasedFilter } from "./erased_filter.ts";
import { assertEmpty, assertReferences } from "./import_checks.ts";
import { checkAccount, ReceivedAttachments } from "./import_file.ts";
import type { ImportRule } from "./import_rules.ts";
import { type FileForm, JSON_LINES, OWN_FILE } from "./json_lines.ts";
import { ATTACHMENT_LINES } from "./lines/attachments.ts";
import { RowWriter } from "./row_writer.ts";

/** Maximum file size: 10 GiB of attachments in base64, and room for the rest. */
const FILE_BYTES = 16 * 1024 * 1024 * 1024;

export interface AccountImportServices extends Omit<AccountExportServices, "stepUp"> {
  readonly catalog: Catalog;
  /** Measures the speed of an upload. */
  readonly clock: Clock;
}

interface ImportedAccount {
  readonly importId: string;
  /** Digest of the file, in hex. */
  readonly sha256: string;
  readonly counts: RowCounts;
}

const IMPORTED_ACCOUNT_SCHEMA: JsonSchema = component<ImportedAccount>("ImportedAccount", {
  importId: ULID,
  sha256: SHA256,
  counts: COUNTS_SCHEMA,
});

export function createAccountImportEndpoint(services: AccountImportServices): Endpoint {
  const imports = new AccountPlaces(IMPORTS_AT_ONCE);
  return endpoint({
    contract: {
      summary: "Import a whole account into an empty one",
      streamed: JSON_LINES.mediaType,
      responses: { 200: { data: IMPORTED_ACCOUNT_SCHEMA } },
      errors: ["ACCOUNT_NOT_EMPTY", "ACCOUNT_STORAGE_FULL", "SYSTEM_MAINTENANCE"],
    },
    body: "stream",
    parse({ query, request: { headers } }) {
      refuseQuery(query);
      const mediaType = headers.get("Content-Type") ?? "";
      if (!/^application\/jsonl\s*(;|$)/i.test(mediaType)) throw new ServiceError("HTTP_415");
      if (Number(headers.get("Content-Length")) > FILE_BYTES) {
        throw new ServiceError("HTTP_413", { details: { limit: FILE_BYTES } });
      }
    },
    handle: (call) => imports.run(call.caller, async () => ok(await importAccount(services, call))),
  });
}

async function importAccount(
  services: AccountImportServices,
  call: CheckedCall<void>,
): Promise<ImportedAccount> {
  const { database, commands, objects, spool, clock } = services;
  const { caller: { account }, request, confirm, now } = call;
  const command = importCommand(call);
  await commands.assertOpen(command);
  await database.read((sql) => assertEmpty(sql, account.accountId));
  const importId = newId(now);
  try {
    const stream = uploadStream(request, () => clock().getTime(), confirm)
      .pipeThrough(whileDiskHasRoom(commands));
    const hash = createHash("sha256");
    const chunks = spool.receiving(importId, stream, FILE_BYTES, hash);
    await using received = new ReceivedAttachments(account.accountId);
    await checkAccount(readAccountLines(chunks, now, OWN_FILE), received, objects);
    // The upload may have taken long: the credential must still be valid.
    await confirm();
    const counts = await commands.runMany(command, async (tx) => {
      // Until the transaction ends, no other transaction can add a row of the account.
      await lockAccountExclusively(tx.sql, account.accountId);
      await assertEmpty(tx.sql, account.accountId);
      const source = { path: spool.path(importId), form: OWN_FILE, received };
      const written = await writeAccount(
        services,
        tx,
        { owner: account.accountId, now },
        source,
      );
      await auditEntries(tx.sql, command, [{ subjectId: importId, revision: null }]);
      return written;
    }).catch((error) => {
      throw refusalOf(error) ?? error;
    });
    return { importId, sha256: hash.digest("hex"), counts };
  } finally {
    await spool.remove(importId);
  }
}

function importCommand(call: CheckedCall<void>): KeylessCommand {
  const options = { module: null, policy: "account-import", frozen: true };
  return commandOf({ ...call, key: null }, options);
}

interface CheckedFile {
  readonly path: string;
  readonly form: FileForm;
  readonly received: ReceivedAttachments;
}

/**
 * Inserts the rows of a checked file, except those of subjects that the file or the account names
 * as erased. If nothing failed, stores its attachments.
 *
 * @returns the number of rows written of each type.
 */
export async function writeAccount(
  { catalog, commands }: Pick<AccountImportServices, "catalog" | "commands">,
  { sql }: Tx,
  { owner, now }: { readonly owner: string; readonly now: Date },
  { path, form, received: attachments }: CheckedFile,
): Promise<RowCounts> {
  const writer = new RowWriter(sql, owner);
  const filter = await ErasedFilter.of(sql, owner);
  const counts: Record<string, number> = Object.fromEntries(
    form.types.map(({ type }) => [type, 0]),
  );
  const accepts = (type: LineType, row: JsonObject, below: NestedRows = {}) => {
    const isAccepted = filter.accepts(type, row, below);
    if (isAccepted) counts[type.type] = (counts[type.type] ?? 0) + 1;
    return isAccepted;
  };
  /** The last row, which lines of the type `continued` belong to; null if it was left out. */
  let last: JsonObject | null = null;
  for await (const entry of readAccountFile(path, now, form)) {
    commands.assertDiskRoom();
    // The attachments come last, and their bytes are not read again.
    if (entry.kind === "end" || entry.kind === "bytes") break;
    if (entry.kind === "row" && entry.type.hasBytes) break;
    if (entry.kind === "row") {
      last = accepts(entry.type, entry.row, entry.below)
        ? filter.rest(entry.type, entry.row)
        : null;
    }
    if (last === null) continue;
    const below = filter.below(entry.type, last, entry.below);
    if (entry.kind === "more") await writer.addBelow(below);
    else if (entry.type.isWritten) await writer.addRow(entry.type, last, below);
  }
  attachments.keep((row) => accepts(ATTACHMENT_LINES, row));
  for (const row of attachments.rows) await writer.addRow(ATTACHMENT_LINES, row);
  await writer.flush();
  if (attachments.rows.length > 0) await addUsage(sql, owner, attachments.bytes);
  await assertReferences(sql, owner, catalog);
  await indexAccount(sql, catalog, owner);
  await sql`set constraints all immediate`;
  await attachments.store(sql);
  return counts;
}

/** The error for a file whose rows a table rejects; null for any other failure. */
export function refusalOf(error: unknown): ServiceError | null {
  const { sqlstate } = databaseFailure(error) ?? { sqlstate: "" };
  const rule = RULES[sqlstate] ?? RULES[sqlstate.slice(0, 3)] ?? RULES[sqlstate.slice(0, 2)];
  return rule === undefined ? null : payloadInvalid([rule]);
}

/** By SQLSTATE, or its prefix: integrity, values, and the guards of `sql/`. */
const RULES: Readonly<Record<string, ImportRule>> = {
  "23503": "import.reference",
  "23505": "import.repeated",
  "23": "import.guard",
  "22": "import.value",
  PRS: "import.guard",
};

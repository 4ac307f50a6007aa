/**
 * Copies an installation without the erased rows, in one transaction of the new database and under
 * its guards. The old rows are read in one snapshot.
 */

import type { ObjectStore } from "../../attachments/object_store.ts";
import { lossOf, type LostAttachment } from "../../attachments/loss.ts";
import { listObjects, type StoredObject } from "../../attachments/stored_object.ts";
import { sealRestored } from "../../audit/sealing.ts";
import { counted } from "../../core/counted.ts";
import { newId } from "../../core/ids.ts";
import type { Report } from "../../core/report.ts";
import type { Tx } from "../../database/database.ts";
import type { Sql } from "../../database/sql.ts";
import { insertErasure, insertSubjects } from "../../erasure/erased_store.ts";
import { ErasureFilter } from "../../erasure/filter.ts";
import { beginChangeFeed } from "../../records/feed/port.ts";
import { restartBuild } from "../../search/build_store.ts";
import { BackupError } from "../backup/backup_error.ts";
import { type TableSum, TableTally } from "../backup/format.ts";
import { assertEmpty } from "../backup/restore.ts";
import { insertRows, readRows, sumTable } from "../backup/table_rows.ts";
import { BACKED_UP_TABLES, type BackedUpTable } from "../backup/tables.ts";
import type { Certificate } from "./certificate.ts";
import { type ErasureScan, sealedLine } from "./scan.ts";

/** Tables with changed or new rows. All others must have the same digest as the retained rows. */
const CHANGED: readonly string[] = [
  "idempotency_envelopes",
  "attachment_usage",
  "audit_entries",
  "audit_seals",
  "audit_late_entries",
  "erased_subjects",
  "erasure_certificates",
];

/** The old installation. */
interface CopySource {
  /** A snapshot. */
  readonly sql: Sql;
  readonly objects: Pick<ObjectStore, "read">;
  /** The scan of the same snapshot. */
  readonly scan: ErasureScan;
}

/** The new installation. */
interface CopyTarget {
  readonly tx: Tx;
  readonly objects: Pick<ObjectStore, "spool">;
}

export type ReportLost = (lost: readonly LostAttachment[]) => void;

/** The members of a certificate that are known before the copy. */
type CertificateHead = Omit<Certificate, "tables" | "counts" | "seals">;

/**
 * Copies the retained rows and files, and adds the entry `erasure.run`, its seal and the
 * certificate.
 *
 * @param reportLost Called with the attachments whose bytes were lost before: only their rows are
 *   copied.
 * @returns the certificate.
 * @throws BackupError if the database is not empty, or a table differs.
 */
export async function copyInstallation(
  source: CopySource,
  target: CopyTarget,
  head: CertificateHead,
  report: Report,
  reportLost: ReportLost,
): Promise<Certificate> {
  const { tx } = target;
  const { scan } = source;
  await tx.withoutTimeouts();
  await assertEmpty(tx, BACKED_UP_TABLES);
  // Before the rows, because guards read the erased subjects.
  await insertSubjects(tx.sql, head);
  const filter = new ErasureFilter(scan.erased);
  const copied = await copyTables(source.sql, tx, filter, report);
  reportLost(await copyObjects(source, target, filter, report));
  if (head.scope.every(({ kind }) => kind !== "ACCOUNT")) await insertEntry(tx, head);
  await sealRestored(tx, new Date(head.at));
  await beginChangeFeed(tx);
  await restartBuild(tx.sql);
  return await certify(tx, head, scan, copied);
}

async function copyTables(
  sql: Sql,
  tx: Tx,
  filter: ErasureFilter,
  report: Report,
): Promise<ReadonlyMap<string, TableSum>> {
  const copied = new Map<string, TableSum>();
  for (const table of BACKED_UP_TABLES) {
    const tally = new TableTally();
    for await (const lines of readRows(sql, table, null)) {
      const retained = lines.flatMap((line) => filter.apply(table.name, line) ?? []);
      for (const line of retained) tally.add(sealedLine(table.name, line));
      if (!table.fixed && retained.length > 0) await insertRows(tx, table, retained);
    }
    copied.set(table.name, tally.sum());
    report(`${table.name}: ${counted(tally.sum().rows, "row")}`);
  }
  return copied;
}

async function copyObjects(
  { sql, objects: from }: CopySource,
  to: CopyTarget,
  filter: ErasureFilter,
  report: Report,
): Promise<readonly LostAttachment[]> {
  const lost: LostAttachment[] = [];
  let count = 0;
  for (const object of await listObjects(sql)) {
    if (!filter.retainsObject(object.owner, object.sha256)) continue;
    const loss = await lossOf(from, object);
    if (loss === null) await copyObject(from, to, object);
    else lost.push(...object.attachmentIds.map((attachmentId) => ({ attachmentId, loss })));
    report(counted(++count, "attachment"));
  }
  return lost;
}

async function copyObject(
  from: Pick<ObjectStore, "read">,
  { tx, objects }: CopyTarget,
  object: StoredObject,
): Promise<void> {
  const received = await objects.spool(object.owner, await from.read(object), object.size);
  try {
    if (received.sha256 !== object.sha256) {
      throw new BackupError("An attachment changed while it was copied: run the plan again");
    }
    await received.store(tx.sql);
  } finally {
    await received.discard();
  }
}

/** Adds the entry `erasure.run` to the account's trail, in the form of a backup's line. */
async function insertEntry(tx: Tx, { id, at, accountId }: CertificateHead): Promise<void> {
  const now = new Date(at);
  const entry = {
    owner_id: accountId,
    audit_id: newId(now),
    actor_id: accountId,
    credential_kind: "ADMIN",
    credential_id: id,
    operation: "erasure.run",
    module_code: null,
    subject_id: id,
    revision: null,
    request_id: newId(now),
    created_at: at,
    // Waits for its seal.
    transaction_id: 0,
  };
  await insertRows(tx, tableOf("audit_entries"), [JSON.stringify(entry)]);
}

function tableOf(name: string): BackedUpTable {
  const table = BACKED_UP_TABLES.find((table) => table.name === name);
  if (table === undefined) throw new Error(`${name} is in no backup`);
  return table;
}

/**
 * Compares every table, and stores the certificate. The stored one cannot hold the digest of its
 * own table: there, `after` counts the certificates before it.
 */
async function certify(
  tx: Tx,
  head: CertificateHead,
  { tables: before, counts, seals }: ErasureScan,
  copied: ReadonlyMap<string, TableSum>,
): Promise<Certificate> {
  const tables: Record<string, Certificate["tables"][string]> = {};
  for (const table of BACKED_UP_TABLES) {
    const after = await sumTable(tx.sql, table, null);
    tables[table.name] = { before: sumOf(before, table.name), after };
    const expected = copied.get(table.name);
    if (!CHANGED.includes(table.name) && after.sha256 !== expected?.sha256) {
      throw new BackupError(`The rows of ${table.name} are copied as others`);
    }
  }
  const certificate = { ...head, counts, tables, seals };
  await insertErasure(tx, head, JSON.stringify(certificate));
  const own = "erasure_certificates";
  const after = await sumTable(tx.sql, tableOf(own), null);
  return {
    ...certificate,
    tables: { ...tables, [own]: { before: sumOf(before, own), after } },
  };
}

function sumOf(sums: Readonly<Record<string, TableSum>>, table: string): TableSum {
  const sum = sums[table];
  if (sum === undefined) throw new Error(`${table} was not scanned`);
  return sum;
}

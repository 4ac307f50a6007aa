import { createHash } from "node:crypto";
import { findLostAttachments, type LostAttachment } from "../attachments/loss.ts";
import type { ObjectStore } from "../attachments/object_store.ts";
import { listObjects } from "../attachments/stored_object.ts";
import type { Database } from "../database/database.ts";
import type { AccountExportFormat, LostDigests, RowCounts } from "./export_format.ts";
import type { SpooledFile, SpoolFolder } from "./spool.ts";

export interface SpoolServices {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly spool: SpoolFolder;
}

export interface SpooledExport {
  readonly file: SpooledFile;
  /** Bytes. */
  readonly size: number;
  /** Hex digest of the whole file. */
  readonly sha256: string;
  readonly counts: RowCounts;
  /** Attachments that the file names without their bytes. */
  readonly lost: readonly LostAttachment[];
}

/** Spools an export, then reads it once to know its size and digest. */
export async function spoolExport(
  { database, objects, spool }: SpoolServices,
  owner: string,
  { write, end }: Pick<AccountExportFormat, "write" | "end">,
  { exportId, expiresAt }: { readonly exportId: string; readonly expiresAt: Date },
): Promise<SpooledExport> {
  // Before the snapshot, which reading many bytes would keep open.
  const { digests, lost } = await findLost(database, objects, owner);
  await using writer = await database.snapshot(async (sql) => {
    await using opened = new AsyncDisposableStack();
    // A retried snapshot begins a new file.
    await spool.remove(exportId);
    const file = opened.use(await spool.create(exportId, { owner, until: expiresAt }));
    await write(sql, owner, file, digests);
    opened.move();
    return file;
  });
  await writer.end();
  const { file, counts } = writer;
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of file.read(objects, owner)) {
    hash.update(chunk);
    size += chunk.length;
  }
  const last = new TextEncoder().encode(end(counts, hash.copy().digest("hex")));
  await writer.bytes(last);
  await writer.end();
  return { file, size: size + last.length, sha256: hash.update(last).digest("hex"), counts, lost };
}

async function findLost(
  database: Database,
  objects: ObjectStore,
  owner: string,
): Promise<{ readonly digests: LostDigests; readonly lost: readonly LostAttachment[] }> {
  const digests = new Set<string>();
  const lost: LostAttachment[] = [];
  for (const object of await database.read((sql) => listObjects(sql, owner))) {
    const found = await findLostAttachments(objects, [object]);
    if (found.length > 0) digests.add(object.sha256);
    lost.push(...found);
  }
  return { digests, lost };
}

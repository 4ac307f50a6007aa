/** Searches this installation, or a backup, for rows and files of erased subjects. */

import type { Database } from "../../database/database.ts";
import type { Report } from "../../core/report.ts";
import { type Erasure, readErasures } from "../../erasure/erased_store.ts";
import type { BackupToRead } from "../backup/installation.ts";
import { readBackup } from "../backup/read_backup.ts";
import { erasedIdsOf, mergeErasures, readErasureList } from "./erasure_list.ts";
import { ErasureScan, scanTables } from "./scan.ts";

/** A table that still has rows of a subject. */
interface Remains {
  readonly table: string;
  readonly subjectId: string;
}

export interface ErasureVerification {
  readonly certificates: number;
  readonly subjects: number;
  readonly found: readonly Remains[];
}

/** The name under which stored bytes are reported. */
const OBJECTS = "objects";

/** Verifies a database, and the attachments under DATA_DIR. */
export async function verifyErasures(
  database: Database,
  dataDir: string,
  report: Report,
): Promise<ErasureVerification> {
  const listed = await readErasureList(dataDir);
  return await database.snapshot(async (sql) => {
    const erasures = mergeErasures(listed, await readErasures(sql));
    const scan = new ErasureScan("", [], erasedIdsOf(erasures));
    await scanTables(sql, scan, report);
    return toVerification(erasures, scan, await findFolders(dataDir, erasures));
  });
}

/** Verifies a backup. Its own certificates count too. */
export async function verifyErasuresOfBackup(
  dataDir: string,
  { path, identity }: BackupToRead,
): Promise<ErasureVerification> {
  const erasures = mergeErasures(
    await readErasureList(dataDir),
    await readBackedUp({ path, identity }),
  );
  const erased = erasedIdsOf(erasures);
  const scan = new ErasureScan("", [], erased);
  let table = "";
  const objects: Remains[] = [];
  for await (const entry of readBackup(path, identity)) {
    if (entry.kind === "table") scan.begin(table = entry.table.name);
    if (entry.kind === "row") scan.add(table, entry.line);
    if (entry.kind === "object" && erased.hasAccount(entry.object.owner)) {
      objects.push({ table: OBJECTS, subjectId: entry.object.owner });
    }
  }
  return toVerification(erasures, scan, objects);
}

async function readBackedUp({ path, identity }: BackupToRead): Promise<readonly Erasure[]> {
  const erasures: Erasure[] = [];
  let table = "";
  for await (const entry of readBackup(path, identity)) {
    if (entry.kind === "table") table = entry.table.name;
    if (entry.kind !== "row" || table !== "erasure_certificates") continue;
    const { id, at, reason, accountId, scope } = JSON.parse(JSON.parse(entry.line).certificate);
    erasures.push({ id, at, reason, accountId, scope });
  }
  return erasures;
}

/** The folders of objects that erased accounts still have. */
async function findFolders(dataDir: string, erasures: readonly Erasure[]): Promise<Remains[]> {
  const found: Remains[] = [];
  for (const { kind, id } of erasures.flatMap(({ scope }) => scope)) {
    if (kind !== "ACCOUNT") continue;
    const exists = await Deno.stat(`${dataDir}/objects/${id}`).then(() => true, () => false);
    if (exists) found.push({ table: OBJECTS, subjectId: id });
  }
  return found;
}

function toVerification(
  erasures: readonly Erasure[],
  scan: ErasureScan,
  objects: readonly Remains[],
): ErasureVerification {
  const byKey = new Map(
    [...scan.found.values(), ...objects].map((each) => [`${each.table} ${each.subjectId}`, each]),
  );
  return {
    certificates: erasures.length,
    subjects: erasures.reduce((sum, { scope }) => sum + scope.length, 0),
    found: [...byKey].sort(([one], [other]) => one < other ? -1 : 1).map(([, each]) => each),
  };
}

/** Whether anything is left of what certificates name: in this installation, or in a backup. */

import type { Database } from "../../database/database.ts";
import type { Report } from "../../core/report.ts";
import { type Erasure, readErasures } from "../../erasure/erased_store.ts";
import type { BackupToRead } from "../backup/installation.ts";
import { readBackup } from "../backup/read_backup.ts";
import { goneOf, mergeErasures, readErasureList } from "./erasure_list.ts";
import { Survey, surveyTables } from "./survey.ts";

/** A table that still has rows of a subject. */
export interface Remains {
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

/** Looks in a database, and under DATA_DIR for the attachments of erased accounts. */
export async function verifyErasures(
  database: Database,
  dataDir: string,
  report: Report,
): Promise<ErasureVerification> {
  const listed = await readErasureList(dataDir);
  return await database.snapshot(async (sql) => {
    const erasures = mergeErasures(listed, await readErasures(sql));
    const survey = new Survey("", [], goneOf(erasures));
    await surveyTables(sql, survey, report);
    return toVerification(erasures, survey, await findFolders(dataDir, erasures));
  });
}

/** Looks in a backup. Its own certificates count too. */
export async function verifyErasuresOfBackup(
  dataDir: string,
  { path, identity }: BackupToRead,
): Promise<ErasureVerification> {
  const erasures = mergeErasures(
    await readErasureList(dataDir),
    await readBackedUp({ path, identity }),
  );
  const gone = goneOf(erasures);
  const survey = new Survey("", [], gone);
  let table = "";
  const objects: Remains[] = [];
  for await (const entry of readBackup(path, identity)) {
    if (entry.kind === "table") survey.begin(table = entry.table.name);
    if (entry.kind === "row") survey.add(table, entry.line);
    if (entry.kind === "object" && gone.hasAccount(entry.object.owner)) {
      objects.push({ table: OBJECTS, subjectId: entry.object.owner });
    }
  }
  return toVerification(erasures, survey, objects);
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
    const isThere = await Deno.stat(`${dataDir}/objects/${id}`).then(() => true, () => false);
    if (isThere) found.push({ table: OBJECTS, subjectId: id });
  }
  return found;
}

function toVerification(
  erasures: readonly Erasure[],
  survey: Survey,
  objects: readonly Remains[],
): ErasureVerification {
  const byKey = new Map(
    [...survey.found.values(), ...objects].map((each) => [`${each.table} ${each.subjectId}`, each]),
  );
  return {
    certificates: erasures.length,
    subjects: erasures.reduce((sum, { scope }) => sum + scope.length, 0),
    found: [...byKey].sort(([one], [other]) => one < other ? -1 : 1).map(([, each]) => each),
  };
}

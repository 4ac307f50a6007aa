import type { Config } from "../config/config.ts";
import type { Report } from "../../core/report.ts";
import { type BackupToRead, restoreInstallation } from "../backup/installation.ts";
import { openPresentDatabase } from "../open_database.ts";
import { erasedIdsOf, readErasureList, reconcileErasures } from "./erasure_list.ts";

/**
 * Restores a backup without the subjects of DATA_DIR/erasures.jsonl, and adds the backup's own
 * certificates to that list.
 *
 * @throws as `restoreInstallation` does; BackupError for an invalid list, before anything is
 *   changed.
 */
export async function restoreFiltered(
  config: Config,
  source: BackupToRead,
  report: Report,
): ReturnType<typeof restoreInstallation> {
  const list = await readErasureList(config.dataDir);
  const erasures = { list, erased: erasedIdsOf(list) };
  const restored = await restoreInstallation(config, source, report, erasures);
  const database = await openPresentDatabase(config);
  try {
    await reconcileErasures(database, config.dataDir);
  } finally {
    await database.close();
  }
  return restored;
}

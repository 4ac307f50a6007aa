import type { Config } from "../config/config.ts";
import type { Report } from "../../core/report.ts";
import { type BackupToRead, restoreInstallation } from "../backup/installation.ts";
import { openPresentDatabase } from "../open_database.ts";
import { agreeOnErasures, goneOf, readErasureList } from "./erasure_list.ts";

/**
 * Restores a backup without what DATA_DIR/erasures.jsonl names, and completes that list by the backup's own
 * certificates. Throws as `restoreInstallation` does; BackupError for an invalid list, before anything is done.
 */
export async function restoreObeying(
  config: Config,
  source: BackupToRead,
  report: Report,
): ReturnType<typeof restoreInstallation> {
  const erasures = await readErasureList(config.dataDir);
  const obeyed = { erasures, gone: goneOf(erasures) };
  const restored = await restoreInstallation(config, source, report, obeyed);
  const database = await openPresentDatabase(config);
  try {
    await agreeOnErasures(database, config.dataDir);
  } finally {
    await database.close();
  }
  return restored;
}

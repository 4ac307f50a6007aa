import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { assertInstallation, assertUser, changeOwner, readOwner } from "../config/data_dir.ts";
import { explainForbidden } from "../config/file_errors.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { assertFinished } from "../erasure/folder.ts";
import { isExplained } from "./start_failure.ts";

/**
 * Runs a command on an installation. Its new files belong to the owner of DATA_DIR, also if root
 * runs it.
 *
 * @param creates True if the command may create the installation.
 * @throws OperatorError if DATA_DIR holds no installation, or belongs to another user, or has a
 *   file that this user may not open; the command's own errors.
 */
export async function inDataDir<T>(
  config: Config,
  creates: boolean,
  act: () => Promise<T>,
): Promise<T> {
  await assertUser(config);
  // `changeOwner` leaves the process in another folder.
  const folder = resolve(config.dataDir);
  const owner = await readOwner(config);
  if (!creates) await assertInstallation(config);
  return await namingFiles(config, async () => {
    try {
      await assertFinished(config.dataDir);
      return await act();
    } finally {
      changeOwner(folder, owner);
    }
  });
}

/** @throws OperatorError that names the file of another user that caused a failure. */
export async function namingFiles<T>(
  { dataDir }: Config,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isExplained(error)) throw error;
    const reason = await explainForbidden(error, dataDir);
    throw reason === null ? error : new OperatorError(reason, { isPermanent: true });
  }
}

/**
 * Writes a backup under `DATA_DIR/backups` and prints its name: by the server that holds the built-in
 * database while one runs, otherwise here.
 */

import { adminSocketPath } from "../src/admin/execute.ts";
import { callAdminSocket } from "../src/admin/socket.ts";
import { describeContents } from "../src/backup/format.ts";
import { backUpInstallation } from "../src/backup/installation.ts";
import type { Config } from "../src/config/config.ts";
import { runBackupProgram } from "./backup_program.ts";

await runBackupProgram({
  usage: "deno task backup [--with-secret]",
  cannot: "Cannot back up",
  parse: (words) => {
    const withSecret = words[0] === "--with-secret";
    if (words.length > (withSecret ? 1 : 0)) return null;
    return async (config, report) => {
      const answered = await askServer(config, withSecret);
      if (answered !== null) return answered;
      const backup = await backUpInstallation(config, withSecret, report);
      return [backup.path, describeContents(backup)];
    };
  },
});

/** Null where no server holds the database. */
async function askServer(
  { databaseUrl, dataDir }: Config,
  withSecret: boolean,
): Promise<string[] | null> {
  if (databaseUrl !== null) return null;
  const secret = withSecret ? { secret: "include" } as const : {};
  return await callAdminSocket(adminSocketPath(dataDir), { command: "backup", ...secret });
}

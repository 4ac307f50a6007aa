/** Restores a backup into a scratch database, compares counts and digests, and removes it again. */

import { describeContents } from "../src/backup/format.ts";
import { verifyInstallation } from "../src/backup/installation.ts";
import { parseFile, runBackupProgram } from "./backup_program.ts";

await runBackupProgram({
  usage: "deno task backup:verify FILE",
  cannot: "Cannot verify the backup",
  parse: (words) => {
    const path = parseFile(words);
    if (path === null) return null;
    return async (config, report) => [
      `Whole: ${describeContents(await verifyInstallation(config, path, report))}`,
    ];
  },
});

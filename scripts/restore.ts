/** Restores a backup into the empty database that the settings name. */

import { describeContents } from "../src/backup/format.ts";
import { type RestoredSecret, restoreInstallation } from "../src/backup/installation.ts";
import { parseFile, runBackupProgram } from "./backup_program.ts";

const SECRETS: Readonly<Record<RestoredSecret, readonly string[]>> = {
  absent: [],
  kept: ["The server secret is the backup's"],
  other: [
    "The server secret here is not the backup's: requests that are sent again are answered as before, " +
    "and a key that is used for another request is no longer noticed",
  ],
};

await runBackupProgram({
  usage: "deno task restore FILE",
  cannot: "Cannot restore",
  parse: (words) => {
    const path = parseFile(words);
    if (path === null) return null;
    return async (config, report) => {
      const restored = await restoreInstallation(config, path, report);
      return [`Restored ${describeContents(restored)}`, ...SECRETS[restored.secret]];
    };
  },
});

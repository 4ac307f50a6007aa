import { runAdmin } from "./src/operator/programs/admin.ts";
import { runVerifyAudit } from "./src/operator/programs/audit.ts";
import { dropPrsPermissions } from "./src/operator/programs/prs_permissions.ts";
import { runBackup, runRestore, runVerifyBackup } from "./src/operator/programs/backup.ts";
import { runBackupKeygen } from "./src/operator/programs/backup_keygen.ts";
import { runErase } from "./src/operator/programs/erase.ts";
import { checkHealth } from "./src/operator/programs/healthcheck.ts";
import { ignoreHangUp } from "./src/operator/programs/hang_up.ts";
import { serveRecords } from "./src/operator/programs/serve.ts";
import { printNote, printResult } from "./src/core/output.ts";
import { RELEASE } from "./src/database/release.ts";

const EXIT_USAGE = 2;

const [program, ...words] = Deno.args;
if (program !== "prs") dropPrsPermissions();
ignoreHangUp();
switch (program) {
  case undefined:
    await serveRecords();
    break;
  case "admin":
    Deno.exitCode = await runAdmin(words);
    break;
  case "backup":
    Deno.exitCode = await runBackup(words);
    break;
  case "restore":
    Deno.exitCode = await runRestore(words);
    break;
  case "verify-backup":
    Deno.exitCode = await runVerifyBackup(words);
    break;
  case "backup-keygen":
    Deno.exitCode = await runBackupKeygen(words);
    break;
  case "erase":
    Deno.exitCode = await runErase(words);
    break;
  case "verify-audit":
    Deno.exitCode = await runVerifyAudit(words);
    break;
  case "healthcheck":
    Deno.exitCode = await checkHealth();
    break;
  case "prs":
    // Loaded for this word only: the service does not use it.
    Deno.exitCode = await (await import("./src/prs/prs.ts")).runPrs(words);
    break;
  case "--version":
    printVersion();
    break;
  default:
    refuse();
}

function refuse(): void {
  const text =
    "Usage: admin COMMAND | backup | restore FILE | verify-backup FILE | backup-keygen | " +
    "verify-audit | erase | healthcheck | prs COMMAND | --version; without a word the service starts";
  printNote(text);
  Deno.exitCode = EXIT_USAGE;
}

function printVersion(): void {
  const text = `Personal Records Service ${RELEASE.version}, schema ${RELEASE.schema}`;
  Deno.exitCode = printResult(text) ? 0 : 1;
}

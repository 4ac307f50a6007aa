/** The verification of the audit trail's seals, in a database or in a backup. */

import { anchorsOf, isAnchors, tellVerification } from "../admin/audit_text.ts";
import { executeCommand } from "../admin/execute.ts";
import { verifyTrailsOfBackup } from "../backup/installation.ts";
import { type BackupProgram, runBackupProgram } from "./backup_program.ts";

const VERIFY: BackupProgram = {
  usage: "deno task audit:verify [--file BACKUP] [--anchor DIGEST,…]",
  cannot: "Cannot verify the audit trail",
  parse: (words) => {
    const options = parseOptions(words);
    if (options === null) return null;
    const { file, anchor } = options;
    return async (config, report) => {
      if (file !== undefined) {
        const anchors = anchorsOf(anchor);
        return tellVerification(await verifyTrailsOfBackup(config, file, anchors, report));
      }
      const command = {
        command: "audit verify",
        ...anchor === undefined ? {} : { anchor },
      } as const;
      return await executeCommand(config, command, report);
    };
  },
};

/** Recomputes every seal, says which does not hold, and whether the seals of `--anchor` are there. */
export async function runVerifyAudit(words: readonly string[]): Promise<number> {
  return await runBackupProgram(VERIFY, words);
}

/** Null when the words are not understood. */
function parseOptions(
  words: readonly string[],
): { readonly file?: string; readonly anchor?: string } | null {
  const options: { file?: string; anchor?: string } = {};
  for (let index = 0; index < words.length; index += 2) {
    const [word, value] = words.slice(index, index + 2);
    if (value === undefined || value.startsWith("--")) return null;
    if (word === "--file" && options.file === undefined) options.file = value;
    else if (word === "--anchor" && isAnchors(value)) options.anchor = value;
    else return null;
  }
  return options;
}

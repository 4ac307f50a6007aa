import { dirname } from "node:path";
import { syncPath, writeAll } from "../../core/files.ts";
import { printNote } from "../../core/output.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { type KeyPair, newKeyPair } from "../backup/age/keys.ts";
import { nameOf } from "../config/file_errors.ts";
import { parseWords } from "./backup_options.ts";
import { type BackupProgram, runBackupProgram } from "./backup_program.ts";

const KEYGEN: BackupProgram = {
  usage: "deno task backup:keygen [FILE] [--classic]",
  cannot: "Cannot write the key",
  creates: true,
  parse: (words) => {
    const given = parseWords(words, { flags: ["--classic"], options: [] });
    const [file, ...others] = given?.others ?? [];
    if (given === null || others.length > 0 || file === "") return null;
    return async ({ dataDir }) => {
      const path = file ?? `${dataDir}/backup-key.txt`;
      if (file === undefined) await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 });
      const keys = await newKeyPair(given.flags.has("--classic") ? "classic" : "hybrid");
      await writeKeyFile(path, keys, new Date());
      printNote(
        `The secret key is in ${nameOf(path)}. Move it to another place and keep a second copy: ` +
          "without it the backups cannot be read",
      );
      return [keys.publicKey];
    };
  },
};

/** Writes an identity file as `age-keygen` does, or none if it cannot be written completely. */
async function writeKeyFile(
  path: string,
  { publicKey, secretKey }: KeyPair,
  now: Date,
): Promise<void> {
  const text = `# created: ${now.toISOString()}\n# public key: ${publicKey}\n${secretKey}\n`;
  using file = await createFile(path);
  try {
    await writeAll(file, new TextEncoder().encode(text));
    await file.sync();
  } catch (error) {
    await Deno.remove(path);
    throw error;
  }
  await syncPath(dirname(path));
}

/** @throws OperatorError that names the file, if it exists or may not be created. */
async function createFile(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    const { AlreadyExists, NotCapable, NotFound } = Deno.errors;
    if (error instanceof AlreadyExists) throw new OperatorError(`${nameOf(path)} already exists`);
    if (error instanceof NotCapable || error instanceof NotFound) {
      throw new OperatorError(`${nameOf(path)} cannot be created; it must be in DATA_DIR`);
    }
    throw error;
  }
}

/**
 * Writes a new secret key for encrypted backups to a file that only its user can read, by default
 * `DATA_DIR/backup-key.txt`, and prints the public key.
 */
export async function runBackupKeygen(words: readonly string[]): Promise<number> {
  return await runBackupProgram(KEYGEN, words);
}

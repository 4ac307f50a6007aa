import { AgeError } from "../backup/age/age_error.ts";
import { parseIdentities } from "../backup/age/keys.ts";
import { passphraseIdentity } from "../backup/age/passphrase.ts";
import type { AgeIdentity } from "../backup/age/stanza.ts";
import { describeUnreadable, nameOf } from "../config/file_errors.ts";
import { readPassphraseFile, readSecretFile } from "../admin/secret_file.ts";
import type { BackupToRead } from "../backup/installation.ts";
import { OperatorError } from "../../errors/operator_error.ts";

interface KnownOptions {
  /** Options without a value. */
  readonly flags: readonly string[];
  /** Options with a value. */
  readonly options: readonly string[];
  /** Options that may be repeated; their values are joined by commas. */
  readonly lists?: readonly string[];
}

interface ParsedWords {
  readonly flags: ReadonlySet<string>;
  readonly options: ReadonlyMap<string, string>;
  readonly others: readonly string[];
}

/** Accepts any order; null if an option is unknown, wrongly repeated or lacks its value. */
export function parseWords(words: readonly string[], known: KnownOptions): ParsedWords | null {
  const flags = new Set<string>();
  const options = new Map<string, string>();
  const others: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const isList = known.lists?.includes(word) ?? false;
    if (flags.has(word) || (options.has(word) && !isList)) return null;
    if (known.flags.includes(word)) flags.add(word);
    else if (isList || known.options.includes(word)) {
      const value = rest.shift() ?? "";
      if (value === "" || value.startsWith("-")) return null;
      options.set(word, options.has(word) ? `${options.get(word)},${value}` : value);
    } else if (word.startsWith("-")) return null;
    else others.push(word);
  }
  return { flags, options, others };
}

const KEY_READERS: Readonly<Record<string, (path: string) => Promise<AgeIdentity>>> = {
  "--passphrase-file": async (path) => passphraseIdentity(await readPassphraseFile(path)),
  "--identity-file": readIdentityFile,
};

export const KEY_OPTIONS: readonly string[] = Object.keys(KEY_READERS);

/** Uses a backup that lacks attachments. */
const ACCEPT_LOST = "--accept-lost";

/**
 * The file that a program reads, its key, and whether it may lack attachments.
 *
 * @returns null if the words are invalid; otherwise a function that reads the named key, and throws
 *   OperatorError if it cannot be used.
 */
export function parseBackupToRead(words: readonly string[]): (() => Promise<BackupToRead>) | null {
  const parsed = parseWords(words, { flags: [ACCEPT_LOST], options: KEY_OPTIONS });
  const [path, ...others] = parsed?.others ?? [];
  if (parsed === null || path === undefined || others.length > 0) return null;
  const read = keyReader(path, parsed.options);
  if (read === null) return null;
  return async () => ({ ...await read(), acceptLost: parsed.flags.has(ACCEPT_LOST) });
}

/** As `parseBackupToRead`, for parsed options among others. */
export function keyReader(
  path: string,
  options: ReadonlyMap<string, string>,
): (() => Promise<BackupToRead>) | null {
  const keys = [...options].filter(([name]) => KEY_OPTIONS.includes(name));
  const [[option, file] = ["", ""], ...more] = keys;
  if (more.length > 0) return null;
  return async () => ({ path, identity: await KEY_READERS[option]?.(file) ?? null });
}

/**
 * Reads the key of a backup, and checks that its file can be read.
 *
 * @throws OperatorError that names the file.
 */
export async function readSource(read: () => Promise<BackupToRead>): Promise<BackupToRead> {
  const source = await read();
  try {
    (await Deno.open(source.path)).close();
  } catch (error) {
    throw new OperatorError(`${nameOf(source.path)} ${describeUnreadable(error)}`);
  }
  return source;
}

async function readIdentityFile(path: string): Promise<AgeIdentity> {
  const option = "--identity-file";
  try {
    return parseIdentities(await readSecretFile(option, path));
  } catch (error) {
    throw error instanceof AgeError ? new OperatorError(`${option}: ${error.message}`) : error;
  }
}

import { OperatorError } from "../../errors/operator_error.ts";
import { isBlank, isLongerThan } from "../../validate/text.ts";

/** Maximum code points of a passphrase; longer than anyone types. */
export const MAX_PASSPHRASE = 4096;

/**
 * Reads a file without its final line feed.
 *
 * @param option Its name, such as `--identity-file`, for the error.
 * @throws OperatorError if the file cannot be read, is empty, or is not UTF-8.
 */
export async function readSecretFile(option: string, path: string): Promise<string> {
  const bytes = await Deno.readFile(path).catch(() => {
    throw new OperatorError(
      `${option}: cannot be read; it must be in ./secrets, /run/secrets or DATA_DIR`,
    );
  });
  const text = decode(option, bytes).replace(/\r?\n$/, "");
  if (isBlank(text)) throw new OperatorError(`${option}: is empty`);
  return text;
}

/** Reads a file that must contain one line: the passphrase as typed. */
export async function readPassphraseFile(path: string): Promise<string> {
  const option = "--passphrase-file";
  const passphrase = await readSecretFile(option, path);
  if (/[\r\n]/.test(passphrase) || isLongerThan(passphrase, MAX_PASSPHRASE)) {
    throw new OperatorError(
      `${option}: must be one line of at most ${MAX_PASSPHRASE} characters`,
    );
  }
  return passphrase;
}

function decode(option: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${option}: is not valid UTF-8`);
  }
}

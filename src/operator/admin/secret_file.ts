/** Files that contain a passphrase or secret keys for an operator program. */

import { OperatorError } from "../../errors/operator_error.ts";
import { isBlank, isLongerThan } from "../../validate/text.ts";

/** In code points: longer than any that is typed. */
export const MAX_PASSPHRASE = 4096;

/**
 * Reads the text of a file that an option names, without the line feed at its end.
 *
 * @param option its name, such as `--identity-file`, for the refusal.
 * @throws OperatorError when it cannot be read, is empty, or is not text in UTF-8.
 */
export async function readSecretFile(option: string, path: string): Promise<string> {
  const bytes = await Deno.readFile(path).catch(() => {
    throw new OperatorError(
      `${option}: cannot be read; it must lie in ./secrets, /run/secrets or DATA_DIR`,
    );
  });
  const text = decode(option, bytes).replace(/\r?\n$/, "");
  if (isBlank(text)) throw new OperatorError(`${option}: is empty`);
  return text;
}

/** Reads a file that contains only a passphrase: one line, as it would be typed. */
export async function readPassphraseFile(path: string): Promise<string> {
  const option = "--passphrase-file";
  const passphrase = await readSecretFile(option, path);
  if (/[\r\n]/.test(passphrase) || isLongerThan(passphrase, MAX_PASSPHRASE)) {
    throw new OperatorError(
      `${option}: must hold one line, of ${MAX_PASSPHRASE} characters at most`,
    );
  }
  return passphrase;
}

function decode(option: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${option}: is not text in UTF-8`);
  }
}

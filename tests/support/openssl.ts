/** Certificates of tests, by the openssl program. */

import { assert } from "@std/assert";

/** Options for a new key without a password. */
export const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Runs the program in a folder. */
export async function openssl(folder: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder }).output();
  assert(success, new TextDecoder().decode(stderr));
}

/** Writes `NAME.key` and `NAME.pem`, a certificate that signs itself. */
export async function makeSelfSigned(folder: string, name: string): Promise<void> {
  const files = ["-keyout", `${name}.key`, "-out", `${name}.pem`];
  await openssl(folder, "req", "-x509", ...NEW_KEY, ...files, "-days", "2", "-subj", `/CN=${name}`);
}

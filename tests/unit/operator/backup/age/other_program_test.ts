/**
 * Files of npm's `age-encryption`, which reads and writes hybrid keys as age 1.3 does, and ours.
 * `AGE_PACKAGES` names the folder `node_modules` with it; without it the test is ignored.
 */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { newKeyPair, parseRecipients } from "../../../../../src/operator/backup/age/keys.ts";
import { decryptBytes, encryptBytes, identityOf } from "../../../../support/age.ts";

const PACKAGES = Deno.env.get("AGE_PACKAGES");

/** Runs in Node, because the packages that this one imports are in that folder. */
const PROGRAM = `
import { readFileSync } from "node:fs";
const { armor, Decrypter, Encrypter, identityToRecipient } = await import(process.argv[1]);
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const answers = [];
for (const { secretKeys, content, file } of JSON.parse(readFileSync(0, "utf8"))) {
  const encrypter = new Encrypter();
  const publicKeys = await Promise.all(secretKeys.map((key) => identityToRecipient(key)));
  for (const key of publicKeys) encrypter.addRecipient(key);
  const theirs = await encrypter.encrypt(Buffer.from(content, "base64"));
  const decrypter = new Decrypter();
  decrypter.addIdentity(secretKeys.at(-1));
  const read = base64(await decrypter.decrypt(Buffer.from(file, "base64")));
  answers.push({ publicKeys, read, binary: base64(theirs), text: armor.encode(theirs) });
}
console.log(JSON.stringify(answers));
`;

interface Question {
  readonly secretKeys: readonly string[];
  /** Base64. */
  readonly content: string;
  readonly file: string;
}

interface Answer {
  readonly publicKeys: readonly string[];
  /** Base64. */
  readonly read: string;
  readonly binary: string;
  readonly text: string;
}

async function ask(questions: readonly Question[]): Promise<Answer[]> {
  const child = new Deno.Command("node", {
    args: [
      "--input-type=module",
      "-e",
      PROGRAM,
      `${PACKAGES}/age-encryption/dist/index.js`,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(questions)));
  await writer.close();
  return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
}

Deno.test({
  name: "Another program reads our files, and we read its own in both forms",
  ignore: PACKAGES === undefined,
  async fn() {
    const cases = [];
    for (const kind of ["hybrid", "classic"] as const) {
      for (const [count, length] of [[1, 0], [1, 14], [3, 3 * 64 * 1024], [1, 200_000]] as const) {
        const keys = await Promise.all(Array.from({ length: count }, () => newKeyPair(kind)));
        const publicKeys = keys.map(({ publicKey }) => publicKey);
        const content = Buffer.alloc(length, "a life ");
        const file = await encryptBytes(content, parseRecipients(publicKeys.join()));
        cases.push({ keys, publicKeys, content, file });
      }
    }
    const answers = await ask(cases.map(({ keys, content, file }) => ({
      secretKeys: keys.map(({ secretKey }) => secretKey),
      content: content.toString("base64"),
      file: Buffer.from(file).toString("base64"),
    })));
    assertEquals(answers.length, cases.length);
    for (const [index, { keys, publicKeys, content }] of cases.entries()) {
      const answer = answers[index];
      const theirs = [Buffer.from(answer?.binary ?? "", "base64"), Buffer.from(answer?.text ?? "")];
      assertEquals(answer?.publicKeys, publicKeys);
      assertEquals(answer?.read, content.toString("base64"));
      for (const pair of keys) {
        for (const file of theirs) {
          assertEquals(content.equals(await decryptBytes(file, identityOf(pair))), true);
        }
      }
    }
  },
});

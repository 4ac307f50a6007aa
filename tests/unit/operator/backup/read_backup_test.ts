/** The sentence that a file ends with that cannot be read. */

import { assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { BackupError } from "../../../../src/operator/backup/backup_error.ts";
import { checkBackup } from "../../../../src/operator/backup/read_backup.ts";
import type { AgeIdentity } from "../../../../src/operator/backup/age/stanza.ts";
import { encryptBytes, identityOf, KEYS, OTHER_KEYS, recipientOf } from "../../../support/age.ts";

function armored(file: Uint8Array): string {
  const lines = Buffer.from(file).toString("base64").match(/.{1,64}/g) ?? [];
  const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} AGE ENCRYPTED FILE-----`);
  return [begin, ...lines, end, ""].join("\n");
}

Deno.test("A file that cannot be read says whether no key fits, it is damaged, or not an age file", async () => {
  const packed = gzipSync('["prs-backup",2,{}]\n');
  const file = Buffer.from(await encryptBytes(packed, recipientOf(KEYS)));
  const text = armored(file);
  const [key, other] = [identityOf(KEYS), identityOf(OTHER_KEYS)];
  const header = file.indexOf("--- ") + 10;
  const changed = (at: number) => file.map((byte, index) => index === at ? byte ^ 2 : byte);
  const read = "The file is not a backup that this release can read";
  const cases: [name: string, file: Uint8Array, identity: AgeIdentity | null, why: string][] = [
    ["plain", packed, null, read],
    ["encrypted", file, key, read],
    ["armored", Buffer.from(text), key, read],
    [
      "without a key",
      file,
      null,
      "The backup is encrypted: name --passphrase-file or --identity-file",
    ],
    [
      "armored without a key",
      Buffer.from(text),
      null,
      "The backup is encrypted: name --passphrase-file or --identity-file",
    ],
    ["with another key", file, other, "The file is encrypted with another key"],
    ["not encrypted", packed, key, "The file is not encrypted: it is not an age file"],
    [
      "of another version",
      changed("age-encryption.org/".length),
      key,
      "The file is not encrypted: it is not an age file",
    ],
    ["with a damaged header", changed(header), key, "The file's header is damaged"],
    ["with damaged content", changed(file.length - 1), key, "The file is damaged or incomplete"],
    ["cut", file.subarray(0, -1), key, "The file is damaged or incomplete"],
    [
      "with a damaged text form",
      Buffer.from(text.replace("\n-----END", "\n----END")),
      key,
      "The file's text form is damaged",
    ],
    ["something else", Buffer.from("Dear diary\n"), null, "The file is damaged or not a backup"],
  ];
  const path = await Deno.makeTempFile({ prefix: "prs-unread-" });
  try {
    for (const [name, bytes, identity, why] of cases) {
      await Deno.writeFile(path, bytes);
      const { message } = await assertRejects(() => checkBackup(path, identity), BackupError);
      assertEquals(message, why, name);
    }
  } finally {
    await Deno.remove(path);
  }
});

import { assert, assertEquals, assertRejects } from "@std/assert";
import { runVerifyAudit } from "../../../../src/operator/programs/audit.ts";
import {
  runBackup,
  runRestore,
  runVerifyBackup,
} from "../../../../src/operator/programs/backup.ts";
import { runBackupKeygen } from "../../../../src/operator/programs/backup_keygen.ts";
import { parseBackupToRead, parseWords } from "../../../../src/operator/programs/backup_options.ts";
import { readPassphraseFile } from "../../../../src/operator/admin/secret_file.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";
import {
  CONTENT,
  decryptBytes,
  encryptBytes,
  fileWith,
  KEYS,
  passphraseStanza,
  recipientOf,
} from "../../../support/age.ts";

/** Returns exit code and stderr. */
async function run(
  program: (words: readonly string[]) => Promise<number>,
  words: readonly string[],
): Promise<[code: number, stderr: string]> {
  const original = Deno.stderr.writeSync;
  let said = "";
  const writeSync = (bytes: Uint8Array) => {
    said += new TextDecoder().decode(bytes);
    return bytes.length;
  };
  Object.assign(Deno.stderr, { writeSync });
  try {
    return [await program(words), said];
  } finally {
    Object.assign(Deno.stderr, { writeSync: original });
  }
}

const READ_KEY = "[--passphrase-file FILE | --identity-file FILE]";
const KEY = ["--passphrase-file", "f"];

Deno.test("Backup programs show their usage for unknown words", async () => {
  const programs = [
    {
      program: runBackup,
      usage: "backup [--with-secret] [--passphrase-file FILE | --recipient age1pq1… …]",
      wrong: [
        ["--secret"],
        ["--with-secret", "--with-secret"],
        ["file"],
        ["--recipient"],
        [...KEY, "--recipient", KEYS.publicKey],
        [...KEY, ...KEY],
        ["--recipient", KEYS.publicKey, "--recipient"],
      ],
    },
    {
      program: runRestore,
      usage: `restore FILE ${READ_KEY} [--accept-lost]`,
      wrong: [[], ["one", "two"], KEY, ["one", ...KEY, "--identity-file", "f"]],
    },
    {
      program: runVerifyBackup,
      usage: `backup:verify FILE ${READ_KEY} [--accept-lost]`,
      wrong: [[], ["one", "--recipient", "age1"]],
    },
    {
      program: runBackupKeygen,
      usage: "backup:keygen [FILE] [--classic]",
      wrong: [["one", "two"], [""], ["--hybrid"], ["--classic", "--classic"]],
    },
    {
      program: runVerifyAudit,
      usage: `audit:verify [--file BACKUP ${READ_KEY}] [--anchor DIGEST,…]`,
      wrong: [["--anchor", "x"], ["--file", "--anchor"], ["file"]],
    },
  ];
  for (const { program, usage, wrong } of programs) {
    for (const words of wrong) {
      const ended = await run(program, words);
      assertEquals(ended, [2, `Usage: deno task ${usage}\n`], words.join(" "));
    }
  }
});

Deno.test("Values of a repeated option are joined in their order", () => {
  const words = ["--recipient", "one", "file", "--recipient", "two"];
  const given = parseWords(words, { flags: [], options: [], lists: ["--recipient"] });
  assertEquals(given?.options, new Map([["--recipient", "one,two"]]));
  assertEquals(given?.others, ["file"]);
});

Deno.test("Files of keys and passphrases are rejected by their problem, without content", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-keys-" });
  try {
    const write = async (name: string, text: string) => {
      await Deno.writeTextFile(`${folder}/${name}`, text);
      return `${folder}/${name}`;
    };
    const [two, none] = [await write("two", "one line\nanother\n"), await write("none", "\n")];
    const oneLine = "--passphrase-file: must be one line of at most 4096 characters";
    const refused: [read: () => Promise<unknown>, why: string][] = [
      [() => readPassphraseFile(two), oneLine],
      [() => readPassphraseFile(none), "--passphrase-file: is empty"],
      [
        async () => {
          const path = await write("public", KEYS.publicKey);
          return await parseBackupToRead(["file", "--identity-file", path])?.();
        },
        "--identity-file: must contain secret keys AGE-SECRET-KEY-PQ-1… or AGE-SECRET-KEY-1…, " +
        "one per line",
      ],
    ];
    for (const [read, why] of refused) {
      assertEquals((await assertRejects(read, OperatorError)).message, why);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("A restore reads its key from the file that an option names", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-keys-" });
  try {
    const header = `age-encryption.org/v1\n${passphraseStanza("correct horse", 10)}\n---`;
    const cases = [
      ["--passphrase-file", "correct horse\n", fileWith(header)],
      ["--identity-file", KEYS.secretKey, await encryptBytes(CONTENT, recipientOf(KEYS))],
    ] as const;
    for (const [option, text, file] of cases) {
      const path = `${folder}/${option}`;
      await Deno.writeTextFile(path, text);
      const given = await parseBackupToRead(["a file", option, path])?.();
      assert(given?.identity, option);
      assertEquals([given.path, await decryptBytes(file, given.identity)], ["a file", CONTENT]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("A key that cannot be written completely leaves no file", async () => {
  const folder = await Deno.makeTempDir({ prefix: "prs-keys-" });
  const { DATA_DIR } = Deno.env.toObject();
  const { sync } = Deno.FsFile.prototype;
  try {
    Deno.env.set("DATA_DIR", folder);
    const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
    Deno.FsFile.prototype.sync = () => Promise.reject(full);
    const [code, why] = await run(runBackupKeygen, []);
    assertEquals([code, why.startsWith("Cannot write the key: ")], [1, true]);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  } finally {
    Deno.FsFile.prototype.sync = sync;
    if (DATA_DIR === undefined) Deno.env.delete("DATA_DIR");
    else Deno.env.set("DATA_DIR", DATA_DIR);
    await Deno.remove(folder, { recursive: true });
  }
});

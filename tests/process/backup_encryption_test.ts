/**
 * Encrypted backups by the programs and by `age`. Tests that need `age` or a pseudo-terminal are ignored
 * without them.
 */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { restoreObeying } from "../../src/operator/erasure/obeying_restore.ts";
import { parseBackupToRead } from "../../src/operator/programs/backup_options.ts";
import { identityOf, KEYS, OTHER_KEYS } from "../support/age.ts";
import { backUp, restore, runBackupTask } from "../support/backup_process.ts";
import { configFrom } from "../support/erasure.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { operate } from "../support/own_service.ts";
import { Output } from "../support/server_process.ts";
import { hasTerminals } from "../support/terminal.ts";

const PASSPHRASE = "correct horse battery staple";

async function keyFile({ dataDir }: Installation, name: string, text: string): Promise<string> {
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(`${dataDir}/${name}`, text);
  return `${dataDir}/${name}`;
}

async function hasAge(): Promise<boolean> {
  try {
    return (await new Deno.Command("age", { args: ["--version"] }).output()).success;
  } catch {
    return false;
  }
}

const AGE = await hasAge();
const TERMINALS = AGE && await hasTerminals();

async function age(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command("age", { args: [...args] }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
}

/** Types the passphrase on a terminal. */
async function ageWithPassphrase(...args: readonly string[]): Promise<void> {
  const command = ["age", ...args].map((word) => `'${word}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qec", command, "/dev/null"],
    env: { SHELL: "/bin/sh" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = new Output(child.stdout);
  const writer = child.stdin.getWriter();
  for (const question of [/Enter passphrase.*:/, /Confirm passphrase.*:/]) {
    if (await output.until(question) === null) break;
    await writer.write(new TextEncoder().encode(`${PASSPHRASE}\r`));
  }
  const { code } = await child.status;
  await writer.close().catch(() => {});
  await output.ended;
  assertEquals(code, 0, output.text);
}

/** Lets the program age open a backup and encrypt it again, for two keys. */
async function byAge(place: Installation, path: string): Promise<string> {
  const identity = await keyFile(place, "identity", `${KEYS.secretKey}\n`);
  const [opened, again] = [`${place.dataDir}/opened`, `${place.dataDir}/again.age`];
  await age("-d", "-i", identity, "-o", opened, path);
  await age("-r", OTHER_KEYS.publicKey, "-r", KEYS.publicKey, "-o", again, opened);
  return again;
}

Deno.test("A backup for a public key is restored with its secret key only, also after age read and wrote it", async (test) => {
  await using place = await createInstallation();
  await place.settle();
  let path = await backUp(place, "--recipient", KEYS.publicKey);
  assertMatch(path, /\/[\dT.Z-]+\.prs-backup\.gz\.age$/);
  assertEquals((await Deno.stat(path)).mode, 0o100600);
  await using empty = await createInstallation();
  const refused = [
    [null, "The backup is encrypted: name --passphrase-file or --identity-file"],
    [identityOf(OTHER_KEYS), "The file is encrypted with another key"],
  ] as const;
  for (const [identity, why] of refused) {
    const restoring = () => restoreObeying(configFrom(empty.env), { path, identity }, () => {});
    assertEquals((await assertRejects(restoring, Error)).message, why);
  }
  assertEquals(await empty.rows("select * from accounts"), []);
  const wrong = () =>
    operate(configFrom(empty.env), { command: "backup", recipient: KEYS.secretKey });
  assertEquals(
    (await assertRejects(wrong, Error)).message,
    "--recipient: must be a public key, age1…",
  );
  await test.step({
    name: "The program age reads it, and the service reads what age wrote",
    ignore: !AGE,
    async fn() {
      path = await byAge(place, path);
      await checkBackup(path, identityOf(OTHER_KEYS));
    },
  });
  const identity = await keyFile(empty, "identity", `# a comment\n${KEYS.secretKey}\n`);
  await restore(empty, path, "--identity-file", identity);
  assertEquals((await empty.rows("select * from accounts")).length, 1);
});

Deno.test("A restore rejects a key outside the folders that it may read", async () => {
  await using place = await createInstallation();
  const why = "--identity-file: cannot be read; it must be in ./secrets, /run/secrets or DATA_DIR";
  const words = ["file", "--identity-file", "/etc/passwd"];
  const ended = await runBackupTask("restore", place.env, ...words);
  assertEquals([ended.code, ended.stderr], [1, `${why}\n`]);
});

// `unit/operator/backup/age/keys` reads what age wrote for a passphrase.
Deno.test("A backup for a passphrase is opened by it, and read by the program age", async (test) => {
  await using place = await createInstallation();
  const passphrase = await keyFile(place, "passphrase", `${PASSPHRASE}\n`);
  const path = await backUp(place, "--passphrase-file", passphrase);
  assertMatch(path, /\.prs-backup\.gz\.age$/);
  const read = await parseBackupToRead([path, "--passphrase-file", passphrase])?.();
  const { manifest } = await checkBackup(path, read?.identity);
  assertEquals(manifest.objects, { count: 0, bytes: 0 });
  await test.step({
    name: "The program age reads it",
    ignore: !TERMINALS,
    async fn() {
      const opened = `${place.dataDir}/opened`;
      await ageWithPassphrase("-d", "-o", opened, path);
      assertEquals((await checkBackup(opened)).manifest, manifest);
    },
  });
});

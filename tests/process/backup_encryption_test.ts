/** Encrypted backups by the programs, and by `age` if it is installed. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { parseIdentities } from "../../src/operator/backup/age/keys.ts";
import { passphraseIdentity } from "../../src/operator/backup/age/passphrase.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { restoreFiltered } from "../../src/operator/erasure/filtered_restore.ts";
import { identityOf, KEYS, OTHER_KEYS } from "../support/age.ts";
import { backUp, restore, runBackupTask } from "../support/backup_process.ts";
import { configFrom } from "../support/erasure.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
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

Deno.test("A backup for a public key is restored only with its secret key", async (test) => {
  await using place = await createInstallation();
  await place.settle();
  const path = await backUp(place, "--recipient", KEYS.publicKey);
  assertMatch(path, /\/[\dT.Z-]+\.prs-backup\.gz\.age$/);
  assertEquals((await Deno.stat(path)).mode, 0o100600);
  await using empty = await createInstallation();
  const refused = [
    [null, "The backup is encrypted: name --passphrase-file or --identity-file"],
    [identityOf(OTHER_KEYS), "The file is encrypted with another key"],
  ] as const;
  for (const [identity, why] of refused) {
    const restoring = () => restoreFiltered(configFrom(empty.env), { path, identity }, () => {});
    assertEquals((await assertRejects(restoring, Error)).message, why);
  }
  assertEquals(await empty.rows("select * from accounts"), []);
  const identity = await keyFile(empty, "identity", `# a comment\n${KEYS.secretKey}\n`);
  await restore(empty, path, "--identity-file", identity);
  assertEquals((await empty.rows("select * from accounts")).length, 1);
  await test.step({
    name: "The program age and the service read each other's files",
    ignore: !AGE,
    async fn() {
      const opened = `${place.dataDir}/opened`;
      await age("-d", "-i", identity, "-o", opened, path);
      const again = `${place.dataDir}/again.age`;
      await age("-r", OTHER_KEYS.publicKey, "-r", KEYS.publicKey, "-o", again, opened);
      const { manifest } = await checkBackup(opened);
      for (const keys of [KEYS, OTHER_KEYS]) {
        assertEquals((await checkBackup(again, identityOf(keys))).manifest, manifest);
      }
    },
  });
});

Deno.test("Each of two new post-quantum keys opens a backup, and no key is written twice", async () => {
  await using place = await createInstallation();
  await place.settle();
  const second = `${place.dataDir}/second.txt`;
  const made = [
    await runBackupTask("backup:keygen", place.env),
    await runBackupTask("backup:keygen", place.env, second),
  ];
  const recipients = made.map(({ stdout }) => stdout.trimEnd());
  for (const recipient of recipients) assertMatch(recipient, /^age1pq1[a-z\d]{1952}$/);
  const again = await runBackupTask("backup:keygen", place.env, second);
  assertEquals([again.code, again.stderr], [1, `"${second}" already exists\n`]);
  const [path = ""] = await place.operate("backup", "--recipient", recipients.join());
  const files = [`${place.dataDir}/backup-key.txt`, second];
  const read = await Promise.all(files.map(async (file) => {
    assertEquals((await Deno.stat(file)).mode, 0o100600);
    const { manifest } = await checkBackup(path, parseIdentities(await Deno.readTextFile(file)));
    return manifest.sha256;
  }));
  assertEquals(read[0], read[1]);
});

Deno.test("A backup rejects an invalid public key, and a restore an unreadable file", async () => {
  await using place = await createInstallation();
  const wrong = () => place.operate("backup", "--recipient", KEYS.secretKey);
  assertEquals(
    (await assertRejects(wrong, OperatorError)).message,
    "--recipient: must be a public key, age1pq1… or age1…",
  );
  const words = ["file", "--identity-file", "/etc/passwd"];
  const { code, stderr } = await runBackupTask("restore", place.env, ...words);
  assertEquals([code, stderr], [
    1,
    "--identity-file: cannot be read; it must be in ./secrets, /run/secrets or DATA_DIR\n",
  ]);
});

// `unit/operator/programs/backup_programs` reads the passphrase of a restore.
Deno.test("A backup for a passphrase is opened with it, if possible by the program age", async () => {
  await using place = await createInstallation();
  const passphrase = await keyFile(place, "passphrase", `${PASSPHRASE}\n`);
  const path = await backUp(place, "--passphrase-file", passphrase);
  assertMatch(path, /\.prs-backup\.gz\.age$/);
  const head = new TextDecoder().decode((await Deno.readFile(path)).subarray(0, 200));
  // Age's default work factor.
  assertMatch(head, /^-> scrypt \S{22} 18$/m);
  const opened = `${place.dataDir}/opened`;
  if (TERMINALS) await ageWithPassphrase("-d", "-o", opened, path);
  const { manifest } = TERMINALS
    ? await checkBackup(opened)
    : await checkBackup(path, passphraseIdentity(PASSPHRASE));
  assertEquals(manifest.objects, { count: 0, bytes: 0 });
});

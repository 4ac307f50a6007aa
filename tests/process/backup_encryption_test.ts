/**
 * Encrypted backups by the programs and by `age`. Tests that need `age` or a pseudo-terminal are ignored
 * without them.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { passphraseIdentity } from "../../src/operator/backup/age/passphrase.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { identityOf, KEYS, OTHER_KEYS } from "../support/age.ts";
import {
  assertDone,
  backUp,
  fill,
  RECORDS,
  restore,
  runBackupTask,
  signIn,
} from "../support/backup_process.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { Output, startServer } from "../support/server_process.ts";
import { hasTerminals } from "../support/terminal.ts";

const PASSPHRASE = "correct horse battery staple";

async function keyFile({ dataDir }: Installation, name: string, text: string): Promise<string> {
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(`${dataDir}/${name}`, text);
  return `${dataDir}/${name}`;
}

/** An account with a record and an attachment. */
async function filled(place: Installation): Promise<void> {
  await using server = await startServer(place.env);
  await fill(server);
  server.kill("SIGTERM");
  await server.ended;
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

Deno.test("A backup for a public key is restored only with its secret key", async () => {
  await using place = await createInstallation();
  await filled(place);
  const path = await backUp(place, "--recipient", KEYS.publicKey);
  assertMatch(path, /\/[\dT.Z-]+\.prs-backup\.gz\.age$/);
  assertEquals((await Deno.stat(path)).mode, 0o100600);
  const identity = await keyFile(place, "identity", `# a comment\n${KEYS.secretKey}\n`);
  const other = await keyFile(place, "other", `${OTHER_KEYS.secretKey}\n`);
  const plain = await backUp(place);

  const verified = await runBackupTask(
    "backup:verify",
    place.env,
    path,
    ...["--identity-file", identity],
  );
  assertDone(verified);
  assertMatch(verified.stdout, /^Whole: \d+ rows and 1 files \(10 bytes\), as they were at /);

  await using empty = await createInstallation();
  const refused: [words: string[], why: string][] = [
    [[path], "The backup is encrypted: name --passphrase-file or --identity-file"],
    [[path, "--identity-file", other], "The file is encrypted with another key"],
    [[plain, "--identity-file", identity], "The file is not encrypted"],
    [
      [path, "--identity-file", "/etc/passwd"],
      "--identity-file: cannot be read; it must be in ./secrets, /run/secrets or DATA_DIR",
    ],
  ];
  for (const [words, why] of refused) {
    const inside = words.map((word) => word.replace(place.dataDir, empty.dataDir));
    await copyInto(empty, place, words);
    const ended = await runBackupTask("restore", empty.env, ...inside);
    assertEquals([ended.code, ended.stderr], [1, `${why}\n`], words.join(" "));
  }
  assertEquals(await empty.rows("select * from accounts"), []);
  const inside = path.replace(place.dataDir, empty.dataDir);
  const key = identity.replace(place.dataDir, empty.dataDir);
  assertDone(await runBackupTask("restore", empty.env, inside, "--identity-file", key));
  assertEquals((await empty.rows("select * from accounts")).length, 1);
});

/** Copies files so that another installation can read them. */
async function copyInto(
  target: Installation,
  source: Installation,
  words: readonly string[],
): Promise<void> {
  await Deno.mkdir(`${target.dataDir}/backups`, { recursive: true });
  for (const word of words.filter((name) => name.startsWith(source.dataDir))) {
    await Deno.copyFile(word, word.replace(source.dataDir, target.dataDir));
  }
}

Deno.test("A running server's backup for a passphrase is restored with it", async () => {
  await using place = await createInstallation();
  const file = await keyFile(place, "passphrase", `${PASSPHRASE}\n`);
  let path = "";
  {
    await using server = await startServer(place.env);
    await fill(server);
    path = await backUp(place, "--passphrase-file", file);
    server.kill("SIGTERM");
    const { stdout } = await server.ended;
    assertEquals(stdout.includes(PASSPHRASE), false);
  }
  assertMatch(path, /\.prs-backup\.gz\.age$/);
  await using other = await createInstallation({ untouched: true });
  await Deno.mkdir(other.dataDir, { recursive: true });
  await Deno.copyFile(file, `${other.dataDir}/passphrase`);
  await restore(other, path, "--passphrase-file", `${other.dataDir}/passphrase`);
  await using restored = await startServer(other.env);
  const caller = await signIn(restored);
  assertEquals((await caller.call("GET", RECORDS)).body.data.items.length, 1);
});

Deno.test("A backup rejects an invalid public key, and a restore an unreadable file", async () => {
  await using place = await createInstallation();
  await Deno.mkdir(place.dataDir, { recursive: true });
  const refused: [words: string[], why: string][] = [
    [["--recipient", KEYS.secretKey], "--recipient: must be a public key, age1…"],
    [
      ["--passphrase-file", `${place.dataDir}/absent`],
      "--passphrase-file: cannot be read; it must be in ./secrets, /run/secrets or DATA_DIR",
    ],
  ];
  for (const [words, why] of refused) {
    const ended = await runBackupTask("backup", place.env, ...words);
    assertEquals([ended.code, ended.stderr], [1, `${why}\n`], words.join(" "));
  }
  const folder = await Array.fromAsync(Deno.readDir(place.dataDir), ({ name }) => name);
  if (!folder.includes("backups")) return;
  assertEquals(await Array.fromAsync(Deno.readDir(`${place.dataDir}/backups`)), []);
});

Deno.test({
  name: "The program age and the service read each other's backups for a public key",
  ignore: !AGE,
  async fn() {
    await using place = await createInstallation();
    const identity = await keyFile(place, "identity", `${KEYS.secretKey}\n`);
    const path = await backUp(place, "--recipient", KEYS.publicKey);
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

Deno.test({
  name: "The program age and the service read each other's backups for a passphrase",
  ignore: !TERMINALS,
  async fn() {
    await using place = await createInstallation();
    const file = await keyFile(place, "passphrase", `${PASSPHRASE}\n`);
    const path = await backUp(place, "--passphrase-file", file);
    const opened = `${place.dataDir}/opened`;
    await ageWithPassphrase("-d", "-o", opened, path);
    const again = `${place.dataDir}/again.age`;
    await ageWithPassphrase("-p", "-o", again, opened);
    const { manifest } = await checkBackup(opened);
    assertEquals((await checkBackup(again, passphraseIdentity(PASSPHRASE))).manifest, manifest);
  },
});

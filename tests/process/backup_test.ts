/** Backup, restore and verification as real processes, between engines and beside a running server. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkBackup } from "../../src/backup/read_backup.ts";
import { uploaded } from "../support/attachments.ts";
import { runBackupTask } from "../support/backup_process.ts";
import { createInstallation } from "../support/installation.ts";
import { type Ended, type ServerProcess, startServer } from "../support/server_process.ts";
import { type Answer, ENGINE, type Person, personOf } from "../support/world.ts";

const RECORDS = "/api/v2/records/commitment";
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

/** A data folder of its own for the embedded engine, which nothing has used yet. */
interface Place extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
}

async function embeddedPlace(): Promise<Place> {
  const dataDir = await Deno.makeTempDir({ prefix: "prs-embedded-" });
  return {
    dataDir,
    env: { PORT: "0", DATA_DIR: dataDir },
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}

function assertDone({ code, stderr }: Ended): void {
  assertEquals([code, stderr], [0, ""]);
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  assertEquals(code, 0, stderr);
}

/** Backs an installation up, and returns the file. */
async function backUp({ env }: Pick<Place, "env">, ...words: string[]): Promise<string> {
  const ended = await runBackupTask("backup", env, ...words);
  assertDone(ended);
  const [path = "", described] = ended.stdout.split("\n");
  assertMatch(described ?? "", /^\d+ rows and \d+ files \(\d+ bytes\), as they were at 2\S+Z$/);
  return path;
}

/** Restores a file that another installation wrote: it lies where this one may read. */
async function restore(place: Place, file: string): Promise<Ended> {
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/from-elsewhere`;
  await Deno.copyFile(file, path);
  const ended = await runBackupTask("restore", place.env, path);
  assertDone(ended);
  return ended;
}

/** Makes an account with a record of the key `one` and an attachment. */
async function fill(server: ServerProcess): Promise<Person> {
  const person = await server.setUp();
  const created = await person.call("POST", RECORDS, { key: "one", body: PROMISE });
  assertEquals(created.status, 201, created.text);
  await uploaded(person, "some bytes");
  return person;
}

async function signIn(server: ServerProcess): Promise<Person> {
  const answer: Answer = await server.call("POST", "/api/v2/auth/login", {
    body: {
      email: "owner@example.org",
      password: "a password that only tests know",
      transport: "bearer",
    },
  });
  assertEquals(answer.status, 200, answer.text);
  const { account, session, accessToken } = answer.body.data;
  return personOf(server.app, { ...account, ...session, secret: accessToken });
}

Deno.test({
  name: "Backup goes from embedded to PostgreSQL and back with equal digests",
  ignore: ENGINE !== "postgres",
  fn: async () => {
    await using first = await embeddedPlace();
    await using middle = await createInstallation({ untouched: true });
    await using last = await embeddedPlace();
    const server = await startServer(first.env);
    await fill(server);
    await stop(server);

    const files = [await backUp(first)];
    for (const place of [middle, last]) {
      await restore(place, files.at(-1) ?? "");
      files.push(await backUp(place));
    }
    const [original, ...others] = await Promise.all(files.map(checkBackup));
    for (const other of others) {
      assertEquals(other.manifest.tables, original?.manifest.tables);
      assertEquals(other.manifest.objects, { count: 1, bytes: 10 });
    }

    await using restored = await startServer(last.env);
    const person = await signIn(restored);
    const list = await person.call("GET", RECORDS);
    assertEquals(list.body.data.items[0].payload, PROMISE.payload);
    const attachments = await person.call("GET", "/api/v2/attachments");
    const [{ attachmentId }] = attachments.body.data.items;
    const content = await person.call("GET", `/api/v2/attachments/${attachmentId}/content`);
    assertEquals(content.text, "some bytes");
    const replay = await person.call("POST", RECORDS, { key: "one", body: PROMISE });
    assertEquals(replay.headers.get("Idempotency-Replayed"), "true");
  },
});

Deno.test("Backup beside a running server holds what was acknowledged before", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const person = await fill(server);
  const before = await backUp(place);
  const path = `${RECORDS}/${(await person.create("commitment", PROMISE.payload)).recordId}`;
  const after = await backUp(place, "--with-secret");
  assertEquals((await person.call("GET", path)).status, 200, "the server goes on");
  const files = await Promise.all([before, after].map(checkBackup));
  assertEquals(files.map(({ manifest }) => manifest.tables.records?.rows), [1, 2]);
  assertEquals(files.map(({ manifest }) => manifest.objects.count), [1, 1]);
  assertEquals(files.map(({ head }) => head.serverSecret === null), [true, false]);
});

Deno.test("Backup is verified in a scratch database, which goes again", async () => {
  await using place = await createInstallation();
  const server = await startServer(place.env);
  await fill(server);
  await stop(server);
  const path = await backUp(place);
  assertEquals((await Deno.stat(path)).mode, 0o100600);
  const verified = await runBackupTask("backup:verify", place.env, path);
  assertDone(verified);
  assertMatch(verified.stdout, /^Whole: \d+ rows and 1 files \(10 bytes\), as they were at /);
  const left = await Array.fromAsync(Deno.readDir(`${place.dataDir}/backups`), ({ name }) => name);
  assertEquals(left.length, 1, left.join());
});

Deno.test("Backup brings the server secret along only when it is asked to", async () => {
  await using first = await embeddedPlace();
  const server = await startServer(first.env);
  await fill(server);
  await stop(server);
  const other = { ...PROMISE, title: "Another promise" };
  const expected = [
    // A key's request is not known under another secret, so that its finished one is answered.
    { words: [], status: 201, said: "" },
    { words: ["--with-secret"], status: 409, said: "The server secret is the backup's\n" },
  ];
  for (const { words, status, said } of expected) {
    await using place = await embeddedPlace();
    const { stdout } = await restore(place, await backUp(first, ...words));
    assertEquals(stdout.split("\n").slice(1).join("\n"), said);
    await using restored = await startServer(place.env);
    const person = await signIn(restored);
    const answer = await person.call("POST", RECORDS, { key: "one", body: other });
    assertEquals(answer.status, status, answer.text);
    assertEquals(answer.headers.has("Idempotency-Replayed"), status === 201);
  }
});

Deno.test("Restore says when the place has another server secret, which stays", async () => {
  await using place = await createInstallation();
  const secret = "one server secret that only tests know";
  const path = await backUp({ env: { ...place.env, SERVER_SECRET: secret } }, "--with-secret");
  const env = { ...place.env, SERVER_SECRET: "another server secret that only tests know" };
  const ended = await runBackupTask("restore", env, path);
  assertDone(ended);
  assertStringIncludes(ended.stdout, "The server secret here is not the backup's");
  assertEquals(ended.stdout.includes(secret), false);
});

Deno.test("Backup programs tell by exit code and one sentence what is wrong", async () => {
  await using place = await createInstallation();
  const path = await backUp(place);
  for (const words of [["--secret"], ["--with-secret", "more"], ["file"]]) {
    const ended = await runBackupTask("backup", place.env, ...words);
    assertEquals([ended.code, ended.stderr], [2, "Usage: deno task backup [--with-secret]\n"]);
  }
  for (const task of ["restore", "backup:verify"] as const) {
    const ended = await runBackupTask(task, place.env);
    assertEquals([ended.code, ended.stderr], [2, `Usage: deno task ${task} FILE\n`]);
    const absent = await runBackupTask(task, place.env, `${place.dataDir}/absent`);
    assertEquals([absent.code, absent.stderr], [1, "The file cannot be read\n"]);
    await Deno.writeFile(`${path}.cut`, (await Deno.readFile(path)).slice(0, -20));
    const cut = await runBackupTask(task, place.env, `${path}.cut`);
    assertEquals([cut.code, cut.stderr], [1, "The file is damaged, or no backup\n"]);
  }
  const settings = await runBackupTask("backup", { ...place.env, PORT: "eighty" });
  assertEquals(settings.code, 78);
  assertEquals(await place.rows("select * from accounts"), []);
});

Deno.test("Restore refuses a place that is in use", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  await fill(server);
  const file = `${place.dataDir}/backup`;
  {
    await using source = await embeddedPlace();
    await Deno.copyFile(await backUp(source), file);
  }
  const ended = await runBackupTask("restore", place.env, file);
  assertEquals(ended.code, 1);
  assertMatch(
    ended.stderr,
    ENGINE === "embedded"
      ? /^The data directory is in use by process \d+\n$/
      : /^The database is not empty: there are rows in accounts\n$/,
  );
  assert((await signIn(server)).secret !== "");
});

// engines: embedded
/** A missing secret at start, backup and restore. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readServerSecret, ServerSecretError } from "../../src/access/server_secret.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import {
  type RestoredSecret,
  restoreInstallation,
} from "../../src/operator/backup/installation.ts";
import type { Config } from "../../src/operator/config/config.ts";
import { embeddedPlace } from "../support/backup_process.ts";
import { configOf, operate, setUpOwner, startOwn } from "../support/own_service.ts";
import { failStart } from "../support/server_process.ts";
import { copyFolder } from "../support/template.ts";

const FILES = ["server_secret", "server_secret.new"];

/** An installation in a temporary folder. */
async function newPlace(): Promise<Config & AsyncDisposable> {
  const place = await embeddedPlace();
  return {
    ...configOf(place.dataDir),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

async function start(config: Config): Promise<void> {
  await using _service = await startOwn(config);
}

/** A used installation that `usedPlace` copies, and its backup with the secret. */
interface Used {
  readonly place: Config & AsyncDisposable;
  readonly backup: string;
}

let used: Promise<Used> | undefined;

async function use(): Promise<Used> {
  const place = await newPlace();
  {
    await using service = await startOwn(place);
    await setUpOwner(service);
  }
  return { place, backup: await backUp(place, "include") };
}

Deno.test.afterAll(async () => await (await used)?.place[Symbol.asyncDispose]());

async function usedPlace(): Promise<
  Config & AsyncDisposable & { readonly secret: string; readonly backup: string }
> {
  const { place, backup } = await (used ??= use());
  const dataDir = await Deno.makeTempDir({ prefix: "prs-used-" });
  copyFolder(place.dataDir, dataDir);
  return {
    ...configOf(dataDir),
    backup,
    secret: await Deno.readTextFile(`${dataDir}/server_secret`),
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}

async function backUp(config: Config, secret?: "include"): Promise<string> {
  const [path = ""] = await operate(config, { command: "backup", ...secret && { secret } });
  return path;
}

/** Null if missing. */
async function secretFiles({ dataDir }: Config): Promise<(string | null)[]> {
  const read = (name: string) => Deno.readTextFile(`${dataDir}/${name}`).catch(() => null);
  return await Promise.all(FILES.map(read));
}

async function putFiles({ dataDir }: Config, ...contents: (string | null)[]): Promise<void> {
  for (const [index, name] of FILES.entries()) {
    const content = contents[index] ?? null;
    if (content !== null) await Deno.writeTextFile(`${dataDir}/${name}`, content);
    else await Deno.remove(`${dataDir}/${name}`).catch(() => {});
  }
}

async function restore(config: Config, path: string): Promise<RestoredSecret> {
  return (await restoreInstallation(config, { path, identity: null }, () => {})).secret;
}

Deno.test("A start without its database's secret ends with 78 and advice", async () => {
  await using place = await usedPlace();
  const env = { DATA_DIR: place.dataDir, PORT: "0" };
  await putFiles(place);
  const ended = await failStart(env);
  assertEquals(ended.code, 78, ended.stderr);
  assertStringIncludes(ended.stderr, "server_secret is missing");
  assertEquals(await secretFiles(place), [null, null]);
  await assertRejects(() => backUp(place, "include"), ServerSecretError, "is missing");
  assertEquals(await secretFiles(place), [null, null]);
});

Deno.test("A secret that does not match its database stays where it is; a matching one is moved", async () => {
  await using place = await usedPlace();
  const database = await openEmbedded(place.dataDir);
  try {
    const read = () => readServerSecret(place, database);
    const other = "the secret of another installation";
    for (const files of [[null, other], [other, other], ["", null]]) {
      await putFiles(place, ...files);
      await assertRejects(read, ServerSecretError, "server_secret is missing");
      assertEquals(await secretFiles(place), files);
    }
    await putFiles(place, place.secret, other);
    assertEquals(`${await read()}\n`, place.secret);
    assertEquals(await secretFiles(place), [place.secret, other]);
    await putFiles(place, null, place.secret);
    assertEquals(`${await read()}\n`, place.secret);
    assertEquals(await secretFiles(place), [place.secret, null]);
  } finally {
    await database.close();
  }
});

Deno.test("A start on a database without a check value makes a new secret", async () => {
  await using place = await newPlace();
  const half = "half of a sec";
  await putFiles(place, null, half);
  await start(place);
  const [made = null, draft] = await secretFiles(place);
  assertEquals(draft, null);
  assert(made !== null && !made.startsWith(half));
});

Deno.test("A restore writes the secret before its rows and their check value, and completes it if repeated", async () => {
  await using place = await usedPlace();
  await using target = await newPlace();
  // Prevents both the secret and the rows.
  await Deno.mkdir(`${target.dataDir}/server_secret.new`);
  await assertRejects(() => restore(target, place.backup));
  await Deno.remove(`${target.dataDir}/server_secret.new`);
  assertEquals(await restore(target, place.backup), "kept");
  assertEquals(await secretFiles(target), [place.secret, null]);
  await putFiles(target);
  await assertRejects(() => start(target), ServerSecretError);
  // The worst results of a power loss.
  for (const left of [[], [null, place.secret]]) {
    await putFiles(target, ...left);
    assertEquals(await restore(target, place.backup), "completed");
    assertEquals(await secretFiles(target), [place.secret, null]);
  }
  await assertRejects(() => restore(target, place.backup), Error, "The database is not empty");
  await start(target);
});

Deno.test("A backup omits a lost secret; a restore rejects a database whose secret is in no backup", async () => {
  await using place = await usedPlace();
  await putFiles(place);
  await using target = await newPlace();
  const without = await backUp(place);
  assertEquals(await restore(target, without), "absent");
  assertEquals(await secretFiles(target), [null, null]);
  await start(target);
  const [made = null] = await secretFiles(target);
  assert(made !== null && made !== place.secret);
  await putFiles(target);
  for (const path of [place.backup, without]) {
    await assertRejects(() => restore(target, path), ServerSecretError, "server_secret is missing");
    assertEquals(await secretFiles(target), [null, null]);
  }
});

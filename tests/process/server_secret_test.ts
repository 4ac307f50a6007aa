// engines: embedded
/** A missing secret at start, backup and restore. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ServerSecretError } from "../../src/access/server_secret.ts";
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

/** The installation that `usedPlace` copies; its owner's password takes longer than a copy. */
let used: Promise<Config & AsyncDisposable> | undefined;

async function use(): Promise<Config & AsyncDisposable> {
  const place = await newPlace();
  await using service = await startOwn(place);
  await setUpOwner(service);
  return place;
}

Deno.test.afterAll(async () => await (await used)?.[Symbol.asyncDispose]());

async function usedPlace(): Promise<Config & AsyncDisposable & { readonly secret: string }> {
  const original = await (used ??= use());
  const dataDir = await Deno.makeTempDir({ prefix: "prs-used-" });
  copyFolder(original.dataDir, dataDir);
  return {
    ...configOf(dataDir),
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

Deno.test("A start changes no file of a secret that does not match its database", async () => {
  await using place = await usedPlace();
  const other = "the secret of another installation";
  for (const files of [[null, other], [other, other], ["", null]]) {
    await putFiles(place, ...files);
    await assertRejects(() => start(place), ServerSecretError, "server_secret is missing");
    assertEquals(await secretFiles(place), files);
  }
  await putFiles(place, place.secret, other);
  await start(place);
  assertEquals(await secretFiles(place), [place.secret, other]);
  // A matching one is moved to its place.
  await putFiles(place, null, place.secret);
  await start(place);
  assertEquals(await secretFiles(place), [place.secret, null]);
});

Deno.test("A restore writes the secret before its rows, and their check value", async () => {
  await using place = await usedPlace();
  await using target = await newPlace();
  const path = await backUp(place, "include");
  // Prevents both the secret and the rows.
  await Deno.mkdir(`${target.dataDir}/server_secret.new`);
  await assertRejects(() => restore(target, path));
  await Deno.remove(`${target.dataDir}/server_secret.new`);
  assertEquals(await restore(target, path), "kept");
  assertEquals(await secretFiles(target), [place.secret, null]);
  await putFiles(target);
  await assertRejects(() => start(target), ServerSecretError);
});

Deno.test("A restore without its secret is completed by repeating it", async () => {
  await using place = await usedPlace();
  await using target = await newPlace();
  const path = await backUp(place, "include");
  await restore(target, path);
  // The worst results of a power loss.
  for (const left of [[], [null, place.secret]]) {
    await putFiles(target, ...left);
    assertEquals(await restore(target, path), "completed");
    assertEquals(await secretFiles(target), [place.secret, null]);
  }
  await assertRejects(() => restore(target, path), Error, "The database is not empty");
  await start(target);
});

Deno.test("A restore rejects a used database whose secret is neither here nor in the backup", async () => {
  await using place = await usedPlace();
  await using target = await newPlace();
  await start(target);
  await putFiles(target);
  for (const path of [await backUp(place, "include"), await backUp(place)]) {
    await assertRejects(() => restore(target, path), ServerSecretError, "server_secret is missing");
    assertEquals(await secretFiles(target), [null, null]);
  }
});

Deno.test("A backup without a secret omits a lost one, and a start on its rows makes a new one", async () => {
  await using place = await usedPlace();
  await putFiles(place);
  await using target = await newPlace();
  assertEquals(await restore(target, await backUp(place)), "absent");
  assertEquals(await secretFiles(target), [null, null]);
  const half = "half of a sec";
  await putFiles(target, null, half);
  await start(target);
  const [made = null, draft] = await secretFiles(target);
  assertEquals(draft, null);
  assert(made !== null && made !== place.secret && !made.startsWith(half));
});

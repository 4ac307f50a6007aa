// engines: postgres
/**
 * Attachments whose bytes are lost: in a backup, its restore and a check. `engines_test.ts` moves
 * one.
 */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { IncompleteError } from "../../src/errors/operator_error.ts";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { checkBackup } from "../../src/operator/backup/read_backup.ts";
import { download, filesUnder, uploaded } from "../support/attachments.ts";
import { type Caller, createWorld, type World } from "../support/world.ts";
import { allRows, backupFolder, backUpWorld, restoreFile, unpacked } from "./backup.ts";
import { servicesOf } from "./operator.ts";

/** Attachments by the state of their files. */
interface Losses {
  readonly whole: string;
  readonly missing: string;
  readonly shorter: string;
  readonly longer: string;
  readonly changed: string;
  /** A second attachment with the bytes of `missing`. */
  readonly twin: string;
}

async function lose(world: World, caller: Caller): Promise<Losses> {
  const made = async (content: string, change: (path: string) => Promise<void>) => {
    const before = await filesUnder(world.objectFolder);
    const id = await uploaded(caller, content);
    const [file] = (await filesUnder(world.objectFolder)).filter((path) => !before.includes(path));
    return { id, spoil: () => change(`${world.objectFolder}/${file}`) };
  };
  const whole = await made("these bytes stay", () => Promise.resolve());
  const missing = await made("these bytes go", (path) => Deno.remove(path));
  const shorter = await made("these become fewer", (path) => Deno.truncate(path, 3));
  const longer = await made(
    "these become more",
    (path) => Deno.writeTextFile(path, "more of it, much more"),
  );
  const changed = await made("these change", (path) => Deno.writeTextFile(path, "THESE CHANGE"));
  const twin = await uploaded(caller, "these bytes go");
  for (const { spoil } of [missing, shorter, longer, changed]) await spoil();
  const ids = { whole, missing, shorter, longer, changed };
  return {
    ...Object.fromEntries(Object.entries(ids).map(([name, { id }]) => [name, id])),
    twin,
  } as unknown as Losses;
}

async function runCommand(world: World, command: string): Promise<readonly string[]> {
  const running = runAdminCommand(servicesOf(world), readCommand({ command }));
  return await running.catch((error) => {
    if (error instanceof IncompleteError) return ["INCOMPLETE", ...error.lines];
    throw error;
  });
}

Deno.test("A backup holds everything but lost bytes, names them, and restores", async () => {
  await using folder = await backupFolder();
  await using world = await createWorld();
  const caller = await world.createCaller();
  const { whole, ...lost } = await lose(world, caller);
  const path = `${folder.path}/backup`;
  const { manifest } = await backUpWorld(world, path);
  const expected = Object.values(lost).sort();
  assertEquals(manifest.lost?.toSorted(), expected);
  assertEquals(manifest.objects, { count: 1, bytes: 16 });
  assertEquals((await checkBackup(path)).manifest.lost, manifest.lost);
  assertEquals(await world.objects.readLost(), 5);

  await using other = await createWorld();
  await restoreFile(other, path);
  assertEquals((await allRows(other)).attachments, (await allRows(world)).attachments);
  assertEquals((await filesUnder(other.objectFolder)).length, 1);
  const again = await backUpWorld(other, `${folder.path}/again`);
  assertEquals(again.manifest.lost, manifest.lost);
  assertEquals((await unpacked(path)).includes(whole), true);
});

Deno.test("A backup without losses names none", async () => {
  await using folder = await backupFolder();
  await using world = await createWorld();
  await uploaded(await world.createCaller(), "these bytes stay");
  const path = `${folder.path}/backup`;
  const { manifest } = await backUpWorld(world, path);
  assertEquals(manifest.lost, undefined);
  assertEquals(await world.objects.readLost(), 0);
});

Deno.test("attachments check lists every gap with its kind, and sets the gauge", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  assertEquals(await runCommand(world, "attachments check"), [
    "All files of attachments are whole: 0",
  ]);
  const lost = await lose(world, caller);
  const [first, second, ...lines] = await runCommand(world, "attachments check");
  assertEquals([first, second], ["INCOMPLETE", "Lost attachments: 5"]);
  assertEquals(
    lines.toSorted(),
    [
      `  ${lost.missing}: its file is missing`,
      `  ${lost.shorter}: its file has another size`,
      `  ${lost.longer}: its file has another size`,
      `  ${lost.changed}: its file has other bytes`,
      `  ${lost.twin}: its file is missing`,
    ].sort(),
  );
  assertEquals(await world.objects.readLost(), 5);
  // The same bytes heal every attachment that has them.
  await uploaded(caller, "these bytes go");
  assertEquals((await runCommand(world, "attachments check"))[1], "Lost attachments: 3");
  assertEquals((await download(world, caller, lost.twin)).status, 200);
});

Deno.test("The backup command lists what it lacks", async () => {
  await using world = await createWorld();
  const { missing } = await lose(world, await world.createCaller());
  const [first, path = "", about = "", sentence, ...ids] = await runCommand(world, "backup");
  assertEquals(first, "INCOMPLETE");
  assertMatch(about, /^\d+ rows and 1 files \(16 bytes\), as they were at /);
  assertEquals(
    sentence,
    "Attachments that are not in it, because their files are missing or damaged: 5",
  );
  assertEquals(ids.includes(`  ${missing}`), true);
  await checkBackup(path);
  await Deno.remove(path);
});

Deno.test("A check fails without counting if a file must not be read", async () => {
  await using world = await createWorld();
  await uploaded(await world.createCaller(), "these bytes stay");
  const { open } = Deno;
  Deno.open = (path, options) =>
    /[0-9a-f]{64}$/.test(String(path))
      ? Promise.reject(new Deno.errors.PermissionDenied())
      : open(path, options);
  try {
    await assertRejects(() => runCommand(world, "attachments check"), Deno.errors.PermissionDenied);
  } finally {
    Deno.open = open;
  }
  assertEquals(await world.objects.readLost(), null);
});

/** The folder during and after a backup. */

import { assertEquals } from "@std/assert";
import { BackupFile } from "../../../../src/operator/backup/backup_file.ts";

/** Runs `use` in a new folder; lists the remaining files. */
async function leftBy(
  use: (file: BackupFile, path: string, abort: AbortController) => Promise<unknown>,
): Promise<{ readonly thrown: string | null; readonly left: readonly string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "prs-backup-file-" });
  const abort = new AbortController();
  let thrown: string | null = null;
  try {
    await using file = await BackupFile.create(`${folder}/backup`, {
      encryption: null,
      signal: abort.signal,
    });
    await use(file, `${folder}/backup`, abort);
  } catch (error) {
    thrown = error instanceof Error ? error.message : String(error);
  }
  const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  await Deno.remove(folder, { recursive: true });
  return { thrown, left };
}

Deno.test("A backup gets its name only after its check", async () => {
  const seen: string[] = [];
  const { thrown, left } = await leftBy(async (file, path) => {
    await file.write("{}");
    await file.finish(async (draft) => {
      seen.push(draft.slice(path.length));
      seen.push(String((await Deno.stat(draft)).size > 20));
      await Deno.stat(path).catch(() => seen.push("no name yet"));
    });
  });
  assertEquals([thrown, left], [null, ["backup"]]);
  assertEquals(seen, [".new", "true", "no name yet"]);
});

Deno.test("A backup that fails its check leaves nothing", async () => {
  const refuse = () => Promise.reject(new Error("It reads as something else"));
  assertEquals(await leftBy((file) => file.finish(refuse)), {
    thrown: "It reads as something else",
    left: [],
  });
});

Deno.test("A backup stops at the next line once its signal aborts", async () => {
  const { thrown, left } = await leftBy(async (file, _path, abort) => {
    await file.write("x".repeat(100_000));
    abort.abort(new Error("The service stops"));
    await file.write("{}");
  });
  assertEquals([thrown, left], ["The service stops", []]);
});

Deno.test("A backup reports that its draft was removed, and nothing else", async () => {
  const { thrown, left } = await leftBy(async (file, path) => {
    await Deno.remove(`${path}.new`);
    await file.write("{}");
    throw new Error("The disk is full");
  });
  assertEquals([thrown, left], ["The disk is full", []]);
});

Deno.test("A backup on a full disk fails at a write, and does not wait for it", async () => {
  const { write } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.write = () => Promise.reject(new Error("No space left on device"));
  const noise = () => crypto.getRandomValues(new Uint8Array(64 * 1024)).toBase64();
  const { thrown, left } = await leftBy(async (file) => {
    for (let part = 0; part < 100; part++) await file.write(noise());
    throw new Error("Every write succeeded");
  });
  Deno.FsFile.prototype.write = write;
  assertEquals([thrown, left], ["No space left on device", []]);
});

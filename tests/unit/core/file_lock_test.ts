import { assert, assertEquals } from "@std/assert";
import { type FileLock, takeFileLock } from "../../../src/core/file_lock.ts";

async function take(path: string): Promise<FileLock> {
  const lock = await takeFileLock(path);
  assert("release" in lock, "somebody else has the lock");
  return lock;
}

async function withPath(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "prs-lock-" });
  try {
    await use(`${folder}/lock`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("takeFileLock() takes a lock once, and again after its release", () =>
  withPath(async (path) => {
    const lock = await take(path);
    assertEquals(await takeFileLock(path), { heldBy: `process ${Deno.pid}` });
    assertEquals(await takeFileLock(path), { heldBy: `process ${Deno.pid}` });
    lock.release();
    (await take(path)).release();
  }));

Deno.test("takeFileLock() makes a private file with its holder", () =>
  withPath(async (path) => {
    const lock = await take(path);
    assertEquals(await Deno.readTextFile(path), `process ${Deno.pid}\n`);
    const { mode } = await Deno.stat(path);
    if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o600);
    lock.release();
  }));

Deno.test("takeFileLock() takes over an unlocked file with any content", () =>
  withPath(async (path) => {
    await Deno.writeTextFile(path, "process 1, which ended long ago and wrote much\n".repeat(10));
    const lock = await take(path);
    assertEquals(await Deno.readTextFile(path), `process ${Deno.pid}\n`);
    lock.release();
  }));

Deno.test("takeFileLock() reports no name for a holder that has not written it yet", () =>
  withPath(async (path) => {
    using holder = await Deno.open(path, { create: true, write: true });
    assert(await holder.tryLock(true));
    assertEquals(await takeFileLock(path), { heldBy: "another process" });
  }));

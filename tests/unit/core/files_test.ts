import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ignoreNotFound,
  makeSyncedFolder,
  moveSynced,
  syncPath,
  writeAll,
  writeSynced,
} from "../../../src/core/files.ts";

Deno.test("ignoreNotFound() ignores only a missing file", async () => {
  const directory = await Deno.makeTempDir();
  try {
    assertEquals(await Deno.readTextFile(`${directory}/absent`).catch(ignoreNotFound), undefined);
    await assertRejects(() => Deno.readTextFile(directory).catch(ignoreNotFound), Error);
    assertThrows(() => ignoreNotFound(new Deno.errors.PermissionDenied()));
  } finally {
    await Deno.remove(directory);
  }
});

Deno.test("syncPath() accepts files and directories, and throws for a missing one", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/file`, "text");
    await syncPath(`${directory}/file`);
    await syncPath(directory);
    await assertRejects(() => syncPath(`${directory}/absent`), Deno.errors.NotFound);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("writeAll() continues after a partial write", async () => {
  const written: number[] = [];
  const target = {
    write(bytes: Uint8Array): Promise<number> {
      written.push(bytes[0] ?? 0);
      return Promise.resolve(1);
    },
  };
  await writeAll(target, Uint8Array.of(1, 2, 3));
  assertEquals(written, [1, 2, 3]);
});

Deno.test("Durable files are written completely, privately, and replace others", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const [draft, path] = [`${directory}/folder/file.new`, `${directory}/folder/file`];
    for (const text of ["a longer text", "text"]) {
      await makeSyncedFolder(`${directory}/folder`);
      await writeSynced(draft, new TextEncoder().encode(text));
      await moveSynced(draft, path);
      assertEquals(await Deno.readTextFile(path), text);
    }
    const modes = [`${directory}/folder`, path].map((at) => Deno.statSync(at).mode ?? 0);
    assertEquals(modes.map((mode) => mode & 0o777), [0o700, 0o600]);
    assertEquals(Array.from(Deno.readDirSync(`${directory}/folder`), ({ name }) => name), ["file"]);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ignoreNotFound, syncPath } from "../../../src/core/files.ts";

Deno.test("ignoreNotFound() lets an absent file pass, and nothing else", async () => {
  const directory = await Deno.makeTempDir();
  try {
    assertEquals(await Deno.readTextFile(`${directory}/absent`).catch(ignoreNotFound), undefined);
    await assertRejects(() => Deno.readTextFile(directory).catch(ignoreNotFound), Error);
    assertThrows(() => ignoreNotFound(new Deno.errors.PermissionDenied()));
  } finally {
    await Deno.remove(directory);
  }
});

Deno.test("syncPath() takes files and directories, and throws where there is none", async () => {
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

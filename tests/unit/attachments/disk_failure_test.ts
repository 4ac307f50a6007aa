import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { writeToDisk } from "../../../src/attachments/disk_failure.ts";
import { ServiceError } from "../../../src/errors/service_error.ts";

Deno.test("A full disk and a lack of file descriptors are 503 with their cause", async () => {
  for (const code of ["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE"]) {
    const cause = Object.assign(new Error("a path"), { code });
    const error = await assertRejects(
      () => writeToDisk(() => Promise.reject(cause)),
      ServiceError,
    );
    assertEquals(error.code, "HTTP_503");
    assertStrictEquals(error.cause, cause);
  }
});

Deno.test("Other failures, and successes, pass unchanged", async () => {
  const other = Object.assign(new Error("x"), { code: "EACCES" });
  assertStrictEquals(await writeToDisk(() => Promise.reject(other)).catch((error) => error), other);
  assertEquals(await writeToDisk(() => Promise.resolve("written")), "written");
});

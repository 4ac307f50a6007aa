import { assertEquals, assertStringIncludes } from "@std/assert";
import { Secret } from "../../../../src/operator/config/secrets.ts";
import { memoryWarning } from "../../../../src/operator/programs/memory_minimum.ts";

const MIB = 1024 ** 2;
const BUILT_IN = { databaseUrl: null };
const SERVER = { databaseUrl: new Secret("postgres://db.example/prs") };

Deno.test("A memory limit below the minimum of the engine is reported", () => {
  assertEquals(
    memoryWarning(BUILT_IN, 320 * MIB),
    "The memory of this process is limited to 320 MiB, and the service needs 384 MiB with the built-in " +
      "database: raise the limit, or the system may end it at any moment",
  );
  assertStringIncludes(memoryWarning(SERVER, 255 * MIB) ?? "", "needs 256 MiB with DATABASE_URL");
});

Deno.test("Enough memory, or an unknown limit, is not reported", () => {
  for (const bytes of [384 * MIB, 2 ** 63, null]) {
    assertEquals(memoryWarning(BUILT_IN, bytes), null);
  }
  assertEquals(memoryWarning(SERVER, 256 * MIB), null);
  assertEquals(memoryWarning(BUILT_IN), null);
});

// engines: postgres
import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { checkConnectionLimit } from "../../src/database/connection_limit.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { DatabaseServerError } from "../../src/database/server_check.ts";
import { createServerDatabase } from "../support/template.ts";

/** Returns the message for a pool of this size; null if it is accepted. */
async function refusal(url: string, poolSize: number): Promise<string | null> {
  const database = openPostgres(url, 2);
  try {
    await checkConnectionLimit(database, poolSize);
    return null;
  } catch (error) {
    if (error instanceof DatabaseServerError) return error.message;
    throw error;
  } finally {
    await database.close();
  }
}

Deno.test("A pool may not be larger than the limits of its role, database and server", async () => {
  const { url, drop } = await createServerDatabase({ empty: true });
  const role = `limited_${ulid().toLowerCase()}`;
  const administrator = openPostgres(url, 2);
  const run = (script: string) => administrator.transaction((tx) => tx.script(script));
  const own = new URL(url);
  own.username = role;
  try {
    await run(`create role ${role} login connection limit 7`);
    assertEquals(
      await refusal(own.href, 8),
      "DATABASE_POOL_SIZE is 8, and the role allows 7 connections: raise that limit (alter role … " +
        "connection limit), or set DATABASE_POOL_SIZE to 7 or less",
    );
    assertEquals(await refusal(own.href, 7), null);
    await run(`alter role ${role} connection limit -1`);
    assertEquals(await refusal(own.href, 8), null);
    await run(`alter database ${own.pathname.slice(1)} connection limit 5`);
    assertEquals((await refusal(own.href, 8))?.includes("the database allows 5"), true);
    // Limits of roles and databases do not apply to a superuser.
    assertEquals(await refusal(url, 8), null);
    assertEquals((await refusal(url, 100_000))?.includes("the server allows"), true);
  } finally {
    await run(`drop role ${role}`);
    await administrator.close();
    await drop();
  }
});

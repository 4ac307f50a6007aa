// engines: embedded
/** One process per data folder of the built-in engine. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { failStart, startServer } from "../support/server_process.ts";
import { ENGINE } from "../support/world.ts";

Deno.test({
  name: "Start rejects a data folder that another process holds, and names it",
  ignore: ENGINE !== "embedded",
  async fn() {
    await using place = await createInstallation();
    await using first = await startServer(place.env);
    const ended = await failStart(place.env);
    assertEquals(ended.code, 1);
    assertStringIncludes(ended.stderr, `in use by process ${first.pid}\n`);
    assertEquals((await first.call("GET", "/api/v2/auth/session")).status, 401);
  },
});

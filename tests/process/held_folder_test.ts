// engines: embedded
/** One process per data folder of the built-in engine. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { failStart, startServer } from "../support/server_process.ts";
import { copyTemplate } from "../support/template.ts";
import { ENGINE } from "../support/world.ts";

Deno.test({
  name: "A held data folder rejects a start and, without a socket for its long name, a command",
  ignore: ENGINE !== "embedded",
  async fn() {
    await using place = await createInstallation({ untouched: true });
    const DATA_DIR = `${place.dataDir}/${"a long name ".repeat(9)}end`;
    copyTemplate(DATA_DIR);
    const env = { ...place.env, DATA_DIR };
    await using first = await startServer(env);
    const ended = await failStart(env);
    assertEquals(ended.code, 1);
    assertStringIncludes(ended.stderr, `in use by process ${first.pid}\n`);
    const held = await runAdmin(env, ["account", "list"]);
    assertEquals([held.code, held.stderr], [
      1,
      `The data directory is in use by process ${first.pid}\n`,
    ]);
    assertEquals((await first.call("GET", "/api/v2/auth/session")).status, 401);
    first.kill("SIGTERM");
    const { code, stdout } = await first.ended;
    assertEquals(code, 0);
    assertMatch(stdout, /"level":"warn","event":"admin_socket_unavailable","error":"TypeError"/);
  },
});

import { assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";

Deno.test("First start prints a set-up link, and a curl line that works once, with an own password", async () => {
  await using place = await createInstallation({ untouched: true });
  await using server = await startServer(place.env);
  const { welcome, port } = server;
  const token = /http:\/\/localhost:(\d+)\/#setup=(prs_i_[\w-]{43})\n/.exec(welcome);
  assertEquals(token?.[1], String(port), welcome);
  const curl = /curl -X POST (\S+) -H '([^']+)' \\\n\s+-d '([^']+)'\n/.exec(welcome);
  assertEquals(curl?.[1], `http://localhost:${port}/api/v2/auth/setup`, welcome);
  assertEquals(curl?.[2], "Content-Type: application/json");
  const printed = JSON.parse(curl?.[3] ?? "");
  assertEquals(printed.setupToken, token?.[2]);
  const refused = await server.call("POST", "/api/v2/auth/setup", { body: printed });
  assertEquals([refused.status, refused.body.error.details], [400, {
    fields: ["password"],
    rules: ["account.password_length"],
  }]);

  const body = { ...printed, password: "a phrase of my own" };
  const made = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals(made.status, 200, made.text);
  assertMatch(made.body.data.accessToken, /^prs_s_/);
  const twice = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals([twice.status, twice.body.error.code], [409, "SETUP_CLOSED"]);
});

import { assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";

const OWNER = { email: "owner@example.org", password: "the configured password" };
const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

Deno.test("First start prints a set-up link and a curl line whose request works once", async () => {
  await using place = await createInstallation({ untouched: true });
  await using server = await startServer(place.env);
  const { welcome, port } = server;
  const token = /http:\/\/localhost:(\d+)\/#setup=(prs_i_[\w-]{43})\n/.exec(welcome);
  assertEquals(token?.[1], String(port), welcome);
  const curl = /curl -X POST (\S+) -H '([^']+)' \\\n\s+-d '([^']+)'\n/.exec(welcome);
  assertEquals(curl?.[1], `http://localhost:${port}/api/v2/auth/setup`, welcome);
  assertEquals(curl?.[2], "Content-Type: application/json");
  const body = JSON.parse(curl?.[3] ?? "");
  assertEquals(body.setupToken, token?.[2]);

  const made = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals(made.status, 200, made.text);
  assertMatch(made.body.data.accessToken, /^prs_s_/);
  const twice = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals([twice.status, twice.body.error.code], [409, "SETUP_CLOSED"]);
});

Deno.test("Later start keeps the owner, the sessions and the records", async () => {
  await using place = await createInstallation();
  const env = { ...place.env, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password };
  let accessToken: string;
  let record: { recordId: string };
  {
    await using first = await startServer(env);
    const body = { ...OWNER, transport: "bearer" };
    const login = await first.call("POST", "/api/v2/auth/login", { body });
    accessToken = login.body.data.accessToken;
    const created = await first.call("POST", "/api/v2/records/commitment", {
      key: "one",
      headers: { Authorization: `Bearer ${accessToken}` },
      body: PROMISE,
    });
    assertEquals(created.status, 201, created.text);
    record = created.body.data;
    first.kill("SIGTERM");
    assertEquals((await first.ended).code, 0);
  }
  await using second = await startServer({ ...env, OWNER_PASSWORD: "another password now" });
  const read = await second.call("GET", `/api/v2/records/commitment/${record.recordId}`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  assertEquals(read.body.data, record, read.text);
  const login = await second.call("POST", "/api/v2/auth/login", { body: OWNER });
  assertEquals(login.status, 200, "the configured password must not replace the owner's own");
});

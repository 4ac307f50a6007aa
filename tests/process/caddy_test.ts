/** `scripts/deploy/Caddyfile` before a real service. Ignored without caddy. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { chapter } from "../support/chapters.ts";
import { createInstallation } from "../support/installation.ts";
import { freePort, isListening } from "../support/ports.ts";
import { findProgram } from "../support/programs.ts";
import { assertNoDetour, send } from "../support/proxies.ts";
import type { OwnService } from "../support/own_service.ts";
import { Output } from "../support/server_process.ts";
import { waitUntil } from "../support/wait.ts";

const CADDY = findProgram("caddy");
const METRICS_TOKEN = "a-token-that-only-tests-know";
const HOST = "records.example.org";
const FILE = chapter("scripts/deploy/Caddyfile");

interface Proxy extends AsyncDisposable {
  readonly port: number;
  readonly said: Output;
}

/** With plain HTTP and other ports. */
async function startCaddy(service: OwnService): Promise<Proxy> {
  const folder = await Deno.makeTempDir({ prefix: "prs-caddy-" });
  const port = freePort();
  const adapted = FILE.replace(HOST, `http://${HOST}:${port}`)
    .replace("127.0.0.1:8000", `127.0.0.1:${service.port}`);
  await Deno.writeTextFile(`${folder}/Caddyfile`, adapted);
  const child = new Deno.Command(CADDY ?? "", {
    args: ["run", "--config", `${folder}/Caddyfile`, "--adapter", "caddyfile"],
    // Its own store, and no door for administration.
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, CADDY_ADMIN: "off" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Output(child.stderr);
  await waitUntil("caddy listens", () => isListening(port));
  return {
    port,
    said,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, said.ended]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The response to a request without a body. */
async function ask({ port }: Proxy, path: string, headers = ""): Promise<string> {
  const head = `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n${headers}\r\n`;
  using connection = await send(port, head);
  return await new Response(connection.readable).text();
}

Deno.test("The Caddyfile has four lines", () => {
  assertEquals(FILE.trimEnd().split("\n").length, 4);
});

Deno.test({
  name: "Caddy hands on the client and the host, and hides what is for monitoring",
  ignore: CADDY === undefined,
  async fn() {
    await using place = await createInstallation();
    const PUBLIC_ORIGIN = `https://${HOST}`;
    const limits = { TRUST_PROXY: "1", RATE_LIMIT_PER_ADDRESS: "3" };
    await using service = await place.serve({ ...limits, PUBLIC_ORIGIN, METRICS_TOKEN });
    await using proxy = await startCaddy(service);
    assertMatch(await ask(proxy, "/"), /^HTTP\/1\.1 200 [^]*<html/);
    const statuses: string[] = [];
    for (const claimed of ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"]) {
      const forwarded = `X-Forwarded-For: ${claimed}\r\n`;
      statuses.push((await ask(proxy, "/api/v2/auth/session", forwarded)).slice(9, 12));
    }
    // Forged headers do not change the client's address.
    assertEquals(statuses.at(-1), "429");
    assertEquals(statuses[0], "401");
    await assertNoDetour(proxy.port, METRICS_TOKEN, HOST);
    await ask(proxy, "/calendar/prs_c_secret.ics");
    assert(!proxy.said.text.includes("prs_c_"), proxy.said.text);
  },
});

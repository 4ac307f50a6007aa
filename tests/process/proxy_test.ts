/** `scripts/deploy/nginx.conf` before a real service. Ignored without nginx. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import type { OwnService } from "../support/own_service.ts";
import { Output, PROJECT } from "../support/server_process.ts";
import { freePort, isListening } from "../support/ports.ts";
import { findProgram } from "../support/programs.ts";
import { assertNoDetour, send } from "../support/proxies.ts";
import { waitUntil } from "../support/wait.ts";
import { callApp, type CallOptions, ORIGIN, type TestResponse } from "../support/world.ts";

const NGINX = findProgram("nginx");

const METRICS_TOKEN = "a-token-that-only-tests-know";
/** Limit of connections per client in the test. */
const CONNECTIONS = 2;

/** Adapts the example: plain HTTP, other ports and low limits. */
async function exampleFor(service: OwnService, port: number): Promise<string> {
  let example = await Deno.readTextFile(`${PROJECT}/scripts/deploy/nginx.conf`);
  const changes: [RegExp, string][] = [
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate \S+;/, ""],
    [/ssl_certificate_key \S+;/, ""],
    [/127\.0\.0\.1:8000/g, `127.0.0.1:${service.port}`],
    [/client_header_timeout 10s;/, "client_header_timeout 1s;"],
    [/limit_conn clients 32;/, `limit_conn clients ${CONNECTIONS};`],
  ];
  for (const [found, change] of changes) {
    assertMatch(example, found);
    example = example.replace(found, change);
  }
  return example;
}

function configurationOf(folder: string, example: string): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path "${folder}/${name}";`);
  return `
    daemon off;
    master_process off;
    pid "${folder}/pid";
    error_log stderr notice;
    events { worker_connections 64; }
    http { access_log "${folder}/access.log"; ${temporary.join(" ")} ${example} }`;
}

interface Proxy extends AsyncDisposable {
  readonly port: number;
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** What it has logged of requests. */
  log(): Promise<string>;
}

async function startProxy(service: OwnService): Promise<Proxy> {
  const folder = await Deno.makeTempDir({ prefix: "prs-nginx-" });
  const port = freePort();
  const configuration = configurationOf(folder, await exampleFor(service, port));
  await Deno.writeTextFile(`${folder}/nginx.conf`, configuration);
  const child = new Deno.Command(NGINX ?? "", {
    args: ["-p", folder, "-e", "stderr", "-c", `${folder}/nginx.conf`],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Output(child.stderr);
  const app = {
    fetch: (request: Request) =>
      fetch(new Request(request.url.replace(ORIGIN, `http://127.0.0.1:${port}`), request)),
  };
  const proxy: Proxy = {
    port,
    call: (...options) => callApp(app, ...options),
    log: () => Deno.readTextFile(`${folder}/access.log`),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, said.ended]);
      await Deno.remove(folder, { recursive: true });
    },
  };
  await waitUntil("nginx listens", () => isListening(port));
  return proxy;
}

/** The number of running requests. */
async function runningIn({ app }: OwnService): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await callApp(app, "GET", "/metrics", { headers });
  return Number(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1]);
}

const UNFINISHED_LOGIN = "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\n" +
  "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";

function unfinishedUpload(secret: string): string {
  return "POST /api/v2/attachments HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n" +
    `Authorization: Bearer ${secret}\r\nX-Filename: a\r\nContent-Length: 100\r\n\r\na`;
}

Deno.test({
  name: "nginx hands on who calls, and hides what is for those who watch",
  ignore: NGINX === undefined,
  async fn(test) {
    await using place = await createInstallation();
    const PUBLIC_ORIGIN = "https://records.example.org";
    const limits = { TRUST_PROXY: "1", RATE_LIMIT_PER_ADDRESS: "2" };
    await using service = await place.serve({ ...limits, PUBLIC_ORIGIN });
    await using proxy = await startProxy(service);
    const askAt = async (host: string, more = "") => {
      const head =
        `GET /api/v2/auth/session HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`;
      using connection = await send(proxy.port, head);
      return await new Response(connection.readable).text();
    };
    await test.step("It hands on the host name, and the client's address", async () => {
      assertMatch(await askAt("elsewhere.example"), /^HTTP\/1\.1 421 [^]*"code":"HTTP_421"/);
      const statuses: string[] = [];
      for (const claimed of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
        const answer = await askAt("records.example.org", `X-Forwarded-For: ${claimed}\r\n`);
        statuses.push(answer.slice(9, 12));
      }
      // Forged headers do not change the client's address.
      assertEquals(statuses, ["401", "401", "429"]);
    });
    await test.step("It makes browsers stay with https, and hides paths", async () => {
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        const { status, headers } = await proxy.call("GET", path);
        assertEquals([status, headers.has("X-Request-Id")], [404, false], path);
      }
      for (const path of ["/api/v2/nothing", "/metrics"]) {
        const { headers } = await proxy.call("GET", path);
        assertEquals(headers.get("Strict-Transport-Security"), "max-age=31536000", path);
      }
    });
    await test.step("A calendar's path is a secret: it reaches the service, and no log", async () => {
      const { headers } = await proxy.call("GET", "/calendar/prs_c_secret.ics");
      assert(headers.has("X-Request-Id"));
      await proxy.call("GET", "/api/v2/nothing");
      await waitUntil("nginx logs", async () => (await proxy.log()).includes("/api/v2/nothing"));
      assert(!(await proxy.log()).includes("prs_c_"));
    });
  },
});

Deno.test({
  name: "nginx bounds what a client holds, and leads by no detour to what is for those who watch",
  ignore: NGINX === undefined,
  async fn(test) {
    await using place = await createInstallation();
    const { secret } = await place.settle();
    await using service = await place.serve({ METRICS_TOKEN });
    await using proxy = await startProxy(service);
    const isTaken = async () => (await proxy.call("GET", "/api/v2/auth/session")).status === 401;
    await test.step("No detour", () => assertNoDetour(proxy.port, METRICS_TOKEN));
    await test.step("It ends a connection whose request head does not come", async () => {
      const head = "GET /api/v2/auth/session HTTP/1.1\r\nHost: localhost\r\n";
      using slow = await send(proxy.port, head);
      const response = await new Response(slow.readable).text();
      assert(response === "" || /^HTTP\/1\.1 408 /.test(response), response);
    });
    await test.step("It bounds the connections of one client", async () => {
      assert(await isTaken());
      const open = [];
      for (let count = 0; count < CONNECTIONS; count++) {
        open.push(await send(proxy.port, unfinishedUpload(secret)));
      }
      await waitUntil("all run", async () => await runningIn(service) === CONNECTIONS);
      const { status, headers } = await proxy.call("GET", "/api/v2/auth/session");
      assertEquals(status, 503);
      assertMatch(headers.get("Server") ?? "", /^nginx/);
      for (const connection of open) connection.close();
      await waitUntil("another is taken again", isTaken);
      await waitUntil("none runs", async () => await runningIn(service) === 0);
    });
    await test.step("It keeps bodies until they are whole, except files", async () => {
      using _login = await send(proxy.port, UNFINISHED_LOGIN);
      using _upload = await send(proxy.port, unfinishedUpload(secret));
      // The proxy forwards in order, so the login has arrived too.
      await waitUntil("the upload runs", async () => await runningIn(service) > 0);
      assertEquals(await runningIn(service), 1);
    });
  },
});

/** `scripts/deploy/nginx.conf` before a real service. Ignored without nginx. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import type { OwnService } from "../support/own_service.ts";
import { assertAllReached, serveAllRoutes } from "../support/proxied_routes.ts";
import { assertNoDetour, send } from "../support/proxies.ts";
import {
  type Changes,
  NGINX,
  type ProxyProcess,
  startNginx as startShipped,
} from "../support/proxy_process.ts";
import { waitUntil } from "../support/wait.ts";
import { callApp, type CallOptions, ORIGIN, type TestResponse } from "../support/world.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";
/** Limit of connections per client in the test. */
const CONNECTIONS = 2;
const FEWER: Changes = [[/limit_conn clients 32;/, `limit_conn clients ${CONNECTIONS};`]];
/** The time-outs, shorter. */
const HASTE: Changes = [
  [/client_header_timeout 10s;/, "client_header_timeout 1s;"],
  [/client_body_timeout 30s;/, "client_body_timeout 1s;"],
  [/keepalive_timeout 60s;/, "keepalive_timeout 1s;"],
];
/** More than nginx accepts by default. */
const JSON_BYTES = 1024 ** 2 + 1;

interface Proxy extends ProxyProcess {
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Log lines of requests. */
  log(): Promise<string>;
}

async function startNginx(upstream: number, changes: Changes): Promise<Proxy> {
  const proxy = await startShipped(upstream, changes);
  const app = {
    fetch: (request: Request) =>
      fetch(new Request(request.url.replace(ORIGIN, `http://127.0.0.1:${proxy.port}`), request)),
  };
  return Object.assign(proxy, {
    call: (...options: Parameters<Proxy["call"]>) => callApp(app, ...options),
    log: () => Deno.readTextFile(`${proxy.folder}/access.log`),
  });
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
    await using proxy = await startNginx(service.port, FEWER);
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
        const stated = headers.get("Strict-Transport-Security");
        assertEquals(stated, "max-age=31536000; includeSubDomains", path);
      }
    });
    await test.step("A calendar's path reaches the service", async () => {
      const { headers } = await proxy.call("GET", "/calendar/prs_c_secret/My-phone.ics");
      assert(headers.has("X-Request-Id"));
    });
  },
});

Deno.test({
  name: "nginx hands on every address and every body, but what is for monitoring",
  ignore: NGINX === undefined,
  async fn() {
    await using served = await serveAllRoutes();
    await using proxy = await startShipped(served.port);
    await assertAllReached(proxy.port, served.routes, JSON_BYTES);
  },
});

/** Addresses of a calendar that the service gets as its path. */
const CALENDARS = [
  "/calendar/prs_c_secret/My-phone.ics",
  "//calendar/prs_c_1",
  "/%63alendar/prs_c_2.ics",
];

/** Also the query of a request for a sign-in. */
const UNLOGGED = [...CALENDARS, "/oauth/authorize?state=prs_c_4"];

Deno.test({
  name: "nginx writes the secret of a calendar into no log, also if it cannot answer",
  ignore: NGINX === undefined,
  async fn() {
    // Nothing listens on this port.
    await using proxy = await startNginx(1, FEWER);
    for (const path of UNLOGGED) {
      const { status } = await proxy.call("GET", path);
      assertEquals(status, 502, path);
    }
    const open: Deno.Conn[] = [];
    const calendar = CALENDARS[0] ?? "";
    // On a busy machine some of them may have ended.
    await waitUntil("it bounds", async () => {
      open.push(await send(proxy.port, UNFINISHED_LOGIN));
      return (await proxy.call("GET", calendar)).status === 503;
    });
    for (const connection of open) connection.close();
    const isAnswered = async () => (await proxy.call("GET", "/api/v2/nothing")).status === 502;
    await waitUntil("it answers again", isAnswered);
    await waitUntil("it logs", async () => (await proxy.log()).includes("/api/v2/nothing"));
    await proxy.errorLog.until(/GET \/api\/v2\/nothing/);
    for (const log of [await proxy.log(), proxy.errorLog.text]) {
      assert(!log.includes("prs_c_"), log);
    }
  },
});

Deno.test({
  name: "nginx writes the secret of a calendar into no log of broken requests, with one more line",
  ignore: NGINX === undefined,
  async fn() {
    const path = await Deno.makeTempFile();
    await using _removal = { [Symbol.asyncDispose]: () => Deno.remove(path) };
    await using proxy = await startShipped(1, [
      ...HASTE,
      [/#access_log \S+ combined/, `access_log "${path}" combined`],
    ]);
    // Without a host, and without an end.
    for (const end of ["\r\n", "Host: localhost\r\n"]) {
      for (const target of ["/calendar/prs_c_1/My-phone.ics", "/api/v2/nothing"]) {
        using connection = await send(proxy.port, `GET ${target} HTTP/1.1\r\n${end}`);
        await new Response(connection.readable).text();
      }
    }
    const lines = async () => (await Deno.readTextFile(path)).match(/GET \S+/g) ?? [];
    await waitUntil("nginx logs", async () => (await lines()).length >= 2);
    assertEquals(await lines(), Array(2).fill("GET /api/v2/nothing"));
  },
});

Deno.test({
  name: "nginx closes connections whose client is too slow",
  ignore: NGINX === undefined,
  async fn() {
    // Nothing listens on this port.
    await using proxy = await startShipped(1, HASTE);
    const head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    const answers = await Promise.all([head, `${head}\r\n`, UNFINISHED_LOGIN].map(async (sent) => {
      using connection = await send(proxy.port, sent);
      return (await new Response(connection.readable).text()).slice(0, 12);
    }));
    const [slowHead = "", idle, slowBody = ""] = answers;
    assertEquals(idle, "HTTP/1.1 404");
    for (const slow of [slowHead, slowBody]) assert(["", "HTTP/1.1 408"].includes(slow), slow);
  },
});

Deno.test({
  name: "nginx bounds what a client holds, and leads by no detour to what is for those who watch",
  ignore: NGINX === undefined,
  async fn(test) {
    await using place = await createInstallation();
    const { secret } = await place.settle();
    await using service = await place.serve({ METRICS_TOKEN });
    await using proxy = await startNginx(service.port, FEWER);
    const isTaken = async () => (await proxy.call("GET", "/api/v2/auth/session")).status === 401;
    await test.step("No detour", () => assertNoDetour(proxy.port, METRICS_TOKEN));
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

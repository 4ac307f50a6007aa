/** `scripts/deploy/Caddyfile` before a real service. Ignored without caddy. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { assertAllReached, serveAllRoutes } from "../support/proxied_routes.ts";
import { assertNoDetour, send } from "../support/proxies.ts";
import {
  CADDY,
  type Changes,
  PROXY_HOST,
  type ProxyProcess,
  startCaddy,
} from "../support/proxy_process.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";
/** The time-outs, shorter. */
const HASTE: Changes = [[/read_header 10s/, "read_header 1s"], [/idle 60s/, "idle 1s"]];
/** Caddy has no limit; a small body is read whole before its connection is closed. */
const JSON_BYTES = 1_000;

/** The response to a request without a body. */
async function ask({ port }: ProxyProcess, path: string, headers = ""): Promise<string> {
  const head = `GET ${path} HTTP/1.1\r\nHost: ${PROXY_HOST}\r\nConnection: close\r\n`;
  using connection = await send(port, `${head}${headers}\r\n`);
  return await new Response(connection.readable).text();
}

Deno.test({
  name: "Caddy hands on the client and the host, and hides what is for monitoring",
  ignore: CADDY === undefined,
  async fn() {
    await using place = await createInstallation();
    const PUBLIC_ORIGIN = `https://${PROXY_HOST}`;
    const limits = { TRUST_PROXY: "1", RATE_LIMIT_PER_ADDRESS: "3" };
    await using service = await place.serve({ ...limits, PUBLIC_ORIGIN, METRICS_TOKEN });
    await using proxy = await startCaddy(service.port);
    assertMatch(await ask(proxy, "/"), /^HTTP\/1\.1 200 [^]*<html/);
    const statuses: string[] = [];
    for (const claimed of ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"]) {
      const forwarded = `X-Forwarded-For: ${claimed}\r\n`;
      statuses.push((await ask(proxy, "/api/v2/auth/session", forwarded)).slice(9, 12));
    }
    // Forged headers do not change the client's address.
    assertEquals(statuses.at(-1), "429");
    assertEquals(statuses[0], "401");
    await assertNoDetour(proxy.port, METRICS_TOKEN, PROXY_HOST);
    for (const path of ["/", "/metrics"]) {
      const stated = (await ask(proxy, path)).match(/^strict-transport-security: .*$/gim);
      assertEquals(stated, [
        "Strict-Transport-Security: max-age=31536000; includeSubDomains",
      ], path);
    }
  },
});

Deno.test({
  name: "Caddy hands on every address and every body, but what is for monitoring",
  ignore: CADDY === undefined,
  async fn() {
    await using served = await serveAllRoutes();
    await using proxy = await startCaddy(served.port);
    await assertAllReached(proxy.port, served.routes, JSON_BYTES);
  },
});

Deno.test({
  name: "Caddy writes the secret of a calendar into no log, also if it cannot answer",
  ignore: CADDY === undefined,
  async fn() {
    // Nothing listens on this port.
    await using proxy = await startCaddy(1);
    for (
      const path of [
        "/calendar/prs_c_1/My-phone.ics",
        "//calendar/prs_c_2",
        "/%63alendar%2Fprs_c_3",
      ]
    ) assertMatch(await ask(proxy, path), /^HTTP\/1\.1 502 /, path);
    await proxy.errorLog.until(/(connection refused[^]*){3}/);
    assert(!proxy.errorLog.text.includes("prs_c_"), proxy.errorLog.text);
  },
});

Deno.test({
  name: "Caddy closes connections whose client is too slow",
  ignore: CADDY === undefined,
  async fn() {
    // Nothing listens on this port.
    await using proxy = await startCaddy(1, HASTE);
    const head = `GET /healthz HTTP/1.1\r\nHost: ${PROXY_HOST}\r\n`;
    const answers = await Promise.all([head, `${head}\r\n`].map(async (sent) => {
      using connection = await send(proxy.port, sent);
      return (await new Response(connection.readable).text()).slice(0, 12);
    }));
    assertEquals(answers, ["", "HTTP/1.1 404"]);
  },
});

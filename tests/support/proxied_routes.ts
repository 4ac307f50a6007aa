/** A walk through a proxy over every address of the service. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createConsolePages } from "../../src/console/assets.ts";
import { createPageRoutes } from "../../src/console/page_routes.ts";
import { createShareRoute } from "../../src/console/share.ts";
import { createLog } from "../../src/core/log.ts";
import type { PageRoute, Route } from "../../src/http/route.ts";
import { Secret } from "../../src/operator/config/secrets.ts";
import { serve } from "../../src/http/server.ts";
import { LIMITS } from "../http/assistants.ts";
import { PROXY_HOST } from "./proxy_process.ts";
import { send } from "./proxies.ts";
import { createWorld, ORIGIN } from "./world.ts";

/** More than the limit of other bodies in the shipped file of nginx. */
const FILE_BYTES = 64 * 1024 ** 2 + 1;

/** Routes that stream their bodies, but accept small ones alone. */
const SMALL = /\/thumbnail$|^\/oauth\//;

/** Every route and page before an application, on a port. */
export interface ServedRoutes extends AsyncDisposable {
  readonly port: number;
  readonly routes: readonly (Route | PageRoute)[];
}

/** Serves an application with every route, also those of assistants. */
export async function serveAllRoutes(): Promise<ServedRoutes> {
  const world = await createWorld({
    assistants: LIMITS,
    allowedHosts: [PROXY_HOST],
    metricsToken: new Secret("a-token-that-only-tests-know"),
  });
  const log = createLog("silent", () => {});
  const pages = createConsolePages(ORIGIN);
  const server = serve({ host: "127.0.0.1", port: 0 }, () => world.app, log);
  return {
    port: server.port,
    routes: [...world.app.routes, ...createPageRoutes(pages, true), createShareRoute(pages.shared)],
    async [Symbol.asyncDispose]() {
      await server.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

/**
 * Asserts that each route is answered by the service, with the largest body that a proxy must hand
 * on, and that the routes for monitoring are not.
 *
 * @param jsonBytes Bytes of a JSON body.
 */
export async function assertAllReached(
  port: number,
  routes: readonly (Route | PageRoute)[],
  jsonBytes: number,
): Promise<void> {
  const unlike: string[] = [];
  for (const route of routes) {
    const response = await ask(port, route, jsonBytes);
    const isMonitoring = route.access === "public" && route.kind === "probe";
    const isReached = /^x-request-id: /im.test(response);
    if (isReached === isMonitoring) unlike.push(`${route.method} ${route.path}: ${response}`);
  }
  assertEquals(unlike, []);
}

/**
 * The response to a request without a credential, which the service refuses before it reads the
 * body.
 */
async function ask(
  port: number,
  route: Route | PageRoute,
  jsonBytes: number,
): Promise<string> {
  const rule = route.access === "page" ? "none" : route.endpoint.body;
  const path = route.path.replaceAll(/:\w+/g, ulid());
  const head = `${route.method} ${path} HTTP/1.1\r\nHost: ${PROXY_HOST}\r\nConnection: close\r\n`;
  const isFile = rule === "stream" && route.access !== "assistant" && !SMALL.test(path);
  const isJson = !isFile && route.method !== "GET";
  // The head is enough: a proxy looks at the stated length at once.
  const length = isFile ? FILE_BYTES : isJson ? jsonBytes : 0;
  const rest = length === 0 ? "\r\n" : `Content-Length: ${length}\r\n\r\n`;
  using connection = await send(port, head + rest);
  const body = new Blob([isJson ? new Uint8Array(length) : ""]);
  const [response] = await Promise.all([
    new Response(connection.readable).text(),
    body.stream().pipeTo(connection.writable, { preventClose: true }).catch(() => {}),
  ]);
  return response;
}

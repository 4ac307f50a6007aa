/** Requests that a proxy must not hand on. */

import { assert } from "@std/assert";

/** Opens a connection and sends a text. */
export async function send(port: number, text: string): Promise<Deno.TcpConn> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  return connection;
}

/** Targets that a URL parser or a proxy may resolve to monitoring. */
const DETOURS = [
  "/x\\..\\metrics",
  "/x/..\\metrics",
  "/api/x\\..\\..\\..\\metrics",
  "/public/..\\metrics",
  "/api\\..\\metrics",
  "/api/..\\metrics",
  "/api/\\..\\..\\healthz",
  "/\\metrics",
  "/.\\metrics",
  "/a/%2e%2e/readyz",
  "/api/%2e%2e/metrics",
  "/api/%2E./healthz",
  "/api/.%2e/readyz",
  "/api/../metrics",
  "/api/./../metrics",
  "/./metrics",
  "//metrics",
  "/api//../metrics",
  "/api/%2e%2e%2fmetrics",
  "/api%2f..%2fmetrics",
  "/api/..%5cmetrics",
  "/%6detrics",
  "/metrics/../api/",
  "/metrics/%2e%2e/api/",
  "/metrics?/api/",
  "/metrics#/api/",
  "/api/../metrics#",
  "/metrics/",
  "/metrics/.",
  "/metrics%00",
  "/metrics;/api/",
  "http://localhost/metrics",
  "http://localhost/api/../metrics",
  "/public/%2e%2e/metrics",
];

/** Requests the monitoring routes in every spelling. */
export async function assertNoDetour(
  port: number,
  metricsToken: string,
  host = "localhost",
): Promise<void> {
  for (const target of DETOURS) {
    for (const path of ["metrics", "readyz", "healthz"]) {
      const asked = target.replace(/metrics|readyz|healthz/, path);
      using connection = await send(
        port,
        `GET ${asked} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
          `Authorization: Bearer ${metricsToken}\r\n\r\n`,
      );
      const response = await new Response(connection.readable).text();
      // A proxy may answer for another host itself.
      const isRefused = /^HTTP\/1\.1 40[04] /.test(response) || !/^x-request-id:/im.test(response);
      assert(isRefused, `${asked}: ${response}`);
    }
  }
}

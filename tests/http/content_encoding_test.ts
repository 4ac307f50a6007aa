/** No route decodes Content-Encoding, or misreads encoded bodies. */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { callRoute, EXAMPLE_SERVICES, makeExample } from "./examples.ts";
import { assertFailure } from "./kernel.ts";
import { isClosed } from "./legacy.ts";

const world = sharedWorld(EXAMPLE_SERVICES);

/** Including routes that only reject bodies. */
const readers = () =>
  world().app.routes.filter((route) =>
    route.method !== "GET" && route.endpoint.body !== "ignored" && !isClosed(route)
  );

function countedBody(): {
  readonly raw: ReadableStream<Uint8Array>;
  readonly pulled: () => number;
} {
  let pulled = 0;
  const raw = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1000));
    },
  }, { highWaterMark: 0 });
  return { raw, pulled: () => pulled };
}

Deno.test("Every route with a body rejects Content-Encoding without reading", async () => {
  const example = await makeExample(world());
  const codings = ["gzip", "GZIP", "br", "deflate", "identity, gzip", "unknown", "x-gzip", "zstd"];
  for (const [index, route] of readers().entries()) {
    const path = await example.pathOf(route);
    const caller = route.access === "public" ? world() : example.caller;
    const coding = codings[index % codings.length] ?? "gzip";
    const { raw, pulled } = countedBody();
    const headers = { "Content-Encoding": coding };
    const response = await callRoute(caller, route, path, { raw, headers });
    assertFailure(response, "HTTP_415", `${route.method} ${route.path} with ${coding}`);
    assertEquals(pulled(), 0, `${route.method} ${route.path} with ${coding}`);
  }
});

Deno.test("Content-Encoding identity, in any case, is accepted", async () => {
  const example = await makeExample(world());
  const uploads = readers().filter(({ path }) =>
    ["/api/v2/attachments", "/api/v2/account/imports", "/api/v2/search"].includes(path)
  );
  assertEquals(uploads.length, 3);
  for (const route of uploads) {
    for (const coding of ["identity", "Identity", "IDENTITY"]) {
      const { caller } = await makeExample(world());
      const headers = { "Content-Encoding": coding };
      const { status, text } = await callRoute(caller, route, route.path, { headers });
      assertEquals([200, 201].includes(status), true, `${route.path} ${coding}: ${text}`);
    }
  }
  const login = readers().find(({ path }) => path === "/api/v2/auth/login");
  const sent = { body: {}, headers: { "Content-Encoding": "identity" } };
  assertFailure(await example.caller.call("POST", login?.path ?? "", sent), "PAYLOAD_INVALID");
});

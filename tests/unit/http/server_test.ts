import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { InFlightRequests } from "../../../src/http/in_flight_requests.ts";
import { createLog } from "../../../src/core/log.ts";
import { type Application, serve, type Server } from "../../../src/http/server.ts";

const LOOPBACK = { host: "127.0.0.1", port: 0 };

/** Only the used parts. */
function listen(createApplication: (port: number) => Partial<Application>): Server {
  const rest = { drain: () => Promise.resolve(), listenerFailed: () => {} };
  const fetch = () => Promise.resolve(new Response());
  return serve(
    LOOPBACK,
    (port) => ({ fetch, ...rest, ...createApplication(port) }),
    createLog("silent"),
  );
}

function addressOf(server: { readonly hostname: string; readonly port: number }): string {
  return `http://${server.hostname}:${server.port}/`;
}

Deno.test("serve() reports its port to the application", async () => {
  let told = 0;
  const server = listen((port) => {
    told = port;
    return { fetch: () => Promise.resolve(new Response("hello")) };
  });
  assertNotEquals(server.port, 0);
  assertEquals(told, server.port);
  assertEquals(await (await fetch(addressOf(server))).text(), "hello");
  await server.stop();
});

Deno.test("serve() reports each connection's address to the application", async () => {
  const server = listen(() => ({
    fetch: (_request, peer) => Promise.resolve(new Response(peer)),
  }));
  assertEquals(await (await fetch(addressOf(server))).text(), "127.0.0.1");
  await server.stop();
});

Deno.test("serve() finishes running requests when it stops, and accepts no more", async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const requests = new InFlightRequests(1);
  const server = listen(() => ({
    fetch: () =>
      requests.run("protected", async () => {
        arrived.resolve();
        await finish.promise;
        return new Response("finished");
      }),
    drain: () => requests.drain(),
  }));
  const running = fetch(addressOf(server)).then((response) => response.text());
  await arrived.promise;
  const stopped = server.stop();
  finish.resolve();
  assertEquals(await running, "finished");
  await stopped;
  await assertRejects(() => fetch(addressOf(server)));
});

/** Slow uploads. */

import { assert, assertEquals } from "@std/assert";
import { makeToken } from "../support/tokens.ts";
import { callerOf, createWorld, fileWorld, type World } from "../support/world.ts";
import { filesUnder } from "../support/attachments.ts";
import { assertFailure } from "./kernel.ts";

const shared = fileWorld();

const HEADERS = { "Content-Type": "text/plain", "X-Filename": "a.txt" };
/** Shorter than the pause that ends an upload. */
const PAUSE_MS = 12_000;

/** One piece per pause, by the world's clock. */
function slowBody(world: World, piece: Uint8Array, pieces: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ === pieces) return controller.close();
      world.advance(PAUSE_MS);
      controller.enqueue(piece);
    },
  }, { highWaterMark: 0 });
}

Deno.test("POST attachment ends an upload of a byte every twelve seconds, and stores nothing", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const raw = slowBody(world, new Uint8Array(1), 1_000);
  const response = await caller.call("POST", "/api/v2/attachments", { headers: HEADERS, raw });
  assertFailure(response, "HTTP_408");
  assertEquals(response.headers.get("Connection"), "close");
  assertEquals((await world.rows("select 1 from attachments")).length, 0);
  assertEquals(await filesUnder(world.objectFolder), []);
});

Deno.test("POST attachment accepts an upload of 1 KiB a second of any duration", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const raw = slowBody(world, new Uint8Array(12 * 1024), 50);
  const response = await caller.call("POST", "/api/v2/attachments", { headers: HEADERS, raw });
  assertEquals([response.status, response.body?.data?.size], [201, 50 * 12 * 1024], response.text);
});

Deno.test("POST attachment ends an upload within a minute of its token's end, and stores nothing", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const { token, tokenId } = await makeToken(world, caller, { permissions: ["attachment.write"] });
  const revoked = Promise.withResolvers<void>();
  let sent = 0;
  const raw = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Revoked after the first piece; later ones would take hours.
      if (sent++ === 1) await revoked.promise;
      world.advance(PAUSE_MS);
      controller.enqueue(new Uint8Array(12 * 1024));
    },
  }, { highWaterMark: 0 });
  const client = callerOf(world.app, { ...caller, secret: token });
  const uploading = client.call("POST", "/api/v2/attachments", { headers: HEADERS, raw });
  await caller.call("POST", `/api/v2/auth/tokens/${tokenId}/revoke`);
  revoked.resolve();
  assertFailure(await uploading, "AUTH_REQUIRED");
  assert(sent < 10, `${sent} pieces were taken`);
  assertEquals(await filesUnder(world.objectFolder), []);
});

/** A nearly full disk: writes are rejected, everything else continues. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { Secret } from "../../src/operator/config/secrets.ts";
import { upload } from "../support/attachments.ts";
import { type Caller, createWorld, type TestResponse, type World } from "../support/world.ts";
import { askForExport, exportAccount, fetchContent, importFile } from "./account.ts";
import { assertFailure, COMMITMENT, COMMITMENTS, pathOf } from "./kernel.ts";
import { EXPORTS, post, TEXTS } from "../families/memory/api.ts";

const GIB = 1024 ** 3;
const METRICS_TOKEN = "a-token-that-only-tests-know";
const BODY = { title: "A title", payload: COMMITMENT };

/** The test sets the free space; readings expire after a second. */
async function worldOnDisk(): Promise<{ world: World; setFree(bytes: number): void }> {
  let free = 5 * GIB;
  const world = await createWorld({
    readDiskSpace: () => ({ free, total: 10 * GIB }),
    metricsToken: new Secret(METRICS_TOKEN),
  });
  const setFree = (bytes: number) => {
    free = bytes;
    world.advance(5_000);
  };
  return { world, setFree };
}

function assertNearlyFull(response: TestResponse): void {
  assertFailure(response, "HTTP_503");
  assertEquals(response.headers.get("Retry-After"), "30");
}

function create(caller: Caller, key = ulid()): Promise<TestResponse> {
  return caller.call("POST", COMMITMENTS, { key, body: BODY });
}

Deno.test("Below the reserve writes are 503 with Retry-After, and leave nothing", async () => {
  const { world, setFree } = await worldOnDisk();
  await using _closed = world;
  const caller = await world.createCaller();
  const path = pathOf((await create(caller)).body.data);
  const { bytes } = await exportAccount(world, caller);
  setFree(100 * 1024 ** 2);
  assertNearlyFull(await create(caller));
  assertNearlyFull(await caller.call("PATCH", path, { key: ulid(), body: { title: "B" } }));
  assertNearlyFull(
    await post(caller, TEXTS, { title: "A", memoryType: "PLACE", originalContent: "A" }),
  );
  assertNearlyFull(await upload(caller, "a file"));
  const other = await world.createCaller();
  assertNearlyFull(await importFile(other, bytes.slice()));
  const [{ count }] = await world.rows("select count(*)::integer as count from audit_entries");
  // The first record and the export.
  assertEquals(count, 2);
  setFree(5 * GIB);
  assertEquals((await create(caller)).status, 201);
  assertEquals((await importFile(other, bytes.slice())).status, 200);
});

Deno.test("Below the reserve one log line says that the disk is nearly full", async () => {
  const { world, setFree } = await worldOnDisk();
  await using _closed = world;
  const caller = await world.createCaller();
  setFree(0);
  for (let count = 0; count < 3; count++) assertNearlyFull(await create(caller));
  const lines = world.log.filter(({ level }) => level === "warn" || level === "error");
  assertEquals(lines.map(({ event, level, reason }) => ({ event, level, reason })), [
    { event: "unavailable", level: "warn", reason: "the disk of DATA_DIR is nearly full" },
  ]);
});

Deno.test("Below the reserve reads, exports, replays and sign-out continue", async () => {
  const { world, setFree } = await worldOnDisk();
  await using _closed = world;
  const caller = await world.createCaller();
  const key = ulid();
  const first = await create(caller, key);
  setFree(0);
  const replay = await create(caller, key);
  assertEquals([replay.status, replay.body.data], [201, first.body.data]);
  assertEquals(replay.headers.get("Idempotency-Replayed"), "true");
  for (const path of [pathOf(first.body.data), COMMITMENTS, "/api/v2/changes", "/readyz"]) {
    assertEquals((await caller.call("GET", path)).status, 200, path);
  }
  const exported = await askForExport(world, caller);
  assertEquals(exported.status, 201, exported.text);
  const content = await fetchContent(world, caller, exported.body.data.exportId);
  assert((await content.bytes()).length > 0);
  assertEquals((await post(caller, EXPORTS, { format: "JSON" })).status, 201);
  assertEquals((await caller.call("POST", "/api/v2/auth/logout")).status, 200);
});

Deno.test("An import stops when the disk is nearly full, and leaves nothing", async () => {
  const { world, setFree } = await worldOnDisk();
  await using _closed = world;
  const giver = await world.createCaller();
  await create(giver);
  const { bytes } = await exportAccount(world, giver);
  const caller = await world.createCaller();
  const parts = new ReadableStream<Uint8Array>({
    start: (body) => body.enqueue(bytes.slice(0, 100)),
    pull(body) {
      setFree(0);
      body.enqueue(bytes.slice(100));
      body.close();
    },
  }, { highWaterMark: 0 });
  assertNearlyFull(await importFile(caller, parts));
  const kept = await world.rows(`select 1 from records where owner_id = '${caller.accountId}'`);
  assertEquals(kept, []);
});

Deno.test("GET /metrics shows the disk's free bytes, if the system reports them", async () => {
  const { world } = await worldOnDisk();
  await using _closed = world;
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await world.call("GET", "/metrics", { headers });
  assertMatch(text, /^# TYPE data_dir_free_bytes gauge\ndata_dir_free_bytes 5368709120$/m);
  const blind = world.again({ readDiskSpace: () => null });
  const answer = await blind.fetch(new Request("https://records.example/metrics", { headers }));
  assertEquals((await answer.text()).includes("data_dir_free_bytes"), false);
});

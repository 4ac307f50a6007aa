/** Backup state for the owner and Prometheus. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { Secret } from "../../src/operator/config/secrets.ts";
import type { ScheduledBackups } from "../../src/operator/backup/schedule/backup_status.ts";
import {
  type BackupRun,
  leaseRun,
  readBackupState,
  recordBackup,
  recordFailure,
} from "../../src/operator/backup/schedule/scheduled_backups.ts";
import { makeToken } from "../support/tokens.ts";
import { createWorld, fileWorld, type World } from "../support/world.ts";
import { assertFailure } from "./kernel.ts";

const shared = fileWorld();

const STATUS = "/api/v2/operations/backup";
const METRICS_TOKEN = "a-token-that-only-tests-know";
const SCHEDULE = { everyHours: 24, keep: 7, encrypted: true };
const HOUR = 3_600_000;

/** A world in which backups are scheduled. */
async function scheduledWorld(): Promise<{ world: World; known: { state: unknown } }> {
  const known: { -readonly [Name in keyof ScheduledBackups]: ScheduledBackups[Name] } = {
    schedule: SCHEDULE,
    state: null,
  };
  const metricsToken = new Secret(METRICS_TOKEN);
  return { world: await createWorld({ scheduledBackups: known, metricsToken }), known };
}

async function begin({ database, now }: World): Promise<BackupRun> {
  const run = { runId: ulid(), startedAt: now() };
  if (await leaseRun(database, run, 24) === null) throw new Error("No run is due");
  return run;
}

async function metrics(world: World): Promise<string[]> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await world.call("GET", "/metrics", { headers });
  return text.split("\n").filter((line) => line.startsWith("scheduled_backup"));
}

Deno.test("GET /operations/backup reports no backups if none are configured", async () => {
  await using world = await createWorld({ metricsToken: new Secret(METRICS_TOKEN) });
  const { status, body } = await (await world.createCaller()).call("GET", STATUS);
  assertEquals([status, body.data], [200, { schedule: null, lastRun: null, newest: null }]);
  assertEquals(await metrics(world), []);
});

Deno.test("GET /operations/backup and the metrics follow each run", async () => {
  const { world, known } = await scheduledWorld();
  await using _world = world;
  const caller = await world.createCaller();
  const read = async () => {
    known.state = await readBackupState(world.database, world.now());
    const { body, text, status } = await caller.call("GET", STATUS);
    assertEquals(status, 200, text);
    assertEquals(body.data.schedule, SCHEDULE);
    return [body.data.lastRun, body.data.newest];
  };
  const lastRun = (state: string) =>
    ["RUNNING", "SUCCEEDED", "FAILED", "INTERRUPTED"].map((name) =>
      `scheduled_backup_last_run{state="${name}"} ${name === state ? 1 : 0}`
    );
  assertEquals(await metrics(world), []);
  assertEquals(await read(), [null, null]);
  assertEquals(await metrics(world), lastRun("none"));

  const startedAt = world.now().toISOString();
  const first = await begin(world);
  assertEquals(await read(), [{ state: "RUNNING", startedAt, endedAt: null }, null]);
  assertEquals(await metrics(world), lastRun("RUNNING"));

  world.advance(90_999);
  const backup = { at: first.startedAt, name: "2026.scheduled.prs-backup.gz.age", size: 2 ** 40 };
  await recordBackup(world.database, first, backup, { now: world.now(), everyHours: 24 });
  const newest = { name: backup.name, at: startedAt, size: 2 ** 40 };
  assertEquals(await read(), [
    { state: "SUCCEEDED", startedAt, endedAt: world.now().toISOString() },
    { ...newest, ageSeconds: 90 },
  ]);
  assertEquals(await metrics(world), [
    "scheduled_backup_age_seconds 90",
    ...lastRun("SUCCEEDED"),
  ]);

  world.advance(24 * HOUR - 90_999);
  const again = world.now().toISOString();
  await recordFailure(world.database, await begin(world), world.now());
  assertEquals(await read(), [
    { state: "FAILED", startedAt: again, endedAt: again },
    { ...newest, ageSeconds: 86_400 },
  ]);
  world.advance(HOUR);
  assertEquals(await metrics(world), [
    "scheduled_backup_age_seconds 90000",
    ...lastRun("FAILED"),
  ]);

  const cutOff = world.now().toISOString();
  await begin(world);
  world.advance(10 * 60_000);
  const [run] = await read();
  assertEquals(run, { state: "INTERRUPTED", startedAt: cutOff, endedAt: null });
});

Deno.test("GET /operations/backup is limited to the oldest account and its tokens", async () => {
  const world = shared();
  const oldest = await world.createCaller();
  assertEquals((await oldest.call("GET", STATUS)).status, 200);
  world.advance(1);
  const others = [await world.createCaller(), await world.createCaller()];
  const { token } = await makeToken(world, oldest, { permissions: ["account.manage"] });
  const headers = { Authorization: `Bearer ${token}` };
  assertEquals((await world.call("GET", STATUS, { headers })).status, 200);
  assertEquals((await oldest.call("GET", STATUS)).status, 200);
  const isTold = async (caller: typeof oldest) =>
    (await caller.call("GET", "/api/v2/account/storage")).body.data.readsBackups;
  assertEquals(await isTold(oldest), true);
  for (const other of others) {
    assertEquals(await isTold(other), false);
    assertFailure(await other.call("GET", STATUS), "FORBIDDEN");
    const { token } = await makeToken(world, other, { permissions: ["account.manage"] });
    const headers = { Authorization: `Bearer ${token}` };
    assertFailure(await world.call("GET", STATUS, { headers }), "FORBIDDEN");
  }
});

Deno.test("GET /operations/backup requires an owner, or a token that may manage the account", async () => {
  await using world = await createWorld();
  const owner = await world.createCaller();
  world.advance(1);
  for (const role of ["EDITOR", "VIEWER", "SERVICE"]) {
    assertFailure(await (await world.createCaller(role)).call("GET", STATUS), "FORBIDDEN");
  }
  assertFailure(await world.call("GET", STATUS), "AUTH_REQUIRED");
  for (const [permission, status] of [["account.manage", 200], ["record.read", 403]] as const) {
    const { token } = await makeToken(world, owner, { permissions: [permission] });
    const headers = { Authorization: `Bearer ${token}` };
    assertEquals((await world.call("GET", STATUS, { headers })).status, status);
  }
  assertFailure(await owner.call("GET", `${STATUS}?age=1`), "PAYLOAD_INVALID");
});

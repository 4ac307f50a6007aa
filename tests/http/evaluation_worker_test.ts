/** The worker on stored proposals with manual time: pauses, take-overs, metrics. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { App } from "../../src/app.ts";
import { Secret } from "../../src/operator/config/secrets.ts";
import {
  type EvaluationProvider,
  ProviderError,
} from "../../src/families/relationship/evaluation/provider.ts";
import { LEASE_MS, leaseProposals } from "../../src/families/relationship/evaluation_work.ts";
import { type ManualTime, manualTime } from "../support/manual_time.ts";
import { waitUntil } from "../support/wait.ts";
import {
  callApp,
  type Caller,
  callerOf,
  createWorld,
  type Json,
  type World,
} from "../support/world.ts";
import {
  confirm,
  proposalPath,
  propose,
  readyProposal,
  reject,
  shown,
} from "../families/relationship/evaluation.ts";
import { createPerson, move, personPath } from "../families/relationship/api.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";

/** The test moves its time. */
interface Working extends AsyncDisposable {
  readonly world: World;
  readonly app: App;
  readonly time: ManualTime;
  readonly caller: Caller;
  /** In steps of a poll. */
  pass(seconds: number): Promise<void>;
}

/** Its provider is `propose`. */
async function createWorking(propose: () => Promise<string>): Promise<Working> {
  const world = await createWorld({ metricsToken: new Secret(METRICS_TOKEN) });
  const time = manualTime();
  const provider: EvaluationProvider = { name: "http", model: "sober-1", propose };
  const app = world.again({
    clock: time.clock,
    evaluation: { provider, readySeconds: 3_600, timer: time.timer },
  });
  // Between batches only the next poll is pending.
  const atRest = () => waitUntil("the worker rests", () => String(time.waiting) === "5000");
  await atRest();
  return {
    world,
    app,
    time,
    caller: callerOf(app, await world.createCaller()),
    async pass(seconds) {
      for (let passed = 0; passed < seconds; passed += 5) {
        await atRest();
        world.advance(5_000);
        await time.advance(5_000);
      }
      await atRest();
    },
    async [Symbol.asyncDispose]() {
      await app.drain();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Waits without moving the worker's time. */
async function waitForState(caller: Caller, proposal: Json, state: string): Promise<Json> {
  await waitUntil(`it is ${state}`, async () => (await shown(caller, proposal)).state === state);
  return await shown(caller, proposal);
}

Deno.test("A proposal is tried five times with growing pauses, then ends", async () => {
  const asked: number[] = [];
  let fails = true;
  await using working = await createWorking(() => {
    asked.push((working.time.clock().getTime() - begun) / 1_000);
    return fails ? Promise.reject(new ProviderError("STATUS")) : Promise.resolve("At last");
  });
  const { caller, time, pass } = working;
  const begun = time.clock().getTime();
  const known = await createPerson(caller);
  const proposal = await propose(caller, known);
  await waitUntil("it is asked at once", () => asked.length === 1);
  await pass(480);
  assertEquals(asked, [0, 30, 30 + 60, 30 + 60 + 120, 30 + 60 + 120 + 240]);
  const { state, attempts, candidate } = await shown(caller, proposal);
  assertEquals([state, attempts, candidate], ["REQUESTED", 5, null]);

  fails = false;
  const next = await propose(caller, known);
  // Woken by the request, without moving time.
  const ready = await waitForState(caller, next, "READY");
  assertEquals([ready.attempts, ready.candidate, ready.provider, ready.model], [
    1,
    "At last",
    "http",
    "sober-1",
  ]);
  assertEquals(Date.parse(ready.expiresAt) - Date.parse(ready.readyAt), 3_600_000);
  assertEquals((await shown(caller, proposal)).attempts, 5);
});

Deno.test("A dead worker's proposal is taken over when its lease expires, and not before", async () => {
  let asked = 0;
  await using working = await createWorking(() => Promise.resolve(`Answer ${++asked}`));
  const { world, caller, time, pass } = working;
  // Another process's proposal, claimed by a worker that dies.
  const elsewhere = callerOf(world.app, caller);
  const proposal = await propose(elsewhere, await createPerson(elsewhere));
  const [claimed] = await leaseProposals(world.database, time.clock());
  assertEquals(claimed?.proposalId, proposal.proposalId);
  await pass(LEASE_MS / 1_000 - 5);
  assertEquals([asked, (await shown(caller, proposal)).attempts], [0, 1]);
  await pass(5);
  const { state, attempts, candidate } = await shown(caller, proposal);
  assertEquals([state, attempts, candidate], ["READY", 2, "Answer 1"]);
});

Deno.test("A worker skips archived and sealed people, and retries after a restore", async () => {
  let asked = 0;
  await using working = await createWorking(() => Promise.resolve(`Answer ${++asked}`));
  const { world, caller, pass } = working;
  const elsewhere = callerOf(world.app, caller);
  const [archived, sealed] = [await createPerson(elsewhere), await createPerson(elsewhere)];
  const proposals = [await propose(elsewhere, archived), await propose(elsewhere, sealed)];
  await move(elsewhere, archived, "archive");
  await move(elsewhere, sealed, "SEALED");
  await pass(60);
  const states = await Promise.all(proposals.map((each) => shown(caller, each)));
  assertEquals(states.map(({ state, attempts }) => [state, attempts]), [
    ["REQUESTED", 0],
    ["EXPIRED", 0],
  ]);
  assertEquals(asked, 0);
  // The person has newer revisions.
  await move(elsewhere, archived, "restore");
  await pass(5);
  assertEquals([asked, (await shown(caller, proposals[0])).state], [0, "STALE"]);
});

Deno.test("GET /metrics counts moves of proposals, attempts, failures and provider time", async () => {
  let failure: Error | null = new ProviderError("SIZE");
  await using working = await createWorking(() =>
    failure === null ? Promise.resolve("An evaluation") : Promise.reject(failure)
  );
  const { world, app, caller, pass } = working;
  const known = await createPerson(caller);
  const proposal = await propose(caller, known);
  await pass(5);
  failure = null;
  await pass(30);
  await waitForState(caller, proposal, "READY");
  assertEquals((await reject(caller, proposal)).status, 200);

  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await callApp(app, "GET", "/metrics", { headers });
  const lines = text.split("\n").filter((line) => /^(writes|evaluation)_/.test(line));
  const counted = lines.filter((line) => !/_(bucket|sum)/.test(line));
  assertEquals(counted, [
    'writes_total{operation="relationship.person.create"} 1',
    'writes_total{operation="relationship.proposal.create"} 1',
    'writes_total{operation="relationship.proposal.ready"} 1',
    'writes_total{operation="relationship.proposal.reject"} 1',
    'evaluation_attempts_total{outcome="FAILED"} 1',
    'evaluation_attempts_total{outcome="READY"} 1',
    'evaluation_provider_failures_total{reason="SIZE"} 1',
    "evaluation_provider_duration_seconds_count 2",
  ]);
  const batches = world.log.filter(({ event }) => event === "evaluation_batch");
  assertEquals(batches.map(({ claimed, ready, failed }) => [claimed, ready, failed]), [
    [1, 0, 1],
    [1, 1, 0],
  ]);
  assertEquals(/[0-9A-HJKMNP-TV-Z]{26}/.test(JSON.stringify(batches)), false);
});

Deno.test("GET /metrics counts moves that the service makes itself", async () => {
  await using world = await createWorld({ metricsToken: new Secret(METRICS_TOKEN) });
  const caller = await world.createCaller();
  const [drifted, expired, other] = [
    await createPerson(caller),
    await createPerson(caller),
    await createPerson(caller),
  ];
  const set = { opinion: "Another one" };
  const patch = (known: Json) =>
    caller.call("PATCH", personPath(known), { key: "a-key", body: { expectedRevision: 1, set } });
  const ready = await readyProposal(world, caller, drifted);
  await patch(drifted);
  assertEquals((await confirm(world, caller, ready)).status, 409);
  await propose(caller, other);
  await patch(other);
  await propose(caller, other);
  await readyProposal(world, caller, expired);
  world.advance(3_600_000);
  await propose(caller, expired);

  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await world.call("GET", "/metrics", { headers });
  for (const [operation, count] of [["create", 5], ["stale", 2], ["expire", 1]] as const) {
    assertMatch(
      text,
      new RegExp(
        `^writes_total\\{operation="relationship\\.proposal\\.${operation}"\\} ${count}$`,
        "m",
      ),
    );
  }
  assert(!text.includes("relationship.proposal.confirm"));
  assertEquals((await shown(caller, ready)).state, "STALE");
  assertEquals((await caller.call("GET", proposalPath(ready))).status, 200);
});

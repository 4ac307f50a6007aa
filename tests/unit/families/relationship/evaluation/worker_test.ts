/** Claims, extensions, calls, aborts and returns of the worker, with manual time. */

import { assert, assertEquals } from "@std/assert";
import { createLog } from "../../../../../src/core/log.ts";
import {
  type EvaluationProvider,
  ProviderError,
} from "../../../../../src/families/relationship/evaluation/provider.ts";
import type { ProposalQueue } from "../../../../../src/families/relationship/evaluation/proposal_queue.ts";
import { EvaluationWorker } from "../../../../../src/families/relationship/evaluation/worker.ts";
import { EvaluationMetrics } from "../../../../../src/operator/metrics/evaluation_metrics.ts";
import type { LeasedProposal } from "../../../../../src/families/relationship/lease_store.ts";
import { type ManualTime, manualTime, rest } from "../../../../support/manual_time.ts";

const INPUT = {
  relationshipType: "FRIEND",
  importance: 4,
  lastContactAt: null,
  desiredContactIntervalDays: null,
  evidenceCounts: { supporting: 0, counter: 0 },
};

/** Answered by the test. */
interface Asked {
  readonly signal: AbortSignal;
  answer(candidate: string): void;
  fail(error: Error): void;
}

/** Proposals are numbers. */
interface Bench {
  readonly time: ManualTime;
  readonly worker: EvaluationWorker;
  /** Numbers of claimable proposals. */
  readonly waiting: number[];
  /** In order, such as `claim 2` and `ready 0`. */
  readonly done: string[];
  readonly asked: Asked[];
  // deno-lint-ignore no-explicit-any -- parsed lines
  readonly log: any[];
  readonly metrics: () => string[];
  /** Since the last call. */
  take(): string[];
}

function createBench(waiting = 0, queue: Partial<ProposalQueue> = {}): Bench {
  const time = manualTime();
  const bench = { waiting: Array.from({ length: waiting }, (_, number) => number) };
  const done: string[] = [];
  const asked: Asked[] = [];
  const log: unknown[] = [];
  const metrics = new EvaluationMetrics();
  const noted = (what: string, { proposalId }: LeasedProposal) => {
    done.push(`${what} ${proposalId}`);
    return Promise.resolve();
  };
  const proposals: ProposalQueue = {
    lease() {
      const batch = bench.waiting.splice(0, 10);
      done.push(`claim ${batch.length}`);
      return Promise.resolve(batch.map(claimed));
    },
    extend: (proposal) => noted("extend", proposal).then(() => true),
    readInput: () => Promise.resolve(INPUT),
    complete: (proposal) => noted("ready", proposal).then(() => "READY" as const),
    fail: (proposal) => noted("fail", proposal),
    giveBack: (proposal) => noted("give back", proposal),
    ...queue,
  };
  const provider: EvaluationProvider = {
    name: "http",
    model: "sober-1",
    propose(_, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      asked.push({ signal, answer: resolve, fail: reject });
      return promise;
    },
  };
  const worker = new EvaluationWorker({
    proposals,
    provider,
    metrics,
    clock: time.clock,
    timer: time.timer,
    log: createLog("debug", (line) => log.push(JSON.parse(line))),
  });
  return {
    time,
    worker,
    done,
    asked,
    log,
    waiting: bench.waiting,
    metrics: () => metrics.lines().filter((line) => !line.startsWith("#")),
    take: () => done.splice(0),
  };
}

function claimed(number: number): LeasedProposal {
  return {
    proposalId: String(number),
    owner: "owner",
    personId: "person",
    leaseId: "lease",
    sourceDigest: "digest",
    attempts: 1,
    providerConsent: true,
  };
}

/** With one claimed proposal, during its call. */
async function createAsking(
  queue: Partial<ProposalQueue> = {},
): Promise<Bench & { readonly call: Asked }> {
  const bench = createBench(1, queue);
  bench.worker.wake();
  await rest();
  assertEquals(bench.take(), ["claim 1"]);
  const [call] = bench.asked;
  assert(call !== undefined);
  return { ...bench, call };
}

Deno.test("EvaluationWorker polls every five seconds, and sooner when woken", async () => {
  const { time, worker, take } = createBench();
  await time.advance(60_000);
  assertEquals(take(), [], "It begins when it is woken first");
  worker.wake();
  await time.advance(4_999);
  assertEquals(take(), ["claim 0"]);
  await time.advance(1);
  assertEquals(take(), ["claim 0"]);
  await time.advance(4_000);
  worker.wake();
  await time.advance(0);
  assertEquals(take(), ["claim 0"]);
  // Five seconds from the last poll.
  await time.advance(4_999);
  assertEquals(take(), []);
  await time.advance(1);
  assertEquals([take(), time.waiting], [["claim 0"], [5_000]]);
  await worker.stop();
  assertEquals(time.waiting, []);
});

Deno.test("EvaluationWorker processes full batches immediately, one at a time", async () => {
  const { worker, take, asked } = createBench(20);
  worker.wake();
  await rest();
  assertEquals([take(), asked.length], [["claim 10"], 10]);
  worker.wake();
  for (const call of asked.slice(0, 9)) call.answer("A candidate");
  await rest();
  assertEquals(take().length, 9, "The second batch waits for the whole first");
  asked[9]?.answer("A candidate");
  await rest();
  assertEquals(take(), ["ready 9", "claim 10"]);
  for (const call of asked.slice(10)) call.answer("A candidate");
  await rest();
  assertEquals(take().slice(-2), ["ready 19", "claim 0"]);
  await worker.stop();
});

Deno.test("EvaluationWorker polls once more if woken within a batch", async () => {
  const { worker, call, take, waiting, asked } = await createAsking();
  waiting.push(1);
  worker.wake();
  worker.wake();
  await rest();
  assertEquals(take(), []);
  call.answer("A candidate");
  await rest();
  assertEquals(take(), ["ready 0", "claim 1"]);
  asked[1]?.answer("A candidate");
  await rest();
  assertEquals(take(), ["ready 1"]);
  await worker.stop();
});

Deno.test("EvaluationWorker extends a lease every fifteen seconds during a call", async () => {
  const { time, worker, call, take } = await createAsking();
  await time.advance(14_999);
  assertEquals(take(), []);
  await time.advance(1);
  assertEquals(take(), ["extend 0"]);
  await time.advance(15_000);
  assertEquals(take(), ["extend 0"]);
  call.answer("A candidate");
  await rest();
  assertEquals([take(), time.waiting], [["ready 0"], [5_000]]);
  await time.advance(20_000);
  assertEquals(take().filter((what) => what === "extend 0"), []);
  await worker.stop();
});

Deno.test("EvaluationWorker gives a provider 45 seconds, and ignores later answers", async () => {
  for (const late of ["answer", "fail"] as const) {
    const { time, worker, call, take, metrics } = await createAsking();
    await time.advance(44_999);
    assertEquals([take(), call.signal.aborted], [["extend 0", "extend 0"], false]);
    await time.advance(1);
    assertEquals([take(), call.signal.aborted], [["fail 0"], true]);
    if (late === "answer") call.answer("A late candidate");
    else call.fail(new Error("a late error"));
    await rest();
    assertEquals(take(), []);
    assert(metrics().includes('evaluation_provider_failures_total{reason="TIMEOUT"} 1'));
    await worker.stop();
  }
});

Deno.test("EvaluationWorker aborts a call once its lease is lost, and writes nothing", async () => {
  const { time, worker, call, take, log } = await createAsking({
    extend: () => Promise.resolve(false),
  });
  await time.advance(15_000);
  assertEquals([take(), call.signal.aborted], [[], true]);
  assertEquals(log[0]?.lost, 1);
  await worker.stop();
  assertEquals(take(), []);
});

Deno.test("EvaluationWorker continues a call while the lease cannot be extended", async () => {
  let times = 0;
  const { time, worker, call, take } = await createAsking({
    extend() {
      times++;
      return Promise.reject(new Error("the database is away"));
    },
  });
  await time.advance(30_000);
  assertEquals([times, call.signal.aborted], [2, false]);
  call.answer("A candidate");
  await rest();
  assertEquals(take(), ["ready 0"]);
  await worker.stop();
});

Deno.test("EvaluationWorker does not call a provider about a stale or lost proposal", async () => {
  const { worker, take, asked, log } = createBench(3, {
    readInput: ({ proposalId }) => Promise.resolve(proposalId === "0" ? "STALE" : "LOST"),
  });
  worker.wake();
  await rest();
  assertEquals([take(), asked.length], [["claim 3"], 0]);
  assertEquals([log[0]?.stale, log[0]?.lost], [1, 2]);
  await worker.stop();
});

Deno.test("EvaluationWorker counts a failure by its reason, and reveals nothing else", async () => {
  for (
    const [error, reason] of [
      [new ProviderError("SHAPE"), "SHAPE"],
      [new TypeError("words that were sent"), "UNEXPECTED"],
    ] as const
  ) {
    const { worker, call, take, log, metrics } = await createAsking();
    call.fail(error);
    await rest();
    assertEquals(take(), ["fail 0"]);
    assertEquals([log.length, log[0]?.failed], [1, 1]);
    assertEquals(JSON.stringify(log).includes("words"), false);
    assert(metrics().includes(`evaluation_provider_failures_total{reason="${reason}"} 1`));
    assert(metrics().includes('evaluation_attempts_total{outcome="FAILED"} 1'));
    await worker.stop();
  }
});

Deno.test("EvaluationWorker returns all leases when stopped, and never works again", async () => {
  const { time, worker, asked, take, waiting, log } = createBench(3);
  worker.wake();
  await rest();
  asked[1]?.answer("A candidate");
  await rest();
  assertEquals(take(), ["claim 3", "ready 1"]);
  waiting.push(4);
  await worker.stop();
  assertEquals([take(), time.waiting], [["give back 0", "give back 2"], []]);
  assertEquals([asked[0]?.signal.aborted, asked[2]?.signal.aborted], [true, true]);
  assertEquals([log[0]?.stopped, log[0]?.ready], [2, 1]);
  worker.wake();
  await time.advance(60_000);
  assertEquals([take(), time.waiting], [[], []]);
});

Deno.test("EvaluationWorker stopped during a claim calls no provider", async () => {
  const claiming = Promise.withResolvers<readonly LeasedProposal[]>();
  const { worker, take, asked } = createBench(0, { lease: () => claiming.promise });
  worker.wake();
  const stopped = worker.stop();
  claiming.resolve([claimed(7)]);
  await stopped;
  assertEquals([take(), asked.length], [["give back 7"], 0]);
});

Deno.test("EvaluationWorker stopped while storing an answer waits for it", async () => {
  const storing = Promise.withResolvers<"READY">();
  const { worker, call, take, log } = await createAsking({ complete: () => storing.promise });
  call.answer("A candidate");
  await rest();
  let isStopped = false;
  const stopped = worker.stop().then(() => isStopped = true);
  await rest();
  assertEquals(isStopped, false);
  storing.resolve("READY");
  await stopped;
  assertEquals([take(), log[0]?.ready], [[], 1]);
});

Deno.test("EvaluationWorker stopped while extending a lease waits for it", async () => {
  const extending = Promise.withResolvers<boolean>();
  const { time, worker, take } = await createAsking({ extend: () => extending.promise });
  await time.advance(15_000);
  let isStopped = false;
  const stopped = worker.stop().then(() => isStopped = true);
  await rest();
  assertEquals([take(), isStopped], [["give back 0"], false]);
  extending.resolve(false);
  await stopped;
});

Deno.test("EvaluationWorker retries later if it cannot claim", async () => {
  const { time, worker, log } = createBench(0, {
    lease: () => Promise.reject(new Error("a value")),
  });
  worker.wake();
  await time.advance(5_000);
  assertEquals(log.map(({ at: _, ...fields }) => fields), [
    {
      level: "error",
      event: "evaluation_claim_failed",
      error: "Error",
      code: null,
      constraint: null,
    },
    {
      level: "error",
      event: "evaluation_claim_failed",
      error: "Error",
      code: null,
      constraint: null,
    },
  ]);
  await worker.stop();
});

Deno.test("EvaluationWorker continues other attempts if one cannot be stored", async () => {
  const { worker, asked, take, log, metrics } = createBench(2, {
    readInput: ({ proposalId }) =>
      proposalId === "0" ? Promise.reject(new Error("a value")) : Promise.resolve(INPUT),
  });
  worker.wake();
  await rest();
  asked[0]?.answer("A candidate");
  await rest();
  assertEquals(take(), ["claim 2", "ready 1"]);
  const [failed, batch] = log;
  assertEquals([failed.event, failed.error], ["evaluation_attempt_failed", "Error"]);
  assertEquals(JSON.stringify(log).includes("a value"), false);
  assertEquals([batch.lost, batch.ready], [1, 1]);
  assert(metrics().includes('evaluation_attempts_total{outcome="LOST"} 1'));
  await worker.stop();
});

Deno.test("EvaluationWorker logs one line of numbers per batch", async () => {
  const { time, worker, call, log, metrics } = await createAsking();
  await time.advance(1_500);
  call.answer("A candidate");
  await rest();
  const [{ at: _, ...line }, ...others] = log;
  assertEquals(others, []);
  assertEquals(line, {
    level: "info",
    event: "evaluation_batch",
    claimed: 1,
    ready: 1,
    stale: 0,
    failed: 0,
    lost: 0,
    stopped: 0,
    durationMs: 1_500,
  });
  const duration = "evaluation_provider_duration_seconds";
  assertEquals(metrics(), [
    'evaluation_attempts_total{outcome="READY"} 1',
    ...["0.1", "0.25", "0.5", "1"].map((bound) => `${duration}_bucket{le="${bound}"} 0`),
    ...["2.5", "5", "10", "20", "30", "45", "+Inf"].map((bound) =>
      `${duration}_bucket{le="${bound}"} 1`
    ),
    `${duration}_sum 1.5`,
    `${duration}_count 1`,
  ]);
  await worker.stop();
});

/** DEC-008: simulations. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { simulate } from "../../src/families/decision/simulation_algorithm.ts";
import { SimulationQueue } from "../../src/families/decision/simulation_queue.ts";
import { type Caller, callerOf, sharedWorld, type TestResponse } from "../support/world.ts";
import { waitUntil } from "../support/wait.ts";
import { decide, decisionPath, patch, SIMULATION } from "../families/decision/api.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

const RIVER = "By the river";
const WORK = "Near work";

/** Expected figures of the test vector. */
const RESULTS = [
  {
    option: RIVER,
    mean: 10.096004254170277,
    standardDeviation: 2.0804563181031344,
    p5: 6.604955514441533,
    p50: 10.166144735664709,
    p95: 13.570202706914781,
    probabilityBest: 0.411,
  },
  {
    option: WORK,
    mean: 11.541713728633107,
    standardDeviation: 5.9406997412605556,
    p5: 1.9331349224053742,
    p50: 11.619451763214858,
    p95: 20.685104017699036,
    probabilityBest: 0.589,
  },
];

const FACTOR = { name: "Light", weight: 1, distribution: "UNIFORM", minimum: 0, maximum: 1 };

/** Two options with the same factors. */
function simulationOf(factors: readonly JsonObject[], rest: JsonObject = {}): JsonObject {
  const options = [RIVER, WORK].map((option) => ({ option, factors: [...factors] }));
  return { seed: 1, runs: 10, options, ...rest };
}

/** Counts computations, and can be kept busy. */
class WatchedQueue extends SimulationQueue {
  given = 0;
  #isHeld = false;

  override run<T>(computation: Generator<void, T, void>): Promise<T> {
    this.given++;
    return super.run(computation);
  }

  /** Later computations wait. */
  hold(): { letGo(): Promise<void> } {
    this.#isHeld = true;
    const holding = super.run(this.#held());
    return {
      letGo: async () => {
        this.#isHeld = false;
        await holding;
      },
    };
  }

  *#held(): Generator<void, void, void> {
    while (this.#isHeld) yield;
  }
}

/** The caller at a process with a watched queue. */
function watched(caller: Caller): { readonly queue: WatchedQueue; readonly caller: Caller } {
  const queue = new WatchedQueue();
  return { queue, caller: callerOf(world().again({ simulations: queue }), caller) };
}

Deno.test("A simulation is computed by algorithm 1, stored, and read back unchanged", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const list = decisionPath(decision, "/simulations");
  const response = await post(caller, list, SIMULATION);
  assertEquals(response.status, 201, response.text);
  const made = response.body.data;
  const { simulationId } = made;
  const path = `${list}/${simulationId}`;
  assertEquals(response.headers.get("Location"), path);
  const at = world().now().toISOString();
  assertEquals(made, {
    simulationId,
    decisionId: decision.decisionId,
    decisionRevision: 1,
    algorithm: 1,
    ...SIMULATION,
    results: RESULTS,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  });
  world().advance(5);
  await patch(caller, decisionPath(decision), { expectedRevision: 1, set: { rationale: "So." } });
  assertEquals(await read(caller, path), made);
  assertEquals(await read(caller, `${path}?revision=1`), made);
  assertFailure(await caller.call("GET", `${path}?revision=2`), "RECORD_NOT_FOUND");
  const [revision, ...others] = (await read(caller, `${path}/revisions`)).items;
  const { revisionId: _, change, ...shown } = revision;
  assertEquals([change, shown, others], ["CREATED", made, []]);
  const later = await done(caller, list, simulationOf([FACTOR]));
  assertEquals(later.decisionRevision, 2);
  const items = (await walkPages(caller, list, { limit: "1" })).flat();
  assertEquals(items, [later, made]);
});

Deno.test("A simulation is an execution of the decision with its own audit entry", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const { simulationId } = await done(caller, decisionPath(decision, "/simulations"), SIMULATION);
  const record = `/api/v2/records/decision/${decision.decisionId}`;
  const [execution, ...others] = (await read(caller, `${record}/executions`)).items;
  const { executionId: _, ...shown } = execution;
  assertEquals([shown, others], [{
    recordId: decision.decisionId,
    featureId: "DEC-008",
    strategy: "simulate",
    revision: 1,
    status: "SUCCEEDED",
    output: { simulationId, simulationRevision: 1 },
    createdAt: world().now().toISOString(),
  }, []]);
  const audited = await world().rows(
    `select operation, module_code, revision from audit_entries where subject_id = '${simulationId}'`,
  );
  const operation = "decision.simulation.create";
  assertEquals(audited, [{ operation, module_code: "decision", revision: 1 }]);
  assertEquals((await read(caller, decisionPath(decision))).revision, 1);
});

Deno.test("Figures of any size are stored exactly, also of an archived decision", async () => {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  await done(caller, decisionPath(decision, "/archive"), {});
  const list = decisionPath(decision, "/simulations");
  const normal = { name: "N", distribution: "NORMAL" };
  const sent = [
    [{ ...normal, weight: 1e6, mean: 1e12, standardDeviation: 1e12 }],
    [{ ...normal, weight: -1e-300, mean: -5e-324, standardDeviation: 0.1 + 0.2 }],
    [{ ...normal, weight: 1 / 3, mean: -0, standardDeviation: 2 ** -1074 }],
  ];
  for (const seed of [0, 2 ** 53 - 1]) {
    for (const factors of sent) {
      const body = simulationOf(factors, { seed, runs: 7 });
      const { simulationId, results } = await done(caller, list, body);
      const kept = await read(caller, `${list}/${simulationId}`);
      assertEquals([kept.seed, kept.results], [seed, results]);
      const computed = figuresOf(seed, 7, factors);
      for (const [index, figures] of computed.entries()) {
        for (const [name, value] of Object.entries(figures)) {
          // JSON has no negative zero.
          assertStrictEquals(kept.results[index][name], value + 0, name);
        }
      }
    }
  }
});

function figuresOf(seed: number, runs: number, factors: readonly JsonObject[]) {
  const simulation = simulate({ seed, runs, options: [factors, factors] as never });
  while (true) {
    const { done, value } = simulation.next();
    if (done) return value;
  }
}

Deno.test("Options are matched in any spelling, spelt as in the decision, and keep their order", async () => {
  const caller = await world().createCaller();
  const options = { items: ["Café", " Sea\nside ", "Neither"] };
  const list = decisionPath(await decide(caller, { options }), "/simulations");
  const simulated = ["Sea\nside", " Cafe\u0301"].map((option) => ({ option, factors: [FACTOR] }));
  const made = await done(caller, list, simulationOf([], { options: simulated }));
  const spelt = [" Sea\nside ", "Café"];
  assertEquals(made.options, spelt.map((option) => ({ option, factors: [FACTOR] })));
  assertEquals(made.results.map(({ option }: { option: string }) => option), spelt);
});

Deno.test("Invalid bodies are rejected first, then absence, then unknown options", async () => {
  const owner = await world().createCaller();
  const { queue, caller } = watched(owner);
  const decision = await decide(owner);
  const own = decisionPath(decision, "/simulations");
  const unknown = decisionPath({ decisionId: ulid() }, "/simulations");
  const foreign = decisionPath(await decide(await world().createCaller()), "/simulations");
  const strange = simulationOf([], {
    options: [RIVER, "Elsewhere"].map((option) => ({ option, factors: [FACTOR] })),
  });
  await assertWritesNothing(world(), async () => {
    for (const path of [own, unknown, foreign]) {
      for (const [body, rules, fields] of WRONG) {
        assertInvalid(await post(caller, path, body), rules, fields, JSON.stringify(body));
      }
    }
    for (const path of [unknown, foreign]) {
      assertFailure(await post(caller, path, strange), "RECORD_NOT_FOUND");
      assertFailure(await caller.call("GET", path), "RECORD_NOT_FOUND");
    }
    assertInvalid(await post(caller, own, strange), ["option.unknown"], ["option"]);
  });
  assertEquals(queue.given, 0);
});

const TRIANGLE = { ...FACTOR, distribution: "TRIANGULAR", minimum: 0, mode: 1, maximum: 2 };
const { mode: _, ...MODELESS } = TRIANGLE;

/** Invalid for every decision, with rules and fields. */
const WRONG: readonly [JsonObject, string[], string[]][] = [
  [simulationOf([FACTOR], { seed: -1 }), ["field.range"], ["seed"]],
  [simulationOf([FACTOR], { seed: 2 ** 53 }), ["json.number"], []],
  [simulationOf([FACTOR], { seed: 0.5 }), ["field.type"], ["seed"]],
  [simulationOf([FACTOR], { runs: 0 }), ["field.range"], ["runs"]],
  [simulationOf([FACTOR], { runs: 100_001 }), ["field.range"], ["runs"]],
  [simulationOf([FACTOR], { algorithm: 1 }), ["undeclared_field"], []],
  [simulationOf([FACTOR], { options: [] }), ["field.length"], ["options"]],
  [simulationOf([FACTOR], { options: [{ option: RIVER, factors: [FACTOR] }] }), ["field.length"], [
    "options",
  ]],
  [simulationOf([FACTOR], { options: [1, 2] }), ["field.type"], ["options"]],
  [simulationOf([]), ["field.length"], ["factors"]],
  [simulationOf(Array(21).fill(FACTOR)), ["field.length"], ["factors"]],
  [simulationOf([FACTOR, { ...FACTOR, name: " Light" }]), ["field.repeated"], ["factors"]],
  [simulationOf([{ ...FACTOR, name: " " }]), ["field.blank"], ["name"]],
  [simulationOf([{ ...FACTOR, name: "x".repeat(201) }]), ["field.length"], ["name"]],
  [simulationOf([{ ...FACTOR, weight: 1_000_001 }]), ["field.range"], ["weight"]],
  [simulationOf([{ ...FACTOR, weight: "1" }]), ["field.type"], ["weight"]],
  [simulationOf([{ ...FACTOR, distribution: "CAUCHY" }]), ["field.option"], ["distribution"]],
  [simulationOf([{ name: "Light", weight: 1 }]), ["field.required"], ["distribution"]],
  [simulationOf([{ ...FACTOR, mean: 0 }]), ["undeclared_field"], []],
  [simulationOf([{ ...FACTOR, minimum: -2e12 }]), ["field.range"], ["minimum"]],
  [simulationOf([{ ...FACTOR, minimum: 2 }]), ["range.order"], ["minimum", "maximum"]],
  [simulationOf([MODELESS]), ["field.required"], ["mode"]],
  [simulationOf([{ ...TRIANGLE, mode: 3 }]), ["range.order"], ["mode"]],
  [simulationOf([{ ...TRIANGLE, maximum: -1 }]), ["range.order"], ["minimum", "maximum"]],
  [
    simulationOf([{
      name: "N",
      weight: 1,
      distribution: "NORMAL",
      mean: 0,
      standardDeviation: -1,
    }]),
    ["field.range"],
    ["standardDeviation"],
  ],
  [
    simulationOf([], {
      options: ["By the river ", RIVER].map((option) => ({ option, factors: [FACTOR] })),
    }),
    ["field.repeated"],
    ["options"],
  ],
];

Deno.test("More than five million draws are rejected, with the limit", async () => {
  const owner = await world().createCaller();
  const { queue, caller } = watched(owner);
  const factors = Array.from({ length: 20 }, (_, index) => ({ ...FACTOR, name: `${index}` }));
  const items = Array.from({ length: 3 }, (_, index) => `Option ${index}`);
  const list = decisionPath(await decide(owner, { options: { items } }), "/simulations");
  const options = items.map((option) => ({ option, factors }));
  const response = await post(caller, list, { seed: 1, runs: 83_334, options });
  assertInvalid(response, ["simulation.draws"], ["runs", "factors"]);
  assertEquals(response.body.error.details.limit, 5_000_000);
  assertEquals(queue.given, 0);
});

Deno.test("A repetition computes nothing, nor does another request under its key", async () => {
  const owner = await world().createCaller();
  const { queue, caller } = watched(owner);
  const decision = await decide(owner);
  const list = decisionPath(decision, "/simulations");
  const key = ulid();
  const first = await caller.call("POST", list, { key, body: SIMULATION });
  assertEquals([first.status, queue.given], [201, 1], first.text);
  // Also after the option was removed.
  const options = { items: ["A boat", "A tent"] };
  await patch(owner, decisionPath(decision), { expectedRevision: 1, set: { options } });
  await assertWritesNothing(world(), async () => {
    const again = await caller.call("POST", list, { key, body: SIMULATION });
    assertEquals([again.status, again.body.data], [201, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    assertEquals(again.headers.get("Location"), first.headers.get("Location"));
    const reused = await caller.call("POST", list, { key, body: { ...SIMULATION, seed: 43 } });
    assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
  });
  assertEquals(queue.given, 1);
});

/** Waits until the computation is queued. */
async function sendWaiting(
  { queue, caller }: ReturnType<typeof watched>,
  path: string,
  key: string = ulid(),
): Promise<{ readonly response: Promise<TestResponse> }> {
  const before = queue.given;
  const response = caller.call("POST", path, { key, body: SIMULATION });
  await waitUntil("the computation is given", () => queue.given > before);
  return { response };
}

Deno.test("A repetition during the computation is in progress, and computes nothing", async () => {
  const here = watched(await world().createCaller());
  const list = decisionPath(await decide(here.caller), "/simulations");
  const { letGo } = here.queue.hold();
  const key = ulid();
  const { response } = await sendWaiting(here, list, key);
  const twin = await here.caller.call("POST", list, { key, body: SIMULATION });
  assertFailure(twin, "IDEMPOTENCY_IN_PROGRESS");
  assertEquals(here.queue.given, 1);
  await letGo();
  assertEquals((await response).status, 201);
});

Deno.test("Two processes that compute under one key store one simulation", async () => {
  const caller = await world().createCaller();
  const processes = [watched(caller), watched(caller)];
  const list = decisionPath(await decide(caller), "/simulations");
  const key = ulid();
  const holds = processes.map(({ queue }) => queue.hold());
  const sent = [];
  for (const process of processes) sent.push(await sendWaiting(process, list, key));
  await Promise.all(holds.map(({ letGo }) => letGo()));
  const responses = await Promise.all(sent.map(({ response }) => response));
  const [made, ...others] = (await read(caller, list)).items;
  assertEquals(others, []);
  for (const { status, body } of responses) {
    // One may find the other's claim open, like a repetition.
    if (status !== 409) assertEquals([status, body.data], [201, made]);
  }
  assertEquals(responses.some(({ status }) => status === 201), true);
});

Deno.test("Eight simulations wait for the running one, and the next is rejected", async () => {
  const caller = await world().createCaller();
  const here = watched(caller);
  const list = decisionPath(await decide(caller), "/simulations");
  const { letGo } = here.queue.hold();
  const waiting = [];
  for (let place = 1; place <= 8; place++) waiting.push(await sendWaiting(here, list));
  const key = ulid();
  await assertWritesNothing(world(), async () => {
    const refused = await here.caller.call("POST", list, { key, body: SIMULATION });
    assertFailure(refused, "HTTP_429");
    assertEquals(refused.headers.get("Retry-After"), "5");
  });
  await letGo();
  for (const { response } of waiting) assertEquals((await response).status, 201);
  // The rejection did not use the key.
  assertEquals((await here.caller.call("POST", list, { key, body: SIMULATION })).status, 201);
  assertEquals((await read(caller, `${list}?limit=100`)).items.length, 9);
});

Deno.test("Changes during a simulation are considered when it is written", async () => {
  const caller = await world().createCaller();
  const here = watched(caller);
  const cases: [JsonObject, (response: TestResponse) => void][] = [
    [{ rationale: "The light." }, ({ status, body }) => {
      assertEquals([status, body.data.decisionRevision, body.data.results], [201, 2, RESULTS]);
    }],
    [{ options: { items: [` ${RIVER}`, WORK] } }, ({ status, body: { data } }) => {
      assertEquals([status, data.decisionRevision, data.results[0].option], [201, 2, ` ${RIVER}`]);
      assertEquals(data.options[0].option, ` ${RIVER}`);
    }],
    [{ options: { items: [RIVER, "A boat"] } }, (response) => {
      assertInvalid(response, ["option.unknown"], ["option"]);
    }],
  ];
  for (const [set, check] of cases) {
    const decision = await decide(caller);
    const { letGo } = here.queue.hold();
    const { response } = await sendWaiting(here, decisionPath(decision, "/simulations"));
    const changed = await patch(caller, decisionPath(decision), { expectedRevision: 1, set });
    assertEquals(changed.status, 200, changed.text);
    await letGo();
    check(await response);
  }
});

Deno.test("An unknown, foreign or misplaced simulation is not found", async () => {
  const [caller, stranger] = [await world().createCaller(), await world().createCaller()];
  const decision = await decide(caller);
  const { simulationId } = await done(caller, decisionPath(decision, "/simulations"), SIMULATION);
  const other = await decide(caller);
  const cases: [Caller, string][] = [
    [caller, decisionPath(decision, `/simulations/${ulid()}`)],
    [caller, decisionPath(other, `/simulations/${simulationId}`)],
    [stranger, decisionPath(decision, `/simulations/${simulationId}`)],
  ];
  for (const [caller, path] of cases) {
    for (const suffix of ["", "?revision=1", "/revisions"]) {
      assertFailure(await caller.call("GET", path + suffix), "RECORD_NOT_FOUND", path);
    }
  }
  const list = decisionPath(other, `/simulations?cursor=${simulationId}`);
  assertInvalid(await caller.call("GET", list), ["cursor.unknown"], ["cursor"]);
});

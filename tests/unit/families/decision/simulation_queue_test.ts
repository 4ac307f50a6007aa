import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Holder, runFor } from "../../../../src/core/holder.ts";
import { SimulationQueue } from "../../../../src/families/decision/simulation_queue.ts";
import { ServiceError } from "../../../../src/errors/service_error.ts";

/** Ended by name; `begun` lists names in order. */
function openQueue() {
  const queue = new SimulationQueue();
  const begun: string[] = [];
  const ended = new Map<string, Error | null>();
  function* computation(name: string): Generator<void, string, void> {
    begun.push(name);
    while (!ended.has(name)) yield;
    const failure = ended.get(name);
    if (failure) throw failure;
    return name;
  }
  return {
    queue,
    begun,
    run: (name: string): Promise<string> => queue.run(computation(name)),
    end: (name: string, failure: Error | null = null): void => void ended.set(name, failure),
  };
}

const NAMES = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

Deno.test("SimulationQueue computes one at a time, in order", async () => {
  const { begun, run, end } = openQueue();
  const results = NAMES.map(run);
  for (const [index, name] of NAMES.entries()) {
    assertEquals(begun, NAMES.slice(0, index + 1));
    end(name);
    assertEquals(await results[index], name);
  }
});

Deno.test("SimulationQueue has eight waiting places, and rejects the next until one is free", async () => {
  const { begun, run, end } = openQueue();
  const results = NAMES.map(run);
  const { code } = await assertRejects(() => run("refused"), ServiceError);
  assertEquals(code, "HTTP_429");
  end("1");
  await results[0];
  const late = run("late");
  await assertRejects(() => run("refused"), ServiceError);
  for (const name of [...NAMES, "late"]) end(name);
  assertEquals(await Promise.all([...results, late]), [...NAMES, "late"]);
  assertEquals(begun, [...NAMES, "late"]);
});

Deno.test("SimulationQueue serves accounts in turn, with eight waiting places each", async () => {
  const { begun, run, end } = openQueue();
  const [ada, ben] = ["ada", "ben"].map((accountId) => ({ accountId, kind: "SESSION" })) as [
    Holder,
    Holder,
  ];
  const results = runFor(ada, () => NAMES.map(run));
  await assertRejects(() => runFor(ada, () => run("refused")), ServiceError);
  results.push(runFor(ben, () => run("ben's")));
  for (const name of [...NAMES, "ben's"]) end(name);
  await Promise.all(results);
  assertEquals(begun.slice(0, 4), ["1", "2", "ben's", "3"]);
});

Deno.test("SimulationQueue passes the place of failed work to the next", async () => {
  const { begun, run, end } = openQueue();
  const failing = assertRejects(() => run("failing"), RangeError, "It failed");
  const next = run("next");
  end("failing", new RangeError("It failed"));
  await failing;
  assertEquals(begun, ["failing", "next"]);
  end("next");
  assertEquals(await next, "next");
  end("last");
  assertEquals(await run("last"), "last");
});

Deno.test("SimulationQueue lets sockets be served while it computes", async () => {
  const { run, end } = openQueue();
  const computing = run("computing");
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted = listener.accept();
  const client = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  const server = await accepted;
  const received = new Uint8Array(1);
  const reading = server.read(received);
  await client.write(Uint8Array.of(7));
  await reading;
  assert(received[0] === 7);
  for (const closed of [client, server, listener]) closed.close();
  end("computing");
  assertEquals(await computing, "computing");
});

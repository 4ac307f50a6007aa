/** The verdicts of the gate, one writer at a time. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createWorld, sharedWorld } from "../support/world.ts";
import { askGate, type GateQuestion, leaveEnvelope } from "./gate.ts";

const world = sharedWorld();

function newQuestion(parts: Partial<GateQuestion> = {}): GateQuestion {
  return { owner: ulid(), operation: "record.create:health", target: "", key: "a key", ...parts };
}

async function verdict(question: GateQuestion): Promise<string> {
  return (await world().database.transaction((tx) => askGate(tx, question))).verdict;
}

Deno.test("The gate lets a write without a key go, and a key that is new", async () => {
  assertEquals(await verdict(newQuestion({ key: null })), "GO");
  assertEquals(await verdict(newQuestion()), "GO");
});

Deno.test("The gate answers a finished write with its envelope as it was stored", async () => {
  const question = newQuestion();
  await world().database.transaction((tx) => leaveEnvelope(tx, question));
  const answer = await world().database.transaction((tx) => askGate(tx, question));
  assertEquals(answer, { verdict: "REPLAY", envelope: '{"v": 1}' });
});

Deno.test("The gate tells a key's reuse from its replay, as far as it can compare", async () => {
  const question = newQuestion();
  await world().database.transaction((tx) => leaveEnvelope(tx, question));
  const other = { ...question, fingerprint: "another request" };
  assertEquals(await world().database.transaction((tx) => askGate(tx, other)), {
    verdict: "REUSED",
    envelope: null,
  });
  // Made under another secret, fingerprints cannot be compared.
  assertEquals(await verdict({ ...other, fingerprintKey: "key 2" }), "REPLAY");
  assertEquals(await verdict({ ...question, fingerprintKey: "key 2" }), "REPLAY");
});

Deno.test("The gate keeps owners, operations, targets and keys apart", async () => {
  const question = newQuestion({ target: ulid() });
  await world().database.transaction((tx) => leaveEnvelope(tx, question));
  assertEquals(await verdict(question), "REPLAY");
  const others = [
    { owner: ulid() },
    { operation: "record.create:place" },
    { target: "" },
    { target: ulid() },
    { key: "A key" },
    { key: "another" },
  ];
  for (const other of others) assertEquals(await verdict({ ...question, ...other }), "GO");
});

Deno.test("The gate closes to frozen writes while the maintenance window is open", async () => {
  await using own = await createWorld();
  const ask = async (question: GateQuestion) =>
    (await own.database.transaction((tx) => askGate(tx, question))).verdict;
  const finished = newQuestion({ key: "finished" });
  await own.database.transaction((tx) => leaveEnvelope(tx, finished));
  await own.raw("update maintenance_window set active = true");
  assertEquals(await ask(newQuestion({ frozen: true })), "MAINTENANCE");
  assertEquals(await ask(newQuestion({ frozen: true, key: null })), "MAINTENANCE");
  assertEquals(await ask({ ...finished, frozen: true }), "MAINTENANCE");
  assertEquals(await ask({ ...finished, frozen: false }), "REPLAY");
  assertEquals(await ask(newQuestion({ frozen: false })), "GO");
  await own.raw("update maintenance_window set active = false");
  assertEquals(await ask({ ...finished, frozen: true }), "REPLAY");
  assertEquals(await ask(newQuestion({ frozen: true })), "GO");
});

Deno.test("The gate is volatile: each of its statements sees what was committed before it", async () => {
  const functions = await world().rows(
    "select provolatile as volatility from pg_proc where proname = 'command_gate'",
  );
  assertEquals([...functions], [{ volatility: "v" }]);
});

Deno.test("The gate releases a key when its transaction ends, however it ends", async () => {
  const question = newQuestion();
  assertEquals(await verdict(question), "GO");
  await world().database.transaction(async (tx) => {
    await askGate(tx, question);
    await leaveEnvelope(tx, question);
    throw new Error("rolled back");
  }).catch(() => {});
  const held = await world().rows("select 1 from pg_locks where locktype = 'advisory'");
  assertEquals([held.length, await verdict(question)], [0, "GO"]);
});

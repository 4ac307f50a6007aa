/** claim_command() with one writer. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createWorld, sharedWorld } from "../support/world.ts";
import { claimCommand, type ClaimParameters, leaveEnvelope } from "./claim.ts";

const world = sharedWorld();

function newParameters(parts: Partial<ClaimParameters> = {}): ClaimParameters {
  return { owner: ulid(), operation: "record.create:health", target: "", key: "a key", ...parts };
}

async function verdict(parameters: ClaimParameters): Promise<string> {
  return (await world().database.transaction((tx) => claimCommand(tx, parameters))).verdict;
}

Deno.test("claim_command() accepts a write without a key, and a new key", async () => {
  assertEquals(await verdict(newParameters({ key: null })), "GO");
  assertEquals(await verdict(newParameters()), "GO");
});

Deno.test("claim_command() returns a finished write's stored envelope", async () => {
  const parameters = newParameters();
  await world().database.transaction((tx) => leaveEnvelope(tx, parameters));
  const response = await world().database.transaction((tx) => claimCommand(tx, parameters));
  assertEquals(response, { verdict: "REPLAY", envelope: '{"v": 1}' });
});

Deno.test("claim_command() distinguishes reuse from replay, as far as it can compare", async () => {
  const parameters = newParameters();
  await world().database.transaction((tx) => leaveEnvelope(tx, parameters));
  const other = { ...parameters, fingerprint: "another request" };
  assertEquals(await world().database.transaction((tx) => claimCommand(tx, other)), {
    verdict: "REUSED",
    envelope: null,
  });
  // Fingerprints of another secret cannot be compared.
  assertEquals(await verdict({ ...other, fingerprintKey: "key 2" }), "REPLAY");
  assertEquals(await verdict({ ...parameters, fingerprintKey: "key 2" }), "REPLAY");
});

Deno.test("claim_command() separates owners, operations, targets and keys", async () => {
  const parameters = newParameters({ target: ulid() });
  await world().database.transaction((tx) => leaveEnvelope(tx, parameters));
  assertEquals(await verdict(parameters), "REPLAY");
  const others = [
    { owner: ulid() },
    { operation: "record.create:place" },
    { target: "" },
    { target: ulid() },
    { key: "A key" },
    { key: "another" },
  ];
  for (const other of others) assertEquals(await verdict({ ...parameters, ...other }), "GO");
});

Deno.test("claim_command() rejects frozen writes in the maintenance window", async () => {
  await using own = await createWorld();
  const ask = async (parameters: ClaimParameters) =>
    (await own.database.transaction((tx) => claimCommand(tx, parameters))).verdict;
  const finished = newParameters({ key: "finished" });
  await own.database.transaction((tx) => leaveEnvelope(tx, finished));
  await own.raw("update maintenance_window set active = true");
  assertEquals(await ask(newParameters({ frozen: true })), "MAINTENANCE");
  assertEquals(await ask(newParameters({ frozen: true, key: null })), "MAINTENANCE");
  assertEquals(await ask({ ...finished, frozen: true }), "MAINTENANCE");
  assertEquals(await ask({ ...finished, frozen: false }), "REPLAY");
  assertEquals(await ask(newParameters({ frozen: false })), "GO");
  await own.raw("update maintenance_window set active = false");
  assertEquals(await ask({ ...finished, frozen: true }), "REPLAY");
  assertEquals(await ask(newParameters({ frozen: true })), "GO");
});

Deno.test("claim_command() rejects new writes of a frozen account, and still replays", async () => {
  await using own = await createWorld();
  const ask = async (parameters: ClaimParameters) =>
    (await own.database.transaction((tx) => claimCommand(tx, parameters))).verdict;
  const { accountId: owner } = await own.createCaller();
  const { accountId: neighbour } = await own.createCaller();
  const finished = newParameters({ owner, key: "finished" });
  await own.database.transaction((tx) => leaveEnvelope(tx, finished));
  await own.raw(`update accounts set frozen_at = now() where account_id = '${owner}'`);
  for (const frozen of [false, true]) {
    assertEquals(await ask(newParameters({ owner, frozen })), "FROZEN");
    assertEquals(await ask(newParameters({ owner, frozen, key: null })), "FROZEN");
    assertEquals(await ask({ ...finished, frozen }), "REPLAY");
    assertEquals(await ask({ ...finished, frozen, fingerprint: "another request" }), "REUSED");
    assertEquals(await ask(newParameters({ owner: neighbour, frozen })), "GO");
  }
  await own.raw("update maintenance_window set active = true");
  assertEquals(await ask(newParameters({ owner, frozen: true })), "MAINTENANCE");
  assertEquals(await ask(newParameters({ owner, frozen: false })), "FROZEN");
});

Deno.test("claim_command() is volatile: each of its statements sees what was committed before it", async () => {
  const functions = await world().rows(
    "select provolatile as volatility from pg_proc where proname = 'claim_command'",
  );
  assertEquals([...functions], [{ volatility: "v" }]);
});

Deno.test("claim_command() releases a key with its transaction, however it ends", async () => {
  const parameters = newParameters();
  assertEquals(await verdict(parameters), "GO");
  await world().database.transaction(async (tx) => {
    await claimCommand(tx, parameters);
    await leaveEnvelope(tx, parameters);
    throw new Error("rolled back");
  }).catch(() => {});
  // Locks of all databases, other tests' included.
  const held = await world().rows(`
    select 1 from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and d.datname = current_database()`);
  assertEquals([held.length, await verdict(parameters)], [0, "GO"]);
});

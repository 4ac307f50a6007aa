// engines: postgres
/** Credentials and permissions are immutable, also for SQL. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Permission, PERMISSION_IDS } from "../../src/access/permissions.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { digest, newProof, newSession, newToken } from "./authorization_rows.ts";
import { insertInto, literal, refusal, type Row } from "./rows.ts";
import { assertFixed as assertRowFixed, changesOf, type StoredRow } from "./stored_rows.ts";

const world = sharedWorld();

const LATER = "2026-11-20T12:01:00.000Z";
const LATEST = "2026-11-20T12:02:00.000Z";

/** Ordinary triggers do not fire for `replica`. */
const ROLES = ["origin", "replica", "local"];

async function store(table: string, key: readonly string[], row: Row): Promise<StoredRow> {
  await world().raw(insertInto(table, row));
  return { table, key, row };
}

const storedSession = (caller: Caller, columns: Row = {}) =>
  store("sessions", ["account_id", "session_id"], newSession(caller, columns));
const storedToken = (caller: Caller, columns: Row = {}) =>
  store("tokens", ["account_id", "token_id"], newToken(caller, columns));
const storedProof = (caller: Caller, columns: Row = {}) =>
  store("step_up_proofs", ["account_id", "proof_id"], newProof(caller, columns));

const assertFixed = (stored: StoredRow, changes: Row) => assertRowFixed(world(), stored, changes);

async function change(stored: StoredRow, changes: Row): Promise<void> {
  const [update = ""] = changesOf(stored, changes);
  assertEquals(await refusal(world(), update), null, update);
}

Deno.test("A revoked session stays revoked, with its time", async () => {
  const session = await storedSession(await world().createCaller());
  await change(session, { last_seen_at: LATER });
  await change(session, { revoked_at: LATER });
  for (const revoked_at of [null, LATEST, "infinity"]) await assertFixed(session, { revoked_at });
  await change(session, { revoked_at: LATER });
});

Deno.test("A session revoked at its creation time stays revoked", async () => {
  const session = await storedSession(await world().createCaller(), { revoked_at: LATER });
  await assertFixed(session, { revoked_at: null });
});

Deno.test("A session changes only in its last use and its revocation", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const session = await storedSession(caller);
  const fixed: Row = {
    account_id: other.accountId,
    session_id: ulid(),
    secret_digest: digest(),
    transport: "cookie",
    device_name: "Another device",
    address_digest: "0".repeat(16),
    client: "curl",
    created_at: "2026-11-20T12:00:00.001Z",
    expires_at: "2026-12-20T11:59:59.999Z",
  };
  for (const [column, value] of Object.entries(fixed)) {
    await assertFixed(session, { [column]: value });
    await assertFixed(session, { last_seen_at: LATER, [column]: value });
  }
});

Deno.test("A token changes only in its last use and its revocation", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const token = await storedToken(caller);
  const fixed: Row = {
    account_id: other.accountId,
    token_id: ulid(),
    name: "Another name",
    secret_digest: digest(),
    created_at: "2026-11-20T12:00:00.001Z",
    expires_at: "2027-02-18T12:00:00.001Z",
  };
  for (const [column, value] of Object.entries(fixed)) {
    await assertFixed(token, { [column]: value });
    await assertFixed(token, { last_used_at: LATER, [column]: value });
  }
  await change(token, { last_used_at: LATER });
  await change(token, { revoked_at: LATER });
  await assertFixed(token, { expires_at: LATEST });
});

Deno.test("A revoked token stays revoked, with its time", async () => {
  const token = await storedToken(await world().createCaller(), { revoked_at: LATER });
  for (const revoked_at of [null, LATEST, "infinity"]) await assertFixed(token, { revoked_at });
  // A running use may still be recorded.
  await change(token, { last_used_at: LATEST });
});

Deno.test("A token's permissions never change", async () => {
  const row = newToken(await world().createCaller());
  const { account_id = null, token_id = null } = row;
  const right = (name: Permission) =>
    insertInto("token_permissions", { account_id, token_id, permission_id: PERMISSION_IDS[name] });
  await world().raw(insertInto("tokens", row) + right("record.read"));
  for (const role of ROLES) {
    const script = `set local session_replication_role = ${role}; ${right("record.write")}`;
    assertEquals(await refusal(world(), script), "PRS04", script);
  }
  const where = `where token_id = ${literal(token_id)}`;
  const attacks = [
    `update token_permissions set permission_id = '${PERMISSION_IDS["record.write"]}' ${where}`,
    `delete from token_permissions ${where}`,
    `delete from tokens ${where}`,
    "truncate tokens cascade",
  ];
  for (const attack of attacks) {
    for (const role of ROLES) {
      const script = `set local session_replication_role = ${role}; ${attack}`;
      assertEquals(await refusal(world(), script), "PRS01", script);
    }
  }
});

/** Lifetimes and errors. In New York two of them differ by an hour. */
const LIVES: readonly [createdAt: string, expiresAt: string, refused: string | null][] = [
  ["2026-03-10T12:00:00.000Z", "2027-03-10T12:00:00.000Z", null],
  ["2026-03-10T12:00:00.000Z", "2027-03-10T12:00:00.001Z", "23514 token_lifetime"],
  ["2027-03-13T12:00:00.000Z", "2028-03-12T12:00:00.000Z", null],
  ["2027-03-13T12:00:00.000Z", "2028-03-12T12:00:00.001Z", "23514 token_lifetime"],
  ["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:00.001Z", null],
];

Deno.test("A token lasts at most 8,760 hours, in any time zone", async () => {
  const caller = await world().createCaller();
  for (const zone of ["UTC", "America/New_York"]) {
    for (const [created_at, expires_at, refused] of LIVES) {
      const insert = insertInto("tokens", newToken(caller, { created_at, expires_at }));
      const script = `set local time zone '${zone}'; ${insert}`;
      assertEquals(await refusal(world(), script), refused, script);
    }
  }
});

Deno.test("A proof lasts at most five minutes, to the millisecond", async () => {
  const caller = await world().createCaller();
  const at = (milliseconds: number) =>
    new Date(Date.parse("2026-11-20T12:00:00.000Z") + milliseconds).toISOString();
  for (const milliseconds of [1, 300_000]) {
    await storedProof(caller, { expires_at: at(milliseconds) });
  }
  for (const milliseconds of [-1, 0, 300_001]) {
    const statement = insertInto(
      "step_up_proofs",
      newProof(caller, { expires_at: at(milliseconds) }),
    );
    assertEquals(await refusal(world(), statement), "23514 step_up_proof_lifetime", statement);
  }
});

Deno.test("A proof ends once", async () => {
  const proof = await storedProof(await world().createCaller());
  await change(proof, { ended_at: LATER });
  for (const ended_at of [null, LATER, LATEST]) await assertFixed(proof, { ended_at });
});

Deno.test("A proof changes only by its end", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const proof = await storedProof(caller);
  const { row: { session_id: second = null } } = await storedSession(caller);
  const fixed: Row = {
    account_id: other.accountId,
    proof_id: ulid(),
    session_id: second,
    secret_digest: digest(),
    purpose: "MEMORY_SECRET_EXPORT",
    target_id: ulid(),
    by_passkey: true,
    created_at: "2026-11-20T12:00:00.001Z",
    expires_at: "2026-11-20T12:04:59.999Z",
  };
  for (const [column, value] of Object.entries(fixed)) {
    await assertFixed(proof, { [column]: value });
    await assertFixed(proof, { ended_at: LATER, [column]: value });
  }
  await assertFixed(proof, { target_id: null });
  const untargeted = await storedProof(caller, { target_id: null });
  await assertFixed(untargeted, { target_id: ulid() });
});

Deno.test("A proof of another account's session is rejected", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  for (const columns of [{ session_id: other.sessionId }, { account_id: other.accountId }]) {
    const statement = insertInto("step_up_proofs", newProof(caller, columns));
    assertEquals(await refusal(world(), statement), "23503 step_up_proof_of_session");
  }
});

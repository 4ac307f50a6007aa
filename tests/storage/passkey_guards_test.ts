// engines: postgres
/** Raw SQL against passkeys: it replaces no key, and lowers no counter. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, sharedWorld } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { newCeremony, newPasskey, newUser } from "./passkey_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";
import { assertFixed, changesOf, type StoredRow } from "./stored_rows.ts";

const world = sharedWorld();
const LATER = "2026-11-20T12:01:00.000Z";

async function storedPasskey(caller: Caller, columns: Row = {}): Promise<StoredRow> {
  const row = newPasskey(caller, columns);
  await world().raw(
    `${insertInto("passkey_users", newUser(caller)).replace(/;$/, "")} on conflict do nothing;` +
      insertInto("passkeys", row),
  );
  return { table: "passkeys", key: ["account_id", "passkey_id"], row };
}

async function change(stored: StoredRow, changes: Row): Promise<void> {
  const [update = ""] = changesOf(stored, changes);
  assertEquals(await refusal(world(), update), null, update);
}

Deno.test("A passkey changes by its name, its last use and its removal alone", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await storedPasskey(other);
  const passkey = await storedPasskey(caller);
  const fixed: readonly Row[] = [
    { account_id: other.accountId },
    { passkey_id: ulid() },
    { host_name: "other.example" },
    { algorithm: "RS256" },
    { credential: digest() },
    { public_key: digest(77) },
    { transports: "usb" },
    { backup_eligible: false },
    { created_at: LATER },
    { counter: 4 },
  ];
  for (const each of fixed) await assertFixed(world(), passkey, each);
  await change(passkey, { name: "Another", counter: 6, backed_up: true, last_used_at: LATER });
  const removal = { removed_at: LATER, credential: null, public_key: null };
  await change(passkey, removal);
  for (const each of [{ name: "A" }, { removed_at: null }, { last_used_at: LATER }]) {
    await assertFixed(world(), passkey, each);
  }
});

Deno.test("A ceremony and an answered sign-in never change", async () => {
  const caller = await world().createCaller();
  const ceremony = newCeremony(caller, { purpose: "TOKEN_CREATE" });
  await world().raw(insertInto("passkey_ceremonies", ceremony));
  const key = ["account_id", "ceremony_id"];
  for (const each of [{ challenge: digest() }, { purpose: null }, { expires_at: LATER }]) {
    await assertFixed(world(), { table: "passkey_ceremonies", key, row: ceremony }, each);
  }
  const row = { ceremony_id: ulid() };
  await world().raw(insertInto("answered_passkey_sign_ins", row));
  const answered = { table: "answered_passkey_sign_ins", key: ["ceremony_id"], row };
  await assertFixed(world(), answered, { ceremony_id: ulid() });
});

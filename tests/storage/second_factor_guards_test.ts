// engines: postgres
/** Raw SQL on second factors: no code becomes valid again, no secret moves. */

import { assertEquals } from "@std/assert";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertRefused } from "../http/access.ts";
import { begin, confirm, enrol, login } from "../http/second_factor.ts";
import { digest } from "./authorization_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";
import { newFactor, newPending, newRecoveryCode } from "./second_factor_rows.ts";
import { assertFixed, type StoredRow } from "./stored_rows.ts";

const world = sharedWorld();

/** The stored row cannot be changed so. */
async function assertGuarded(stored: StoredRow, changes: readonly Row[]): Promise<void> {
  await world().raw(insertInto(stored.table, stored.row));
  for (const change of changes) await assertFixed(world(), stored, change);
}

Deno.test("A pending secret never changes", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const row = newPending(caller);
  await assertGuarded({ table: "pending_second_factors", key: ["account_id"], row }, [
    { account_id: other.accountId },
    { session_id: other.sessionId },
    { encrypted_secret: digest(48) },
    { created_at: "2026-11-20T12:00:00.001Z" },
    { expires_at: "2026-11-20T12:09:59.999Z" },
  ]);
});

Deno.test("A factor's last step rises and wrong codes are counted; nothing else changes", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const row = newFactor(caller, { wrong_codes: 5 });
  const step = Number(row.last_step);
  const fixed: readonly Row[] = [
    { account_id: other.accountId },
    { encrypted_secret: digest(48) },
    { enabled_at: "2026-11-20T12:00:00.001Z" },
  ];
  await assertGuarded({ table: "second_factors", key: ["account_id"], row }, [
    ...fixed,
    ...fixed.map((change) => ({ ...change, last_step: step + 1 })),
    ...[step, step - 1, 1].map((last_step) => ({ last_step })),
    ...[5, 4, 1, 7, 20].map((wrong_codes) => ({ wrong_codes })),
    ...[0, 6].map((wrong_codes) => ({ last_step: step - 1, wrong_codes })),
  ]);
  // The third is written by the previous release.
  for (
    const change of [
      "wrong_codes = 6",
      "last_step = last_step + 1, wrong_codes = 0",
      "last_step = last_step + 1",
      "wrong_codes = 1",
      "wrong_codes = 0",
    ]
  ) {
    const update = `update second_factors set ${change} where account_id = '${caller.accountId}'`;
    assertEquals(await refusal(world(), update), null, change);
  }
});

Deno.test("A recovery code is used once, and nothing else of it changes", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await world().raw(
    insertInto("second_factors", newFactor(caller)) +
      insertInto("second_factors", newFactor(other)),
  );
  const used = "2026-11-20T12:01:00.000Z";
  const codes = { table: "recovery_codes", key: ["account_id", "code_digest"] };
  const fixed: readonly Row[] = [
    { account_id: other.accountId },
    { code_digest: digest() },
    { created_at: "2026-11-20T12:00:00.001Z" },
  ];
  await assertGuarded({ ...codes, row: newRecoveryCode(caller) }, [
    ...fixed,
    ...fixed.map((change) => ({ ...change, used_at: used })),
  ]);
  await assertGuarded({ ...codes, row: newRecoveryCode(caller, { used_at: used }) }, [
    { used_at: null },
    { used_at: "2026-11-20T12:02:00.000Z" },
  ]);
});

Deno.test("A factor with recovery codes cannot be deleted", async () => {
  const { caller } = await enrol(world());
  const statement = `delete from second_factors where account_id = '${caller.accountId}'`;
  assertEquals(await refusal(world(), statement), "23503 recovery_code_of_factor");
});

/** Moves a secret with write access to every row. */
async function moveSecret(table: string, from: Caller, to: Caller): Promise<void> {
  await world().raw(`
    create temporary table moved on commit drop as
      select * from ${table} where account_id = '${to.accountId}';
    update moved set encrypted_secret =
      (select encrypted_secret from ${table} where account_id = '${from.accountId}');
    delete from recovery_codes where account_id = '${to.accountId}';
    delete from ${table} where account_id = '${to.accountId}';
    insert into ${table} select * from moved`);
}

Deno.test("A secret moved to another account cannot be decrypted there", async () => {
  const [thief, victim] = [await enrol(world()), await enrol(world())];
  await moveSecret("second_factors", thief.caller, victim.caller);
  const next = new Date(world().now().getTime() + 30_000);
  const code = await thief.authenticator.codeAt(next);
  assertRefused(await login(world(), victim, { code }), "AUTH_REQUIRED");
  assertEquals((await login(world(), thief, { code })).status, 200);

  const own = await begin(world(), thief.caller);
  await begin(world(), victim.caller);
  await moveSecret("pending_second_factors", thief.caller, victim.caller);
  const refused = await confirm(victim.caller, await own.codeAt(world().now()));
  assertEquals([refused.status, refused.body.error.details.rules], [400, ["second_factor.code"]]);
});

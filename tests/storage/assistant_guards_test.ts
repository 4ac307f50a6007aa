// engines: postgres
/** Raw SQL against the sign-in of assistants: only its uses and its end change, once each. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, sharedWorld } from "../support/world.ts";
import { newCode, newPair, newSigningIn } from "./assistant_rows.ts";
import { digest } from "./authorization_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";
import { assertFixed, changesOf, type StoredRow } from "./stored_rows.ts";

const world = sharedWorld();
const LATER = "2026-11-20T12:00:30.000Z";
const LATEST = "2026-11-20T12:00:31.000Z";

interface SignIn {
  readonly assistant: StoredRow;
  readonly pair: StoredRow;
}

async function signIn(caller: Caller): Promise<SignIn> {
  const assistant = newSigningIn(caller, { program: "CHATGPT" });
  const { assistant_id = null } = assistant;
  const code = newCode(caller, { assistant_id });
  const { code_id = null } = code;
  const pair = newPair(caller, { code_id });
  await world().raw(
    insertInto("assistants", assistant) + insertInto("assistant_codes", code) +
      insertInto("assistant_tokens", pair),
  );
  return {
    assistant: { table: "assistants", key: ["account_id", "assistant_id"], row: assistant },
    pair: { table: "assistant_tokens", key: ["account_id", "token_id"], row: pair },
  };
}

async function change(stored: StoredRow, changes: Row): Promise<void> {
  const [update = ""] = changesOf(stored, changes);
  assertEquals(await refusal(world(), update), null, update);
}

Deno.test("An assistant keeps its program, and the callback that it was bound to first", async () => {
  const { assistant } = await signIn(await world().createCaller());
  const fixed: readonly Row[] = [
    { name: "Another" },
    { modules: "memory" },
    { program: "CLAUDE" },
    { program: null, secret_digest: digest() },
    { program: "OTHER", callbacks: "https://one.example/" },
    { expires_at: LATER },
  ];
  for (const each of fixed) await assertFixed(world(), assistant, each);
  await change(assistant, { bound_callback: "https://chatgpt.com/connector/oauth/one" });
  for (const bound_callback of [null, "https://chatgpt.com/connector/oauth/two"]) {
    await assertFixed(world(), assistant, { bound_callback });
  }
  await change(assistant, { last_used_at: LATER, revoked_at: LATER });
  await assertFixed(world(), assistant, { revoked_at: null });
});

Deno.test("A pair of tokens changes by its first use and its end alone, once each", async () => {
  const caller = await world().createCaller();
  const [{ pair }, other] = [await signIn(caller), await signIn(caller)];
  const fixed: readonly Row[] = [
    { token_id: ulid() },
    { code_id: other.pair.row.code_id ?? null },
    { refreshed_from: pair.row.token_id ?? null },
    { access_digest: digest() },
    { refresh_digest: digest() },
    { access_expires_at: LATER },
    { refresh_expires_at: LATER },
  ];
  for (const each of fixed) await assertFixed(world(), pair, each);
  for (const column of ["refreshed_at", "ended_at"]) {
    await change(pair, { [column]: LATER });
    for (const at of [null, LATEST]) await assertFixed(world(), pair, { [column]: at });
  }
});

Deno.test("A code has one first pair, and a pair is refreshed from one of its own code", async () => {
  const caller = await world().createCaller();
  const [{ pair }, other] = [await signIn(caller), await signIn(caller)];
  const { code_id = null, token_id: refreshed_from = null } = pair.row;
  const insert = (columns: Row) =>
    refusal(world(), insertInto("assistant_tokens", newPair(caller, { code_id, ...columns })));
  assertEquals(await insert({}), "23505 assistant_tokens_first_of_a_code");
  const foreign = { refreshed_from: other.pair.row.token_id ?? null };
  assertEquals(await insert(foreign), "23503 assistant_token_refreshed_from");
  for (let count = 0; count < 2; count++) assertEquals(await insert({ refreshed_from }), null);
});

// engines: postgres
/** Names known to the service and the database. */

import { assertEquals } from "@std/assert";
import { type AccessEventName, insertAccessEvent } from "../../src/accounts/events.ts";
import { PERMISSION_IDS, ROLE_IDS } from "../../src/access/permissions.ts";
import { STEP_UP_PURPOSES } from "../../src/access/step_up.ts";
import { sharedWorld } from "../support/world.ts";
import { newEvent, newProof } from "./authorization_rows.ts";
import { insertInto, refusal } from "./rows.ts";

const world = sharedWorld();

Deno.test("An identifier of a permission or role belongs to one name", async () => {
  const offences: readonly [string, string][] = [
    ...Object.values(PERMISSION_IDS).map((id): [string, string] => [
      insertInto("permissions", { permission_id: id, name: "novel" }),
      "23505 permissions_pkey",
    ]),
    ...Object.values(ROLE_IDS).map((id): [string, string] => [
      insertInto("roles", { role_id: id, name: "NOVEL" }),
      "23505 roles_pkey",
    ]),
  ];
  for (const [statement, refused] of offences) {
    assertEquals(await refusal(world(), statement), refused, statement);
  }
});

Deno.test("The database accepts every proof purpose of the service", async () => {
  const caller = await world().createCaller();
  for (const purpose of STEP_UP_PURPOSES) {
    const statement = insertInto("step_up_proofs", newProof(caller, { purpose }));
    assertEquals(await refusal(world(), statement), null, purpose);
  }
});

/** New names cause a type error here. */
const EVENTS: Readonly<Record<AccessEventName, true>> = {
  ACCOUNT_CREATED: true,
  ACCOUNT_DISABLED: true,
  ACCOUNT_ENABLED: true,
  LOGIN: true,
  LOGIN_FAILED: true,
  LOGOUT: true,
  SESSION_REVOKED: true,
  PASSWORD_CHANGED: true,
  PASSWORD_RESET: true,
  TOKEN_CREATED: true,
  TOKEN_REVOKED: true,
  STEP_UP: true,
  STEP_UP_FAILED: true,
  ROLE_GRANTED: true,
  ROLE_REVOKED: true,
  PERMISSION_GRANTED: true,
  PERMISSION_REVOKED: true,
  SECOND_FACTOR_ENABLED: true,
  SECOND_FACTOR_DISABLED: true,
  SECOND_FACTOR_RESET: true,
  SECOND_FACTOR_REQUIRED: true,
  SECOND_FACTOR_FAILED: true,
  SECOND_FACTOR_LOCKED: true,
  RECOVERY_CODES_REPLACED: true,
  RECOVERY_CODE_USED: true,
  ACCOUNT_FROZEN: true,
  ACCOUNT_UNFROZEN: true,
  ACCOUNT_EXPORTED: true,
  ACCOUNT_IMPORTED: true,
  ACCOUNT_RETIRED: true,
  SECRET_READ: true,
  PASSKEY_ADDED: true,
  PASSKEY_REMOVED: true,
  PASSKEY_COUNTER: true,
  CALENDAR_FEED_CREATED: true,
  CALENDAR_FEED_ROTATED: true,
  CALENDAR_FEED_REVOKED: true,
  ASSISTANT_CREATED: true,
  ASSISTANT_REVOKED: true,
  ASSISTANT_READ: true,
  ASSISTANT_PROPOSED: true,
  ASSISTANT_ALLOWED: true,
  ASSISTANT_SIGNED_IN: true,
  ASSISTANT_TOKEN_REUSED: true,
};

Deno.test("The database accepts every access event of the service, also without an account", async () => {
  const { accountId } = await world().createCaller();
  const now = world().now();
  for (const event of Object.keys(EVENTS) as AccessEventName[]) {
    for (const account of [accountId, null]) {
      await world().database.transaction((tx) =>
        tx.commitWith(insertAccessEvent(tx.sql, {
          event,
          accountId: account,
          credential: { kind: "ADMIN", id: null },
          requestId: "a-request",
          now,
          client: null,
        }))
      );
    }
  }
  const stored = await world().rows(
    `select distinct event from access_events where account_id = '${accountId}' order by 1`,
  );
  assertEquals(stored.map(({ event }) => event), Object.keys(EVENTS).sort());
});

Deno.test("An access event names an event, its request and its time", async () => {
  const caller = await world().createCaller();
  for (const column of ["account_id", "event_id", "event", "request_id", "created_at"]) {
    const statement = insertInto("access_events", newEvent(caller, { [column]: null }));
    assertEquals(await refusal(world(), statement), "23502", column);
  }
});

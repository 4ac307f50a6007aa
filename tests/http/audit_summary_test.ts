/** The summary behind the sign-in notice. */

import { assertEquals } from "@std/assert";
import { type AccessEvent, insertAccessEvent } from "../../src/accounts/events.ts";
import { insertInto } from "../storage/rows.ts";
import { newEntry } from "../storage/audit_trail.ts";
import { type Caller, callerOf, fileWorld, type Json, type World } from "../support/world.ts";
import { AUTH, type Login, register } from "./access.ts";
import { assertInvalid } from "./kernel.ts";
import { read, withPermissions } from "../families/memory/api.ts";

const shared = fileWorld();

const SUMMARY = "/api/v2/audit/summary";
const MINUTE = 60_000;
const [HOME, AWAY, ELSEWHERE] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;

/** One minute later, from an address. */
async function signIn(world: World, known: Login, peer: string): Promise<Caller> {
  world.advance(MINUTE);
  const body = { ...known, transport: "bearer" };
  const response = await world.call("POST", `${AUTH}/login`, { body, peer });
  assertEquals(response.status, 200, response.text);
  const { account: { accountId }, session, accessToken: secret } = response.body.data;
  return callerOf(world.app, { accountId, sessionId: session.sessionId, secret });
}

async function happen(
  world: World,
  caller: Caller,
  event: AccessEvent["event"],
  kind: "SESSION" | "TOKEN" | null = null,
): Promise<void> {
  world.advance(1);
  const credential = kind === null ? null : { kind, id: null };
  const context = { requestId: "a-request", now: world.now(), client: null };
  await world.database.write((sql) =>
    insertAccessEvent(sql, { ...context, accountId: caller.accountId, event, credential })
  );
}

function countsOf({ events }: Json): Record<string, number> {
  return Object.fromEntries(
    events.map(({ event, credentialKind, count }: Json) => [`${event} ${credentialKind}`, count]),
  );
}

Deno.test("The summary counts events by name and credential since a time", async () => {
  const world = shared();
  const [caller, stranger] = [await world.createCaller(), await world.createCaller()];
  await happen(world, caller, "LOGIN_FAILED");
  world.advance(MINUTE);
  const since = world.now().toISOString();
  for (let index = 0; index < 3; index++) await happen(world, caller, "LOGIN_FAILED");
  await happen(world, caller, "SECRET_READ", "SESSION");
  await happen(world, caller, "SECRET_READ", "TOKEN");
  await happen(world, stranger, "TOKEN_CREATED");
  const summary = await read(caller, `${SUMMARY}?since=${since}`);
  assertEquals(summary.since, since);
  assertEquals(summary.until, world.now().toISOString());
  assertEquals(countsOf(summary), {
    "LOGIN_FAILED null": 3,
    "SECRET_READ SESSION": 1,
    "SECRET_READ TOKEN": 1,
  });
  assertEquals([summary.newSources, summary.exports, summary.isWhole], [0, 0, true]);
  const later = new Date(world.now().getTime() + MINUTE).toISOString();
  assertEquals((await read(caller, `${SUMMARY}?since=${later}`)).events, []);
});

Deno.test("Without a time the summary begins at the previous sign-in from the same source", async () => {
  const world = shared();
  const known = await register(world);
  const first = await signIn(world, known, HOME);
  const before = world.now().toISOString();
  const { since, newSources } = await read(first, SUMMARY);
  assertEquals([since, newSources], [null, 0]);
  await happen(world, first, "TOKEN_CREATED");
  // A stranger's second sign-in does not hide earlier events.
  await signIn(world, known, AWAY);
  const stranger = await signIn(world, known, AWAY);
  const strangers = world.now().toISOString();
  const own = await signIn(world, known, HOME);
  const asked = await read(own, SUMMARY);
  assertEquals([asked.since, asked.newSources], [before, 1]);
  assertEquals(countsOf(asked), { "LOGIN SESSION": 3, "TOKEN_CREATED null": 1 });
  assertEquals((await read(own, `${SUMMARY}?since=${strangers}`)).newSources, 0);
  const elsewhere = await signIn(world, known, ELSEWHERE);
  const previous = new Date(world.now().getTime() - MINUTE).toISOString();
  assertEquals((await read(elsewhere, SUMMARY)).since, previous);
  const token = await withPermissions(world, stranger, "audit.read");
  assertEquals((await read(token, SUMMARY)).since, world.now().toISOString());
});

Deno.test("The summary counts exports, and says if it counted only the newest", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const since = world.now().toISOString();
  world.advance(1);
  for (const operation of ["account.export", "memory.export.create", "record.create"]) {
    await world.raw(
      insertInto("audit_entries", newEntry(world, "audit", caller.accountId, { operation })),
    );
  }
  const summary = await read(caller, `${SUMMARY}?since=${since}`);
  assertEquals([summary.exports, summary.isWhole], [2, true]);
  await world.raw(`
    insert into access_events (account_id, event_id, event, request_id, created_at)
      select '${caller.accountId}', '01N0' || lpad(i::text, 22, '0'), 'LOGOUT', i::text, '2027-01-01'
        from generate_series(1, 5000) i`);
  assertEquals((await read(caller, `${SUMMARY}?since=${since}`)).isWhole, false);
});

Deno.test("An invalid time is rejected", async () => {
  const world = shared();
  const caller = await world.createCaller();
  assertInvalid(
    await caller.call("GET", `${SUMMARY}?since=yesterday`),
    ["field.datetime"],
    ["since"],
  );
});

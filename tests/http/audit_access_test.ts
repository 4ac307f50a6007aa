/** Access events in the audit list (`kind=access`). */

import { assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { type AccessEvent, insertAccessEvent } from "../../src/accounts/events.ts";
import { type Caller, createWorld, fileWorld, sharedWorld, type World } from "../support/world.ts";
import { assertInvalid, COMMITMENT, readPage, walkPages } from "./kernel.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

const AUDIT = "/api/v2/audit";
const ACCESS = { kind: "access" };

/** One millisecond after the one before. */
async function happen(
  own: World,
  event: Pick<AccessEvent, "accountId" | "event" | "credential">,
): Promise<void> {
  own.advance(1);
  await own.database.transaction((tx) =>
    tx.commitWith(
      insertAccessEvent(tx.sql, {
        client: null,
        ...event,
        requestId: "the-request",
        now: own.now(),
      }),
    )
  );
}

/** Failed logins, numbered by request id. */
async function seed({ accountId }: Caller, count: number): Promise<void> {
  await world().raw(`
    insert into access_events (account_id, event_id, event, request_id, created_at)
      select '${accountId}', '01KA' || lpad(i::text, 22, '0'), 'LOGIN_FAILED', i::text, now()
        from generate_series(1, ${count}) i`);
}

Deno.test("GET audit with kind=access lists the account's access events, newest first", async () => {
  const own = apart();
  const { accountId, sessionId, call } = await own.createCaller();
  const credentials = [
    { kind: "SESSION", id: sessionId },
    { kind: "TOKEN", id: ulid() },
    { kind: "ADMIN", id: null },
    null,
  ] as const;
  const expected = [];
  for (const [index, credential] of credentials.entries()) {
    const event = (["LOGIN", "TOKEN_CREATED", "ROLE_GRANTED", "LOGIN_FAILED"] as const)[index];
    if (event === undefined) throw new Error("Every credential has its event");
    await happen(own, { accountId, event, credential });
    expected.unshift({
      event,
      credentialKind: credential?.kind ?? null,
      credentialId: credential?.id ?? null,
      addressDigest: null,
      client: null,
      requestId: "the-request",
      createdAt: own.now().toISOString(),
    });
  }
  const { body: { data } } = await call("GET", `${AUDIT}?kind=access`);
  for (const { eventId } of data.items) assertMatch(eventId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assertEquals(data.items.map(({ eventId: _, ...item }: { eventId: string }) => item), expected);
  assertEquals(data.nextCursor, null);
});

Deno.test("GET audit keeps the two trails apart", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  await happen(own, { accountId: caller.accountId, event: "LOGOUT", credential: null });
  const [entries, events] = [await readPage(caller, AUDIT), await readPage(caller, AUDIT, ACCESS)];
  assertEquals(entries.items.map((entry) => entry.subjectId), [record.recordId]);
  assertEquals(events.items.map((event) => event.event), ["LOGOUT"]);
  const eventAsEntry = await caller.call("GET", `${AUDIT}?cursor=${events.items[0].eventId}`);
  assertInvalid(eventAsEntry, ["cursor.unknown"], ["cursor"]);
  const entryId = entries.items[0].auditId;
  const entryAsEvent = await caller.call("GET", `${AUDIT}?kind=access&cursor=${entryId}`);
  assertInvalid(entryAsEvent, ["cursor.unknown"], ["cursor"]);
});

Deno.test("GET audit shows no events of other accounts, nor of none", async () => {
  await using own = await createWorld();
  const [caller, stranger] = [await own.createCaller(), await own.createCaller()];
  await happen(own, { accountId: stranger.accountId, event: "LOGIN", credential: null });
  await happen(own, { accountId: null, event: "LOGIN_FAILED", credential: null });
  assertEquals(await readPage(caller, AUDIT, ACCESS), { items: [], nextCursor: null });
  const { items } = await readPage(stranger, AUDIT, ACCESS);
  assertEquals(items.map((item) => item.event), ["LOGIN"]);
  const events = await own.rows(`select event_id from access_events`);
  assertEquals(events.length, 2);
  for (const { event_id: cursor } of events) {
    const response = await caller.call("GET", `${AUDIT}?kind=access&cursor=${cursor}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("GET audit with kind=access pages without gaps or repetitions, whatever the limit", async () => {
  const caller = await world().createCaller();
  await seed(caller, 7);
  for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
    const pages = await walkPages(caller, AUDIT, { ...ACCESS, limit: String(limit) });
    const numbers = pages.flat().map((item) => item.requestId);
    assertEquals(numbers, ["7", "6", "5", "4", "3", "2", "1"], `limit ${limit}`);
    // An exactly full last page is recognised as last.
    assertEquals(pages.length, Math.ceil(7 / limit), `limit ${limit}`);
  }
});

Deno.test("GET audit with kind=access returns 50 events by default", async () => {
  const caller = await world().createCaller();
  await seed(caller, 51);
  const first = await readPage(caller, AUDIT, ACCESS);
  assertEquals([first.items.length, first.nextCursor], [50, first.items[49].eventId]);
});

Deno.test("GET audit with kind=access rejects the filters of audit entries", async () => {
  const caller = await world().createCaller();
  const filters = { moduleCode: "health", subjectId: ulid(), operation: "record.create" };
  for (const [name, value] of Object.entries(filters)) {
    const response = await caller.call("GET", `${AUDIT}?kind=access&${name}=${value}`);
    assertInvalid(response, ["filter.field"], [name]);
  }
  const all = await caller.call(
    "GET",
    `${AUDIT}?${new URLSearchParams({ ...filters, ...ACCESS })}`,
  );
  assertInvalid(all, ["filter.field"], Object.keys(filters));
});

Deno.test("GET audit with kind=access rejects cursors of others and invalid ones", async () => {
  const caller = await world().createCaller();
  const unknown = await caller.call("GET", `${AUDIT}?kind=access&cursor=${ulid()}`);
  assertInvalid(unknown, ["cursor.unknown"], ["cursor"]);
  const malformed = await caller.call("GET", `${AUDIT}?kind=access&cursor=x`);
  assertInvalid(malformed, ["field.identifier"], ["cursor"]);
});

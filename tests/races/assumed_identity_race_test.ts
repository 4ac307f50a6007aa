/**
 * Requests without a credential look-up: the claim of a write or the read of a row verifies the
 * cached identity. Otherwise nothing happens, and the look-up answers.
 */

import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../src/core/clock.ts";
import { waitUpTo } from "../../src/core/deadline.ts";
import type { Database } from "../../src/database/database.ts";
import { ConnectionLostError } from "../../src/database/failures.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { ServiceError } from "../../src/errors/service_error.ts";
import { AUTH, COOKIE } from "../http/access.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  COMMITMENTS,
  pathOf,
} from "../http/kernel.ts";
import { stalledBody } from "../support/stalled_body.ts";
import {
  type Caller,
  callerOf,
  type CallOptions,
  createWorld,
  ORIGIN,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";
import {
  BEARERS,
  BODY,
  knownWriter,
  MEMORIES,
  MEMORY,
  succeed,
  type Writer,
} from "./known_writer.ts";

const world = sharedWorld();

/** One per kind of command, with expected counts. */
const COMMANDS: Readonly<
  Record<string, readonly [(writer: Writer) => Promise<TestResponse>, Partial<Writer["counts"]>]>
> = {
  "a creation": [
    ({ bearer }) => bearer.call("POST", COMMITMENTS, { key: "new", body: BODY }),
    { writes: 1 },
  ],
  "a change": [
    ({ bearer, record }) => bearer.call("PATCH", pathOf(record), { body: { title: "Changed" } }),
    { reads: 1, writes: 1 },
  ],
  "a change of nothing": [
    ({ bearer, record }) =>
      bearer.call("PATCH", pathOf(record), { key: "same", body: { title: BODY.title } }),
    { reads: 1, transactions: 1 },
  ],
  "a conflict": [
    ({ bearer, record }) =>
      bearer.call("PATCH", pathOf(record), { body: { title: "Late", expectedRevision: 9 } }),
    { reads: 1, transactions: 1 },
  ],
  "a refused payload": [
    ({ bearer }) => bearer.call("POST", COMMITMENTS, { key: "no", body: { ...BODY, payload: {} } }),
    { transactions: 1 },
  ],
  "a replay": [
    ({ bearer }) => bearer.call("POST", COMMITMENTS, { key: "first", body: BODY }),
    { reads: 1, writes: 1 },
  ],
  "an archival": [
    ({ bearer, record }) => bearer.call("POST", `${pathOf(record)}/archive`),
    { reads: 1, writes: 1 },
  ],
  "a new root of a family": [
    ({ bearer }) => bearer.call("POST", MEMORIES, { key: "root", body: MEMORY }),
    { writes: 1 },
  ],
  "a change of a family's root": [
    ({ bearer, memory: { memoryId, revision } }) =>
      bearer.call("POST", `${MEMORIES}/${memoryId}/revisions`, {
        key: "revision",
        body: { expectedRevision: revision, title: "Another walk" },
      }),
    { reads: 1, writes: 1 },
  ],
  "an entry below a root": [
    ({ bearer, memory: { memoryId } }) =>
      bearer.call("POST", `${MEMORIES}/${memoryId}/slices`, { key: "slice", body: { label: "A" } }),
    { reads: 1, writes: 1 },
  ],
};

for (const [name, [send, counts]] of Object.entries(COMMANDS)) {
  Deno.test(`For ${name} a known, valid credential is not looked up`, async () => {
    for (const bear of Object.values(BEARERS)) {
      const writer = await knownWriter(world(), bear);
      writer.holdNext().letGo();
      const response = await send(writer);
      assertEquals(writer.counts, { reads: 0, writes: 0, transactions: 0, ...counts });
      // As a process without the cached identity answers.
      const stranger = await knownWriter(world(), bear);
      const bearer = callerOf(world().again(), stranger.bearer);
      const expected = await send({ ...stranger, bearer });
      assertEquals(response.status, expected.status, response.text);
      assertEquals(Object.keys(response.body.data ?? {}), Object.keys(expected.body.data ?? {}));
      assertEquals(response.body.error?.code, expected.body.error?.code);
    }
  });
}

/** Keyed by target. */
const READS: Readonly<Record<string, (writer: Writer) => string>> = {
  "a record": ({ record }) => pathOf(record),
  "a revision of a record": ({ record }) => `${pathOf(record)}?revision=1`,
  "a family's root": ({ memory }) => `${MEMORIES}/${memory.memoryId}`,
  "a revision of a family's root": ({ memory }) => `${MEMORIES}/${memory.memoryId}/revisions/1`,
};

Deno.test("A read of one row does not look up a known, valid credential", async () => {
  for (const bear of Object.values(BEARERS)) {
    for (const [name, pathIn] of Object.entries(READS)) {
      const writer = await knownWriter(world(), bear);
      const path = pathIn(writer);
      const expected = await succeed(writer.caller.call("GET", path));
      writer.holdNext().letGo();
      assertEquals(await succeed(writer.bearer.call("GET", path)), expected, name);
      assertEquals(writer.counts, { reads: 1, writes: 0, transactions: 0 }, name);
      const missing = path.replace(/\/[0-9A-Z]{26}/, "/01KAGQ0000000000000000MSNG");
      assertFailure(await writer.bearer.call("GET", missing), "RECORD_NOT_FOUND", missing);
      const stranger = callerOf(writer.app, await world().createCaller());
      for (let time = 0; time < 2; time++) {
        assertFailure(await stranger.call("GET", path), "RECORD_NOT_FOUND", path);
      }
    }
  }
});

/** With the later answers. */
const ENDINGS: Readonly<
  Record<string, readonly [ErrorCode, (writer: Writer) => Promise<unknown>]>
> = {
  "its session logs out": [
    "AUTH_REQUIRED",
    ({ caller }) => succeed(caller.call("POST", `${AUTH}/logout`)),
  ],
  "its account is disabled": [
    "AUTH_REQUIRED",
    ({ caller }) => setAccount(caller, "disabled_at = now()"),
  ],
  "its account loses its role": ["FORBIDDEN", ({ caller }) => setAccount(caller, "role = null")],
  "its account's role is lowered": [
    "FORBIDDEN",
    ({ caller }) => setAccount(caller, "role = 'SERVICE'"),
  ],
};

async function setAccount({ accountId }: Caller, assignment: string): Promise<void> {
  await world().raw(`update accounts set ${assignment} where account_id = '${accountId}'`);
}

for (const [ending, [code, end]] of Object.entries(ENDINGS)) {
  Deno.test(`No command is answered or written if ${ending} before its claim`, async () => {
    for (const [name, [send]] of Object.entries(COMMANDS)) {
      const writer = await knownWriter(world());
      const { reached, letGo } = writer.holdNext();
      const answer = send(writer);
      await reached;
      await end(writer);
      const response = await assertNothingOf(writer, async () => {
        letGo();
        return await answer;
      });
      assertFailure(response, code, name);
      assertFailure(await assertNothingOf(writer, () => send(writer)), code, name);
    }
  });
}

for (const [ending, [code, end]] of Object.entries(ENDINGS)) {
  Deno.test(`No row is read for an answer if ${ending} before its statement`, async () => {
    for (const [name, pathIn] of Object.entries(READS)) {
      const writer = await knownWriter(world());
      const { reached, letGo } = writer.holdNext("read");
      const answer = writer.bearer.call("GET", pathIn(writer));
      await reached;
      await end(writer);
      letGo();
      assertFailure(await answer, code, name);
      assertFailure(await writer.bearer.call("GET", pathIn(writer)), code, name);
    }
  });
}

Deno.test("No command of a token is answered or written if the token is revoked before its claim", async () => {
  for (const [name, [send]] of Object.entries(COMMANDS)) {
    const writer = await knownWriter(world(), BEARERS.token);
    const [token] = (await succeed(writer.caller.call("GET", `${AUTH}/tokens`))).items;
    const { reached, letGo } = writer.holdNext();
    const answer = send(writer);
    await reached;
    await succeed(writer.caller.call("POST", `${AUTH}/tokens/${token.tokenId}/revoke`));
    letGo();
    assertFailure(await assertNothingOf(writer, () => answer), "AUTH_REQUIRED", name);
  }
});

/** Rows, audit entries and envelopes. */
async function assertNothingOf<T>({ caller }: Writer, action: () => Promise<T>): Promise<T> {
  const count = () =>
    world().rows(
      ["records", "record_revisions", "memories", "memory_slices", "audit_entries"].map((table) =>
        `select count(*)::integer as rows from ${table} where owner_id = '${caller.accountId}'`
      ).concat(
        `select count(*)::integer from idempotency_envelopes where owner_id = '${caller.accountId}'`,
      ).join(" union all "),
    );
  const before = await count();
  const result = await action();
  assertEquals(await count(), before);
  return result;
}

Deno.test("Under many writes none is accepted after its credential's end, in any process", async () => {
  const writer = await knownWriter(world());
  const bearers = [writer.bearer, callerOf(world().again(), writer.bearer)] as const;
  const create = (place: number, key: string) =>
    (bearers[place % 2] as Caller).call("POST", COMMITMENTS, { key, body: BODY });
  for (const place of [0, 1]) await succeed(create(place, `known-${place}`), 201);
  let [taken, isOver] = [3, false];
  const storm = Array.from({ length: 8 }, async (_, place) => {
    for (let round = 0; !isOver; round++) {
      const { status } = await create(place, `${place}-${round}`);
      if (status === 201) taken++;
      else assertEquals(status, 401);
    }
  });
  await setAccount(writer.caller, "disabled_at = now()");
  const behind = Array.from({ length: 20 }, (_, place) => create(place, `behind-${place}`));
  for (const response of await Promise.all(behind)) assertFailure(response, "AUTH_REQUIRED");
  isOver = true;
  await Promise.all(storm);
  const [row] = await world().rows(`
    select count(*)::integer as records from records
     where owner_id = '${writer.caller.accountId}' and module_code = 'commitment'`);
  assertEquals(row.records, taken);
});

Deno.test("An expired credential writes nothing, and its uses are recorded hourly until then", async () => {
  await using own = await createWorld();
  const { bearer, caller, record, settled } = await knownWriter(own);
  const create = (key: string) => bearer.call("POST", COMMITMENTS, { key, body: BODY });
  const lastSeen = async () => {
    const [row] = await own.rows(
      `select last_seen_at from sessions where session_id = '${caller.sessionId}'`,
    );
    return row.last_seen_at.getTime();
  };
  for (let hour = 0; hour < 3; hour++) {
    own.advance(61 * 60 * 1000);
    await succeed(create(`hour-${hour}`), 201);
    await settled();
    assert(own.now().getTime() - await lastSeen() < 60 * 60 * 1000);
  }
  own.advance(61 * 60 * 1000);
  assertEquals((await bearer.call("GET", pathOf(record))).status, 200);
  own.advance(30 * DAY_MS);
  assertFailure(await assertWritesNothing(own, () => create("late")), "AUTH_REQUIRED");
});

Deno.test("A session at the end of its lifetime writes nothing", async () => {
  const halfAnHour = 1 / 48;
  await using own = await createWorld({ sessions: { idleDays: 14, absoluteDays: halfAnHour } });
  const { bearer } = await knownWriter(own);
  const create = (key: string) => bearer.call("POST", COMMITMENTS, { key, body: BODY });
  own.advance(29 * 60 * 1000);
  await succeed(create("in-time"), 201);
  own.advance(60 * 1000);
  assertFailure(await assertWritesNothing(own, () => create("late")), "AUTH_REQUIRED");
});

Deno.test("A request is counted once, whether its claim or a look-up verifies the caller", async () => {
  await using own = await createWorld({
    limits: { perCredential: 6, perAddress: 0, inFlight: 256 },
  });
  const { bearer } = await knownWriter(own);
  const left = ({ headers }: TestResponse) =>
    Number(/r=(\d+)/.exec(headers.get("RateLimit") ?? "")?.[1]);
  const taken = await bearer.call("POST", COMMITMENTS, { key: "one", body: BODY });
  assertEquals([taken.status, left(taken)], [201, 3]);
  const malformed = await bearer.call("POST", COMMITMENTS, { key: "two", body: [] });
  assertInvalid(malformed, ["body.object"]);
  assertEquals(left(malformed), 2);
  const missing = await bearer.call("POST", COMMITMENTS, { body: BODY });
  assertEquals([missing.status, left(missing)], [400, 1]);
  const last = await bearer.call("POST", COMMITMENTS, { key: "three", body: BODY });
  assertEquals([last.status, left(last)], [201, 0]);
  assertFailure(await bearer.call("POST", COMMITMENTS, { key: "four", body: BODY }), "HTTP_429");
  own.advance(10_000);
  assertEquals((await bearer.call("POST", COMMITMENTS, { key: "four", body: BODY })).status, 201);
});

Deno.test("A request that ends before its claim is rejected like a stranger's if its credential ended", async () => {
  const bodies: readonly CallOptions[] = [
    { key: "a", body: [] },
    { key: "b", raw: "{", headers: { "Content-Type": "application/json" } },
    { key: "c", raw: "text", headers: { "Content-Type": "text/plain" } },
    { body: BODY },
    { key: "not a key", body: BODY },
  ];
  for (const options of bodies) {
    const writer = await knownWriter(world());
    const { status } = await writer.bearer.call("POST", COMMITMENTS, options);
    assert(status === 400 || status === 415);
    await succeed(writer.caller.call("POST", `${AUTH}/logout`));
    assertFailure(await writer.bearer.call("POST", COMMITMENTS, options), "AUTH_REQUIRED");
  }
});

Deno.test("A slow body of an ended credential is not awaited", async () => {
  const writer = await knownWriter(world());
  await succeed(writer.caller.call("POST", `${AUTH}/logout`));
  const { stream, breakOff, isGivenUp } = stalledBody('{"title": ');
  const headers = { "Content-Type": "application/json" };
  const answer = writer.bearer.call("POST", COMMITMENTS, { key: "s", raw: stream, headers });
  const response = await waitUpTo(10_000, answer);
  assert(response !== null, "it is read until its time is over");
  assertFailure(response, "AUTH_REQUIRED");
  assertEquals(isGivenUp(), true, "it is read on behind the answer");
  breakOff();
});

Deno.test("A write that may have happened is not repeated, whatever its identity became", async () => {
  const writer = await knownWriter(world());
  let writes = 0;
  const database: Database = {
    ...world().database,
    async write(statement) {
      const rows = await world().database.write(statement);
      if (++writes === 1) return rows;
      // Committed, but the answer is lost.
      await setAccount(writer.caller, "role = 'EDITOR'");
      throw new ServiceError("HTTP_503", { cause: new ConnectionLostError() });
    },
  };
  const bearer = callerOf(world().again({ database }), writer.caller);
  await succeed(bearer.call("POST", COMMITMENTS, { key: "known", body: BODY }), 201);
  const body = { title: "Changed", expectedRevision: 1 };
  const answer = await bearer.call("PATCH", pathOf(writer.record), { body });
  assertFailure(answer, "HTTP_503");
  assertEquals(writes, 2);
  const { title, revision } = await succeed(writer.caller.call("GET", pathOf(writer.record)));
  assertEquals([title, revision], ["Changed", 2]);
});

Deno.test("A known cookie writes only from the service's own pages", async () => {
  const caller = await world().createCaller();
  const Cookie = `${COOKIE}=${caller.secret}`;
  const create = (key: string, headers: Record<string, string>) =>
    world().call("POST", COMMITMENTS, { key, body: BODY, headers: { Cookie, ...headers } });
  for (const key of ["one", "two"]) await succeed(create(key, { Origin: ORIGIN }), 201);
  assertFailure(await create("three", { Origin: "https://elsewhere.example" }), "FORBIDDEN");
  assertFailure(await create("four", {}), "FORBIDDEN");
  // Next to a Bearer credential it is not looked at.
  const other = await world().createCaller();
  const Authorization = `Bearer ${other.secret}`;
  for (const key of ["five", "six"]) await succeed(create(key, { Authorization }), 201);
  for (const each of [caller, other]) {
    const { items } = await succeed(each.call("GET", COMMITMENTS));
    assertEquals(items.length, 2);
  }
});

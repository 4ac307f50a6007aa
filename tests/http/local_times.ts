/** Proofs of the member `localTimes` that all roots share. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import type { Caller, Json, TestResponse, World } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing } from "./kernel.ts";
import { done, post, read } from "../families/memory/api.ts";

/** A time as it is sent, as its local time, and in UTC. */
export const TOKYO = {
  sent: "2025-11-01t08:00:00+09:00[!asia/tokyo]",
  local: "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]",
  utc: "2025-10-31T23:00:00.000Z",
} as const;

/** Half an hour later. */
export const BOSTON = {
  sent: "2025-10-31T19:30:00-04:00",
  local: "2025-10-31T19:30:00.000-04:00",
  utc: "2025-10-31T23:30:00.000Z",
} as const;

const BAD_TIMES: Readonly<Record<string, string>> = {
  "2025-11-01T08:00:00[Asia/Tokyo]": "field.datetime",
  "2025-11-01T08:00:00+09:00[Asia/Tokyo][Asia/Tokyo]": "field.datetime",
  "2025-11-01T08:00:00+09:00[u-ca=gregory]": "field.datetime",
  "2025-11-01T08:00:00+09:00[+09:00]": "field.datetime",
  "2025-11-01T08:00:00+09:00[]": "field.datetime",
  "2025-11-01T08:00:00+09:00[Asia/Tokyo ]": "field.datetime",
  "2025-11-01T08:00:00+09:00[Asia/Tokyo": "field.datetime",
  [`2025-11-01T08:00:00+09:00[${"A".repeat(65)}]`]: "field.datetime",
  "0001-01-01T00:00:00Z[America/New_York]": "field.datetime",
  "0000-12-31T23:59:00-00:01": "field.datetime",
  "2025-11-01T08:00:00+09:00[Mars/Olympus]": "field.time_zone",
  "2025-11-01T08:00:00+09:00[JST]": "field.time_zone",
  "2025-11-01T08:00:00+08:00[Asia/Tokyo]": "field.time_offset",
  "2025-10-31T23:00:00+00:00[Asia/Tokyo]": "field.time_offset",
  // An hour that the zone skips.
  "2025-03-30T02:30:00+01:00[Europe/Berlin]": "field.time_offset",
};

/**
 * Each bad time is rejected at all members, and so is `localTimes`; no answer repeats a zone.
 *
 * @param send Sends a body that has these members.
 */
export async function assertRejectsBadTimes(
  world: World,
  names: readonly string[],
  send: (members: JsonObject) => Promise<TestResponse>,
): Promise<void> {
  await assertWritesNothing(world, async () => {
    for (const [time, rule] of Object.entries(BAD_TIMES)) {
      const response = await send(Object.fromEntries(names.map((name) => [name, time])));
      const { rules, fields } = assertFailure(response, "PAYLOAD_INVALID", time);
      // Rules about their order may be violated too.
      const ofFields = rules.filter((name: string) => name.startsWith("field."));
      assertEquals([ofFields, fields.sort()], [[rule], names.toSorted()], time);
      const { requestId: _, ...error } = response.body.error;
      assert(!/Tokyo|Mars|Berlin|JST/.test(JSON.stringify(error)), response.text);
    }
    assertInvalid(await send({ localTimes: {} }), ["undeclared_field"]);
  });
}

interface Creation {
  readonly collection: string;
  /** A valid body, whose times are replaced. */
  readonly body: JsonObject;
  /** One or two owner's times, in ascending order. */
  readonly times: readonly string[];
}

interface Created {
  readonly path: string;
  readonly data: Json;
  /** The key still returns the first answer, and accepts no other clock. */
  readonly assertRepeats: () => Promise<void>;
}

/** A creation shows the clocks of its times, and bad times are rejected. */
export async function assertCreatesWithClocks(
  world: World,
  caller: Caller,
  { collection, body, times: [first = "", second] }: Creation,
): Promise<Created> {
  const later = (text: string) => second === undefined ? {} : { [second]: text };
  const names = Object.keys({ [first]: null, ...later("") });
  await assertRejectsBadTimes(world, names, (members) => {
    return post(caller, collection, { ...body, ...members });
  });
  const key = ulid();
  const create = (body: JsonObject) => caller.call("POST", collection, { key, body });
  const sent = { ...body, [first]: TOKYO.sent, ...later(BOSTON.sent) };
  const made = await create(sent);
  assertEquals(made.status, 201, made.text);
  const path = made.headers.get("Location") ?? "";
  const { data } = made.body;
  const inUtc = Object.fromEntries(names.map((name) => [name, data[name]]));
  assertEquals(inUtc, { [first]: TOKYO.utc, ...later(BOSTON.utc) });
  assertEquals(data.localTimes, { [first]: TOKYO.local, ...later(BOSTON.local) });
  assertEquals(await read(caller, path), data);
  return {
    path,
    data,
    async assertRepeats() {
      assertEquals((await create(sent)).body.data, data);
      const other = await create({ ...sent, [first]: "2025-11-01T08:00:00+09:00" });
      assertFailure(other, "IDEMPOTENCY_KEY_REUSED");
    },
  };
}

/** Values of a time, each with its local time afterwards; null without a clock. */
const SETS: readonly (readonly [string, string | null])[] = [
  [TOKYO.utc, TOKYO.local],
  [TOKYO.sent, TOKYO.local],
  ["2025-10-31T23:00:00Z[Asia/Tokyo]", TOKYO.local],
  ["2025-11-01T00:00:00+01:00[Europe/Berlin]", "2025-11-01T00:00:00.000+01:00[Europe/Berlin]"],
  ["2025-11-01T00:00:00+01:00", "2025-11-01T00:00:00.000+01:00"],
  ["2025-10-31T23:00:00-00:00", null],
  [TOKYO.utc, null],
  ["2025-10-31T23:00:00+00:00", "2025-10-31T23:00:00.000+00:00"],
  [TOKYO.sent, TOKYO.local],
  // Another instant.
  ["2025-10-31T22:00:00Z", null],
  [TOKYO.sent, TOKYO.local],
];

interface ClockedRoot extends Creation {
  /** One of the times, if it is not required. */
  readonly removable?: string;
  readonly isArchivable?: boolean;
}

/**
 * A root keeps the clocks of its times through creation, changes, archive, restore, removal and
 * replays. Each revision shows its own.
 */
export async function assertKeepsClocks(
  world: World,
  caller: Caller,
  root: ClockedRoot,
): Promise<void> {
  const { times, removable, isArchivable = false } = root;
  const [first = ""] = times;
  const { path, data, assertRepeats } = await assertCreatesWithClocks(world, caller, root);
  const { [first]: _, ...others } = data.localTimes;
  const states = [data];
  const change = async (body: JsonObject, local: JsonObject, isChange = true) => {
    const [before] = states;
    const patch = { key: ulid(), body: { expectedRevision: before.revision, ...body } };
    const changed = await caller.call("PATCH", path, patch);
    const after = changed.body.data;
    assertEquals(after?.localTimes, local, `${JSON.stringify(body)} ${changed.text}`);
    if (!isChange) return assertEquals(after, before);
    assertEquals(after.revision, before.revision + 1, changed.text);
    states.unshift(after);
    assertEquals((await caller.call("PATCH", path, patch)).body.data, after);
  };
  for (const [time, local] of SETS) {
    const clocks = local === null ? others : { ...others, [first]: local };
    await change(
      { set: { [first]: time } },
      clocks,
      local !== (states[0].localTimes[first] ?? null),
    );
  }
  for (const step of isArchivable ? ["archive", "restore"] : []) {
    states.unshift(await done(caller, `${path}/${step}`, {}));
    assertEquals(states[0].localTimes, states[1].localTimes);
  }
  if (removable !== undefined) {
    const { [removable]: _, ...left } = states[0].localTimes;
    await change({ remove: [removable] }, left);
  }
  const { revision: expectedRevision } = states[0];
  await assertRejectsBadTimes(world, times, (set) => {
    return caller.call("PATCH", path, { key: ulid(), body: { expectedRevision, set } });
  });

  assertEquals(await read(caller, path), states[0]);
  const { items } = await read(caller, `${path}/revisions`);
  assertEquals(items.map(({ revisionId: _, change: __, ...state }: Json) => state), states);
  await assertRepeats();
}

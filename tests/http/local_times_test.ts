/** Local times of generic records: input, answers, changes and account files. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { CATALOG } from "../../src/catalog/catalog.ts";
import { timeNames } from "../../src/catalog/policy.ts";
import { fileOf } from "../support/account_file.ts";
import { randomPayload } from "../support/payloads.ts";
import { seededRandom } from "../support/random.ts";
import { type Caller, fileWorld, type Json, type JsonRecord } from "../support/world.ts";
import { exportAccount, importFile, linesOf } from "./account.ts";
import { COMMITMENT, pathOf, readPage } from "./kernel.ts";

const world = fileWorld();

const TOKYO = "2025-11-01T08:00:00+09:00[Asia/Tokyo]";
const SHOWN = "2025-11-01T08:00:00.000+09:00[Asia/Tokyo]";
const INSTANT = "2025-10-31T23:00:00.000Z";

async function withDueAt(caller: Caller, dueAt: string): Promise<JsonRecord> {
  return await caller.create("commitment", { ...COMMITMENT, dueAt });
}

async function change(caller: Caller, record: JsonRecord, body: Json): Promise<JsonRecord> {
  const response = await caller.call("PATCH", pathOf(record), { key: ulid(), body });
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

Deno.test("A time keeps the clock by which it was stated", async () => {
  const caller = await world().createCaller();
  const clocks: readonly (readonly [sent: string, shown: string | undefined])[] = [
    [TOKYO, SHOWN],
    ["2025-11-01T08:00:00+09:00[!asia/tokyo]", SHOWN],
    ["2025-10-31T23:00:00Z[Asia/Tokyo]", SHOWN],
    ["2025-10-31T23:00:00-00:00[Asia/Tokyo]", SHOWN],
    ["2025-11-01T04:30:00+05:30[Asia/Calcutta]", "2025-11-01T04:30:00.000+05:30[Asia/Calcutta]"],
    ["2025-11-01T08:00:00+09:00", "2025-11-01T08:00:00.000+09:00"],
    ["2025-10-31T23:00:00+00:00", "2025-10-31T23:00:00.000+00:00"],
    ["2025-10-31T23:00:00Z", undefined],
    ["2025-10-31T23:00:00-00:00", undefined],
  ];
  for (const [sent, shown] of clocks) {
    const made = await withDueAt(caller, sent);
    assertEquals([made.payload.dueAt, made.localTimes.dueAt], [INSTANT, shown], sent);
    assertEquals((await caller.call("GET", pathOf(made))).body.data, made);
  }
});

Deno.test("The offset selects one of two hours, and seconds of an offset are cut off", async () => {
  const caller = await world().createCaller();
  const times: readonly (readonly [sent: string, instant: string, shown: string])[] = [
    ["2025-10-26T02:30:00+02:00[Europe/Berlin]", "2025-10-26T00:30:00.000Z", "02:30:00.000+02:00"],
    ["2025-10-26T02:30:00+01:00[Europe/Berlin]", "2025-10-26T01:30:00.000Z", "02:30:00.000+01:00"],
    ["1880-01-01T12:00:00+00:53[Europe/Berlin]", "1880-01-01T11:07:00.000Z", "12:00:00.000+00:53"],
    ["1880-01-01T12:00:00+00:54[Europe/Berlin]", "1880-01-01T11:06:00.000Z", "12:00:00.000+00:54"],
    ["1880-01-01T12:00:00Z[Europe/Berlin]", "1880-01-01T12:00:00.000Z", "12:53:00.000+00:53"],
  ];
  for (const [sent, instant, shown] of times) {
    const { payload, localTimes } = await withDueAt(caller, sent);
    const expected = `${sent.slice(0, 11)}${shown}[Europe/Berlin]`;
    assertEquals([payload.dueAt, localTimes.dueAt], [instant, expected], sent);
  }
});

Deno.test("A bad clock is refused by rule, and repeats nothing", async () => {
  const caller = await world().createCaller();
  const made = await withDueAt(caller, TOKYO);
  const local = "2025-11-01T08:00:00";
  const refused: Readonly<Record<string, readonly string[]>> = {
    "field.datetime": [
      `${local}[Asia/Tokyo]`,
      `${local}+09:00[Asia/Tokyo][Asia/Tokyo]`,
      `${local}+09:00[u-ca=hebrew]`,
      `${local}+09:00[Asia/Tokyo][u-ca=hebrew]`,
      `${local}+09:00[+09:00]`,
      `${local}+09:00[ Asia/Tokyo]`,
      `${local}+09:00 [Asia/Tokyo]`,
      `${local}+09:00[]`,
      `${local}+09:00[!]`,
      `${local}+09:00[Asia/Tokyo`,
      `${local}+09:00[9]`,
      `${local}+09:00[Asia/T\u014dky\u014d]`,
      `${local}+09:00[${"A".repeat(65)}]`,
      "0001-01-01T00:00:00Z[America/New_York]",
      "9999-12-31T23:59:59Z[Asia/Tokyo]",
    ],
    "field.time_zone": [
      `${local}+09:00[Mars/Olympus]`,
      `${local}+09:00[JST]`,
      `${local}Z[PST]`,
      `${local}+00:00[${"A".repeat(64)}]`,
    ],
    "field.time_offset": [
      `${local}+08:00[Asia/Tokyo]`,
      `${local}+00:00[Asia/Tokyo]`,
      // An hour that the zone skips, either way.
      "2025-03-30T02:30:00+01:00[Europe/Berlin]",
      "2025-03-30T02:30:00+02:00[Europe/Berlin]",
      "1880-01-01T12:00:00+00:55[Europe/Berlin]",
    ],
  };
  for (const [rule, texts] of Object.entries(refused)) {
    for (const dueAt of texts) {
      const created = await caller.call("POST", "/api/v2/records/commitment", {
        key: ulid(),
        body: { title: "A", payload: { ...COMMITMENT, dueAt } },
      });
      const changed = await caller.call("PATCH", pathOf(made), { body: { payload: { dueAt } } });
      for (const { status, body, text } of [created, changed]) {
        const { code, details } = body.error ?? {};
        assertEquals([status, code], [400, "PAYLOAD_INVALID"], `${dueAt}: ${text}`);
        assertEquals([details.rules, details.fields], [[rule], ["dueAt"]], dueAt);
        assert(!text.includes(dueAt.slice(19)), dueAt);
      }
    }
  }
  const body = { title: "A", payload: COMMITMENT, localTimes: {} };
  const undeclared = await caller.call("POST", "/api/v2/records/commitment", {
    key: ulid(),
    body,
  });
  assertEquals(undeclared.body.error.details.rules, ["undeclared_field"]);
  const filter = `/api/v2/records/commitment?${new URLSearchParams({ "filter[dueAt]": TOKYO })}`;
  assertEquals((await caller.call("GET", filter)).body.error.details.rules, ["filter.value"]);
});

Deno.test("A change replaces or keeps a clock, and makes a revision only if it differs", async () => {
  const caller = await world().createCaller();
  const made = await withDueAt(caller, TOKYO);
  const steps: readonly (readonly [payload: Json, revision: number, shown: string | undefined])[] =
    [
      [{ dueAt: TOKYO }, 1, SHOWN],
      [{ dueAt: made.payload.dueAt }, 1, SHOWN],
      [{ notes: "x" }, 2, SHOWN],
      [{ dueAt: "2025-11-01T08:00:00+09:00" }, 3, "2025-11-01T08:00:00.000+09:00"],
      [{ dueAt: "2025-10-31T23:00:00-00:00" }, 4, undefined],
      [{ dueAt: "2025-10-31T23:00:00Z[Asia/Tokyo]" }, 5, SHOWN],
      [{ dueAt: "2025-10-31T23:00:01Z" }, 6, undefined],
      [{ dueAt: TOKYO }, 7, SHOWN],
    ];
  for (const [payload, revision, shown] of steps) {
    const changed = await change(caller, made, { payload });
    assertEquals([changed.revision, changed.localTimes.dueAt], [revision, shown]);
  }
  const removed = await change(caller, made, { payloadRemove: ["dueAt"] });
  assertEquals(removed.localTimes, {});
  const { items } = await readPage(caller, `${pathOf(made)}/revisions`);
  assertEquals(items.map(({ localTimes }) => localTimes.dueAt), [
    undefined,
    SHOWN,
    undefined,
    SHOWN,
    undefined,
    "2025-11-01T08:00:00.000+09:00",
    SHOWN,
    SHOWN,
  ]);
});

Deno.test("A replay has the clock of its first answer, and another clock is another request", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const send = (dueAt: string) =>
    caller.call("POST", "/api/v2/records/commitment", {
      key,
      body: { title: "A", payload: { ...COMMITMENT, dueAt } },
    });
  const first = await send(TOKYO);
  await change(caller, first.body.data, { payload: { dueAt: INSTANT.replace("Z", "-00:00") } });
  assertEquals((await send(TOKYO)).body.data, first.body.data);
  const other = await send("2025-11-01T08:00:00+09:00");
  assertEquals(other.body.error.code, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("Every time of every module has a clock, through archive, list and account file", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(7);
  const made: JsonRecord[] = [];
  for (const module of CATALOG.modules.filter(({ access }) => access === "GENERIC")) {
    const names = timeNames(module);
    const attachment = module.fields.some(({ edit, attachment }) => edit === "file" || attachment);
    if (names.length === 0 || attachment) continue;
    let payload = randomPayload(module, random, { now: world().now(), optional: 1 });
    payload = Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [
        name,
        names.includes(name) ? `${String(value).slice(0, -1)}Z[Asia/Tokyo]` : value,
      ]),
    );
    const record = await caller.create(module.code, payload as Json);
    const stated = names.filter((name) => name in payload).toSorted();
    assertEquals(Object.keys(record.localTimes).toSorted(), stated, module.code);
    made.push(record);
    const archived = await caller.call("POST", `${pathOf(record)}/archive`, { key: ulid() });
    assertEquals(archived.body.data.localTimes, record.localTimes);
  }
  assert(made.length >= 15);

  const { bytes } = await exportAccount(world(), caller);
  const other = await world().createCaller();
  const imported = await importFile(other, bytes.slice());
  assertEquals(imported.status, 200, imported.text);
  assertEquals((await exportAccount(world(), other)).bytes, bytes);
  for (const record of made) {
    const { body } = await other.call("GET", pathOf(record));
    assertEquals(body.data.localTimes, record.localTimes);
  }
});

Deno.test("An account file brings clocks of zones that nobody knows, and refuses other forms", async () => {
  const caller = await world().createCaller();
  const made = await withDueAt(caller, TOKYO);
  const lines = linesOf((await exportAccount(world(), caller)).bytes).slice(1, -1);
  const withClocks = (clocks: Json) =>
    fileOf(lines.map((line) => {
      if (line.type !== "record") return line;
      return {
        ...line,
        clocks,
        revisions: line.revisions.map((one: Json) => ({ ...one, clocks })),
      };
    }));
  const refused: Readonly<Record<string, readonly Json[]>> = {
    "import.value": [null, {}, [], "x", { dueAt: 1 }, { dueAt: "9:00" }, { dueAt: "+24:00" }],
    "import.guard": [{ completedAt: "+09:00" }, { content: "+09:00" }],
    "import.member": [undefined],
  };
  for (const [rule, files] of Object.entries(refused)) {
    for (const clocks of files) {
      const file = clocks === undefined
        ? fileOf(lines.map((line) => line.type === "record" ? { ...line, localTimes: {} } : line))
        : withClocks(clocks);
      const { body } = await importFile(await world().createCaller(), file);
      assertEquals(body.error?.details.rules, [rule], JSON.stringify(clocks));
    }
  }
  for (const clock of ["+09:00[Mars/Olympus]", "+09:00[asia/tokyo]", "+03:00[Asia/Tokyo]"]) {
    const file = withClocks({ dueAt: clock });
    const other = await world().createCaller();
    assertEquals((await importFile(other, file)).status, 200);
    assertEquals(new TextDecoder().decode((await exportAccount(world(), other)).bytes), file);
    for (const title of ["Changed", "Again"]) {
      const { localTimes } = await change(other, made, { title });
      assertEquals(localTimes.dueAt?.slice(23), clock);
    }
    const { revision } = await change(other, made, { payload: { dueAt: INSTANT } });
    assertEquals(revision, 3);
  }
});

Deno.test("A derived due time is at the same local time, across a change of the zone's offset", async () => {
  const caller = await world().createCaller();
  const times: readonly (readonly [completed: string, due: string, shown: string | undefined])[] = [
    [
      "2026-10-20T08:00:00+02:00[Europe/Berlin]",
      "2026-10-27T07:00:00.000Z",
      "+01:00[Europe/Berlin]",
    ],
    [
      "1880-01-01T12:00:00-04:56[America/New_York]",
      "1880-01-08T16:56:00.000Z",
      "-04:56[America/New_York]",
    ],
    ["2026-10-20T08:00:00+02:00", "2026-10-27T06:00:00.000Z", "+02:00"],
    ["2026-10-20T06:00:00Z", "2026-10-27T06:00:00.000Z", undefined],
    [
      "2026-03-22T02:30:00+01:00[Europe/Berlin]",
      "2026-03-29T01:30:00.000Z",
      "+02:00[Europe/Berlin]",
    ],
    [
      "2026-10-18T02:30:00+02:00[Europe/Berlin]",
      "2026-10-25T00:30:00.000Z",
      "+02:00[Europe/Berlin]",
    ],
  ];
  for (const [lastCompletedAt, due, clock] of times) {
    const routine = { routineName: "R", area: "A", intervalDays: 7, active: true, lastCompletedAt };
    const { payload, localTimes } = await caller.create("routine", routine);
    assertEquals(
      [payload.nextDueAt, localTimes.nextDueAt?.slice(23)],
      [due, clock],
      lastCompletedAt,
    );
  }
});

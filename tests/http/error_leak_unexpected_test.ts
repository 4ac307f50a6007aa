/**
 * Unexpected failures are a fixed `INTERNAL_ERROR` (or `HTTP_503` without a database), and nothing
 * is printed.
 */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { payloadInvalid } from "../../src/errors/service_error.ts";
import type { StrategyExecutor } from "../../src/records/feature_routes.ts";
import { Markers } from "../support/markers.ts";
import {
  callerOf,
  createWorld,
  fileWorld,
  type TestResponse,
  type World,
} from "../support/world.ts";
import {
  assertFailure,
  catalogWith,
  COMMITMENT,
  COMMITMENTS,
  FAILURE_HEADERS,
  pathOf,
  tableCounts,
} from "./kernel.ts";

const CATALOG = catalogWith({ "CMT-001": { status: "implemented_local", strategy: "analyze" } });

/** A bare `INTERNAL_ERROR`; no marker in it or the log. */
function assertBareFailure(
  world: World,
  markers: Markers,
  answer: TestResponse,
  about: string,
): void {
  assertEquals(assertFailure(answer, "INTERNAL_ERROR", `${about}: ${answer.text}`), undefined);
  assertEquals([...answer.headers.keys()].sort(), FAILURE_HEADERS);
  markers.assertTellsNothing(answer, about);
  assertEquals(markers.in(JSON.stringify(world.log)), [], `${about}: in the log`);
}

/** Console output of an action. */
async function printedBy(action: () => Promise<void>): Promise<string> {
  const original = globalThis.console;
  const printed: unknown[] = [];
  const print = (...values: unknown[]) => void printed.push(...values);
  globalThis.console = new Proxy(original, { get: () => print });
  try {
    await action();
  } finally {
    globalThis.console = original;
  }
  return Deno.inspect(printed, { depth: 20 });
}

const shared = fileWorld({ catalog: CATALOG });

/** Manual changes that make the database quote rows, and the statements that undo them, if any. */
const DRIFTS: readonly (readonly [drift: string, undo: string | null])[] = [
  // Errors with the row or key in `detail`.
  [
    "alter table records add constraint nothing_fits check (title = 'fits') not valid",
    "alter table records drop constraint nothing_fits",
  ],
  ["create unique index one_title on record_revisions (title)", "drop index one_title"],
  // Message, detail and hint quote the row.
  [
    `create function quote() returns trigger language plpgsql as $$
     begin
       raise exception 'quoted %', new.title using detail = new.payload::text, hint = new.summary;
     end $$;
     create trigger quote before insert or update on records for each row execute function quote()`,
    "drop function quote cascade",
  ],
  // A notice, then an error with context.
  [
    `create function notice() returns trigger language plpgsql as $$
     begin
       raise notice 'noticed % %', new.title, new.payload;
       perform new.title::integer;
       return new;
     end $$;
     create trigger notice before insert or update on records for each row execute function notice()`,
    "drop function notice cascade",
  ],
  [
    "alter table records rename column summary to synopsis",
    "alter table records rename column synopsis to summary",
  ],
  ["alter table audit_entries rename to audit_book", null],
  ["alter table idempotency_envelopes alter column envelope type integer using 1", null],
];

for (const [index, [drift, undo]] of DRIFTS.entries()) {
  Deno.test(`A drifted schema (${index + 1}) makes writes fail without details`, async () => {
    await using own = undo === null ? await createWorld() : null;
    const world = own ?? shared();
    const caller = await world.createCaller();
    const markers = new Markers();
    const title = markers.make("the title");
    const record = await caller.create("commitment", COMMITMENT, title);
    await world.raw(drift);
    // A connection with older prepared statements may answer 503.
    await caller.call("POST", COMMITMENTS, { key: ulid(), body: { title, payload: COMMITMENT } });
    const rows = await tableCounts(world);
    const stored = await markers.inDatabase(world);
    const marked = (): JsonObject => ({
      title,
      summary: markers.make("a summary"),
      payload: { ...COMMITMENT, content: markers.make("a payload") },
    });
    const printed = await printedBy(async () => {
      const create = await caller.call("POST", COMMITMENTS, { key: ulid(), body: marked() });
      assertBareFailure(world, markers, create, "POST");
      const modify = await caller.call("PATCH", pathOf(record), { key: ulid(), body: marked() });
      assertBareFailure(world, markers, modify, "PATCH");
    });
    assertEquals(markers.in(printed), []);
    assertEquals(await tableCounts(world), rows);
    assertEquals(await markers.inDatabase(world), stored);
    if (undo !== null) await world.raw(undo);
  });
}

Deno.test("A drifted stored row makes reads fail without details", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const markers = new Markers();
  const title = markers.make("a title");
  const record = await caller.create("commitment", COMMITMENT, title);
  const key = { key: "k1", body: { title, payload: COMMITMENT } };
  assertEquals((await caller.call("POST", COMMITMENTS, key)).status, 201);
  await world.raw(`
    alter table records disable trigger user;
    alter table record_revisions disable trigger user;
    alter table idempotency_envelopes disable trigger user;
    update records set module_code = 'unknown-module';
    update record_revisions set module_code = 'unknown-module';
    update idempotency_envelopes set envelope = json_build_object('v', 2, 'note', '${title}');`);
  const path = pathOf(record);
  const calls: [string, string, JsonObject?][] = [
    ["GET", path],
    ["GET", `${path}?revision=1`],
    ["GET", `${path}/revisions`],
    ["GET", `${path}/executions`],
    ["PATCH", path, { title: markers.make("another title") }],
    ["POST", `${path}/archive`, {}],
  ];
  for (const [method, address, body] of calls) {
    const answer = await caller.call(method, address, body === undefined ? {} : { body });
    assertBareFailure(world, markers, answer, `${method} ${address}`);
  }
  assertBareFailure(world, markers, await caller.call("POST", COMMITMENTS, key), "a replay");
});

Deno.test("An unreachable database fails with HTTP_503, without its address", async () => {
  const world = shared();
  const owner = await world.createCaller();
  const markers = new Markers();
  const [user, password, name] = [1, 2, 3].map(() => markers.make("the address"));
  const database = openPostgres(`postgres://${user}:${password}@127.0.0.1:1/${name}`, 2);
  const caller = callerOf(world.again({ database }), owner);
  for (const [method, path] of [["GET", COMMITMENTS], ["POST", COMMITMENTS]] as const) {
    const answer = await caller.call(method, path);
    assertEquals(assertFailure(answer, "HTTP_503"), undefined);
    assertEquals(answer.headers.get("Retry-After"), "1");
    markers.assertTellsNothing(answer, method);
  }
  await database.close();
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});

Deno.test("A database error with its own message fails with INTERNAL_ERROR", async () => {
  const world = shared();
  const owner = await world.createCaller();
  const from = world.log.length;
  const markers = new Markers();
  const fail = () => {
    const error = new Error(markers.make("a message"));
    const detail = { detail: markers.make("a detail"), query: markers.make("a query") };
    return Promise.reject(Object.assign(error, detail, { name: "PostgresError", code: "XX000" }));
  };
  const close = () => Promise.resolve();
  const operations = { read: fail, write: fail, transaction: fail, snapshot: fail };
  const database = { ...world.database, ...operations, close };
  const caller = callerOf(world.again({ database }), owner);
  assertBareFailure(world, markers, await caller.call("GET", COMMITMENTS), "GET");
  const logged = world.log.slice(from).filter(({ level }) => level === "error");
  assertEquals(logged.map(({ error, code }) => [error, code]), [["PostgresError", "XX000"]]);
});

Deno.test("a closed database answers HTTP_503 with Retry-After and without its message", async () => {
  const world = await createWorld();
  const caller = await world.createCaller();
  const record = await caller.create("commitment", COMMITMENT);
  const markers = new Markers();
  await world[Symbol.asyncDispose]();
  const body = { title: markers.make("a title"), payload: COMMITMENT };
  for (
    const answer of [
      await caller.call("GET", pathOf(record)),
      await caller.call("POST", COMMITMENTS, { key: ulid(), body }),
      await world.call("POST", "/api/v2/auth/login", {
        body: { email: "a@b", password: markers.make("a password") },
      }),
    ]
  ) {
    assertEquals(assertFailure(answer, "HTTP_503"), undefined);
    assertEquals(answer.headers.get("Retry-After"), "1");
    markers.assertTellsNothing(answer, answer.text);
  }
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});

Deno.test("A failing executor fails without its message", async () => {
  const markers = new Markers();
  const marker = () => markers.make("an executor's word");
  const thrown = (error: unknown): StrategyExecutor => () => {
    throw error;
  };
  const cycle: JsonObject = { word: marker() };
  cycle.self = cycle;
  const handedOut = (output: unknown): StrategyExecutor => () => output as JsonObject;
  const executors: Record<string, StrategyExecutor> = {
    "throws an error": thrown(new Error(marker())),
    "throws an error with properties": thrown(
      Object.assign(new Error(marker()), { detail: marker(), where: marker(), query: marker() }),
    ),
    "throws an error with a cause": thrown(new Error(marker(), { cause: new Error(marker()) })),
    "throws many errors": thrown(new AggregateError([new Error(marker())], marker())),
    "throws a text": thrown(marker()),
    "throws an object": thrown({ code: "FORBIDDEN", message: marker(), toString: marker }),
    "throws a response": thrown(new Response(marker(), { status: 403 })),
    "hands out a cycle": handedOut(cycle),
    "hands out an accessor": handedOut({
      get word() {
        return marker();
      },
    }),
    "hands out an instance": handedOut({ when: Object.assign(new Date(), { word: marker() }) }),
    "hands out a toJSON": handedOut({ toJSON: marker }),
    "hands out a symbol": handedOut({ [Symbol(marker())]: marker() }),
    "hands out a function": handedOut({ [marker()]: marker }),
    "hands out NaN": handedOut({ [marker()]: NaN }),
    "hands out a bigint": handedOut({ [marker()]: 7n }),
    "hands out a sparse list": handedOut({ list: Object.assign([], { 2: marker() }) }),
    "hands out undefined": handedOut({ [marker()]: undefined }),
    "hands out a dangerous key": handedOut(JSON.parse(`{"__proto__":"${marker()}"}`)),
    "hands out half a character": handedOut({ text: `${marker()}\ud800` }),
    "hands out nothing": handedOut(undefined),
  };
  const world = shared();
  const owner = await world.createCaller();
  const record = await owner.create("commitment", COMMITMENT);
  const before = await tableCounts(world);
  const printed = await printedBy(async () => {
    for (const [about, analyze] of Object.entries(executors)) {
      const caller = callerOf(world.again({ executors: { analyze } }), owner);
      const answer = await caller.call("POST", `${pathOf(record)}/features/CMT-001`, {
        key: ulid(),
        body: { input: { word: markers.make("an input") } },
      });
      assertBareFailure(world, markers, answer, about);
    }
  });
  assertEquals(markers.in(printed), []);
  assertEquals(await tableCounts(world), before);
  await markers.assertLedgersTellNothing(world);
});

Deno.test("An executor's error reveals only stable names", async () => {
  const markers = new Markers();
  const analyze: StrategyExecutor = ({ input }) => {
    throw payloadInvalid(
      ["input.refused", `word ${String(input.word)}`, `prs_s_${String(input.word)}`],
      ["input", `the ${String(input.word)}`],
    );
  };
  const world = shared();
  const app = world.again({ executors: { analyze } });
  const caller = callerOf(app, await world.createCaller());
  const record = await caller.create("commitment", COMMITMENT);
  const answer = await caller.call("POST", `${pathOf(record)}/features/CMT-001`, {
    key: ulid(),
    body: { input: { word: markers.make("an input") } },
  });
  const details = assertFailure(answer, "PAYLOAD_INVALID");
  assertEquals(details, { fields: ["input"], rules: ["input.refused"] });
  markers.assertTellsNothing(answer, answer.text);
  await markers.assertLedgersTellNothing(world);
});

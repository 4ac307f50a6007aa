/** Log lines have exactly the specified fields and types. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { ERROR_CODES } from "../../src/errors/codes.ts";
import { Markers } from "../support/markers.ts";
import type { Caller, CallOptions, Json, World } from "../support/world.ts";
import { callerOf, fileWorld } from "../support/world.ts";
import { COMMITMENT, COMMITMENTS, pathOf } from "./kernel.ts";
import { remember, TEXTS } from "../families/memory/api.ts";

const shared = fileWorld();

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "OTHER"];
const STATUSES = new Set([
  200,
  201,
  202,
  204,
  206,
  304,
  ...Object.values(ERROR_CODES).map(({ status }) => status),
]);

type Check = (value: unknown) => boolean;
const matches = (pattern: RegExp): Check => (value) =>
  typeof value === "string" && pattern.test(value);
const isNull: Check = (value) => value === null;
const either = (...checks: Check[]): Check => (value) => checks.some((check) => check(value));

function schemaOf(world: World): Record<string, Record<string, Check>> {
  const patterns = new Set<unknown>(["none", ...world.app.routes.map(({ path }) => path)]);
  const common = { at: matches(TIME), event: () => true, requestId: matches(ULID) };
  return {
    request: {
      ...common,
      level: (value) => value === "info",
      method: (value) => METHODS.includes(String(value)),
      route: (value) => patterns.has(value),
      status: (value) => STATUSES.has(Number(value)),
      durationMs: (value) => typeof value === "number" && value >= 0,
      ownerId: either(isNull, matches(ULID)),
    },
    unavailable: {
      ...common,
      level: (value) => value === "warn",
      error: matches(/^\w{1,40}$/),
      code: either(isNull, matches(/^\w{1,40}$/)),
      unreported: (value) => typeof value === "number",
    },
    unexpected_error: {
      ...common,
      level: (value) => value === "error",
      error: matches(/^\w{1,40}$/),
      code: either(isNull, matches(/^\w{1,40}$/)),
      constraint: either(isNull, matches(/^\w{1,64}$/)),
    },
  };
}

function assertLine(schema: ReturnType<typeof schemaOf>, line: Json): void {
  const fields = schema[line.event];
  assert(fields !== undefined, `No such event: ${JSON.stringify(line)}`);
  assertEquals(Object.keys(line).toSorted(), Object.keys(fields).toSorted());
  for (const [name, check] of Object.entries(fields)) {
    assert(check(line[name]), `${name} of ${JSON.stringify(line)}`);
  }
}

/** Marked text everywhere in requests. */
async function runWide(world: World, owner: Caller, markers: Markers): Promise<void> {
  const word = (purpose: string) => markers.make(purpose);
  const headers = {
    "User-Agent": word("a user agent"),
    "Cookie": `${word("a cookie's name")}=${word("a cookie")}`,
    "X-Request-Id": `${word("a request id")} with a space`,
    "X-Forwarded-For": word("an address"),
    "Referer": `https://elsewhere.example/${word("a referrer")}`,
  };
  const dueAt = `2026-01-01T00:00:00Z[${markers.zone("a zone")}]`;
  const payload = { ...COMMITMENT, content: word("content"), notes: word("notes"), dueAt };
  const key = word("a key");
  const record = await owner.create("commitment", payload, word("a title"));
  await remember(owner, { originalContent: word("a memory") });
  const calls: [string, string, CallOptions?][] = [
    ["GET", COMMITMENTS],
    ["GET", `${COMMITMENTS}?${word("a parameter")}=${word("a value")}`],
    ["GET", `${COMMITMENTS}?filter[dueAt]=${encodeURIComponent(dueAt)}`],
    ["GET", pathOf(record)],
    ["HEAD", pathOf(record)],
    ["GET", `${COMMITMENTS}/${word("an identifier")}`],
    ["GET", `/${word("a path")}`],
    [word("a method").toUpperCase(), COMMITMENTS],
    ["POST", COMMITMENTS, { key, body: { title: word("again"), payload } }],
    ["POST", COMMITMENTS, { key, body: { title: word("another"), payload } }],
    ["POST", COMMITMENTS, { key: ulid(), body: { [word("a field")]: word("a wrong value") } }],
    ["POST", COMMITMENTS, { key: ulid(), raw: word("no JSON") }],
    ["PATCH", pathOf(record), { body: { title: word("late"), expectedRevision: 9 } }],
    ["POST", `${pathOf(record)}/archive`, { body: {} }],
    ["POST", "/api/v2/auth/login", { body: { email: word("an email"), password: word("one") } }],
    ["GET", TEXTS],
    ["GET", "/healthz"],
    ["GET", "/readyz"],
    ["OPTIONS", COMMITMENTS],
  ];
  for (const [method, path, options = {}] of calls) {
    for (const caller of [owner, world]) {
      const all = { ...headers, ...options.headers };
      await caller.call(method, path, { ...options, headers: all, peer: "192.0.2.77" });
    }
  }
  const stranger = { Authorization: `Bearer ${word("a secret")}` };
  await world.call("GET", COMMITMENTS, { headers: stranger });
}

Deno.test("Every log line has the specified fields, and no value that was sent", async () => {
  const world = shared();
  const caller = await world.createCaller();
  const markers = new Markers();
  await runWide(world, caller, markers);
  const schema = schemaOf(world);
  for (const line of world.log) assertLine(schema, line);
  const text = JSON.stringify(world.log);
  assertEquals(markers.in(text), []);
  for (const sent of [caller.secret, "192.0.2.77"]) assert(!text.includes(sent), sent);
  // One line per request, with its own id.
  const lines = world.log.filter(({ event }) => event === "request");
  assertEquals(new Set(lines.map(({ requestId }) => requestId)).size, lines.length);
  const statuses = new Set(lines.map(({ status }) => status));
  for (const status of [200, 201, 400, 401, 404, 405, 409]) assert(statuses.has(status));
});

Deno.test("An internal failure adds one line, with only its class and code", async () => {
  const world = shared();
  const owner = await world.createCaller();
  const markers = new Markers();
  const error = Object.assign(new Error(markers.make("a message")), {
    name: "PostgresError",
    code: "23514",
    constraint_name: "record_title_length",
    detail: markers.make("a detail"),
  });
  const fail = () => Promise.reject(error);
  const database = { ...world.database, write: fail };
  const caller = callerOf(world.again({ database }), owner);
  const from = world.log.length;
  const body = { title: markers.make("a title"), payload: COMMITMENT };
  assertEquals((await caller.call("POST", COMMITMENTS, { key: ulid(), body })).status, 500);
  const lines = world.log.slice(from);
  assertEquals(lines.map(({ event }) => event), ["unexpected_error", "request"]);
  for (const line of lines) assertLine(schemaOf(world), line);
  assertEquals(lines[0].requestId, lines[1].requestId);
  assertEquals(markers.in(JSON.stringify(lines)), []);
});

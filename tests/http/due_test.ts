/** `GET /due`: items, order, readers and range. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { decide, decisionPath } from "../families/decision/api.ts";
import { withPermissions } from "../families/memory/api.ts";
import { READY_SECONDS, readyProposal } from "../families/relationship/evaluation.ts";
import {
  contact,
  control,
  createPerson,
  detail,
  evidence,
  move,
  withoutSecrets,
} from "../families/relationship/api.ts";
import { type Caller, createWorld, fileWorld, type Json, sharedWorld } from "../support/world.ts";
import { ACTION, COMMITMENT, DUE, ROUTINE } from "./calendar.ts";
import { assertInvalid, pathOf, readPage, walkPages } from "./kernel.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

const world = sharedWorld();

const at = (days: number, now = world().now()) =>
  new Date(now.getTime() + days * DAY_MS).toISOString();

async function dueOf(caller: Caller, range: Record<string, string> = {}): Promise<Json[]> {
  return (await walkPages(caller, DUE, { limit: "2", ...range })).flat();
}

const titles = async (caller: Caller, range: Record<string, string> = {}) =>
  (await dueOf(caller, range)).map(({ title }) => title);

function commitment(caller: Caller, title: string, payload: JsonObject): Promise<Json> {
  return caller.create("commitment", { ...COMMITMENT, ...payload }, title);
}

/** One item of each kind, in the order of the list. */
async function oneOfEach(caller: Caller): Promise<Json> {
  const made: Json = {};
  made.COMMITMENT = await commitment(caller, "Ladder", { dueAt: at(-2) });
  made.ACTION = await caller.create("action", { ...ACTION, targetDate: at(1) }, "Fence");
  made.ROUTINE = await caller.create("routine", { ...ROUTINE, nextDueAt: at(1) }, "Bins");
  made.DECISION_REVIEW = await decide(caller, { question: "Move?", reviewAt: at(1) });
  made.CONTACT = await createPerson(caller, { personName: "Ana", desiredContactIntervalDays: 3 });
  made.person = await createPerson(caller, { personName: "Lena" });
  const value = { what: "BIRTHDAY", date: `1984-${at(2).slice(5, 10)}` };
  made.DATE = await detail(caller, made.person, { kind: "DATE", value });
  return made;
}

Deno.test("Each kind of thing is due in the order of time, then of kind", async () => {
  const caller = await world().createCaller();
  const made = await oneOfEach(caller);
  const item = (kind: string, moduleCode: string, more: JsonObject) => ({
    kind,
    moduleCode,
    recordId: made[kind].recordId,
    sourceId: null,
    what: null,
    label: null,
    years: null,
    date: null,
    overdue: false,
    alarm: true,
    ...more,
  });
  const contactAt = new Date(Date.parse(made.CONTACT.createdAt) + 3 * DAY_MS).toISOString();
  assertEquals(await dueOf(caller), [
    item("COMMITMENT", "commitment", { title: "Ladder", at: at(-2), overdue: true }),
    item("ACTION", "action", { title: "Fence", at: at(1) }),
    item("DECISION_REVIEW", "decision", {
      recordId: made.DECISION_REVIEW.decisionId,
      title: "Move?",
      at: at(1),
    }),
    item("ROUTINE", "routine", { title: "Bins", at: at(1) }),
    item("DATE", "relationship", {
      recordId: made.person.personId,
      sourceId: made.DATE.detailId,
      title: "Lena",
      what: "BIRTHDAY",
      years: Number(at(2).slice(0, 4)) - 1984,
      at: null,
      date: at(2).slice(0, 10),
    }),
    item("CONTACT", "relationship", {
      recordId: made.CONTACT.personId,
      title: "Ana",
      at: contactAt,
      alarm: false,
    }),
  ]);
});

Deno.test("What is done, archived or without a time is not due", async () => {
  const caller = await world().createCaller();
  const made = await oneOfEach(caller);
  for (const completionStatus of ["IN_PROGRESS", "RENEGOTIATED"]) {
    await commitment(caller, completionStatus, { completionStatus, dueAt: at(3) });
  }
  for (const completionStatus of ["COMPLETED", "BROKEN", "CANCELLED"]) {
    await commitment(caller, completionStatus, { completionStatus, dueAt: at(1) });
  }
  await commitment(caller, "no time", {});
  for (const actionStatus of ["ON_HOLD", "COMPLETED", "ABANDONED"]) {
    await caller.create("action", { ...ACTION, actionStatus, targetDate: at(1) }, actionStatus);
  }
  await caller.create("routine", { ...ROUTINE, active: false, nextDueAt: at(1) }, "inactive");
  const { recordId } = await commitment(caller, "archived", { dueAt: at(1) });
  const archive = `/api/v2/records/commitment/${recordId}/archive`;
  assertEquals((await caller.call("POST", archive, { key: ulid(), body: {} })).status, 200);
  assertEquals((await titles(caller)).length, 8);

  const path = pathOf(made.COMMITMENT);
  const payload = { completionStatus: "COMPLETED" };
  assertEquals((await caller.call("PATCH", path, { body: { payload } })).status, 200);
  await caller.call("PATCH", decisionPath(made.DECISION_REVIEW), {
    key: ulid(),
    body: { expectedRevision: 1, set: { actualOutcome: "It went well" } },
  });
  await contact(caller, made.CONTACT, { contactedAt: at(0) });
  await move(caller, made.person, "archive");
  const left = (await titles(caller)).filter((title) => title !== "Ana");
  assertEquals(left.sort(), ["Bins", "Fence", "IN_PROGRESS", "RENEGOTIATED"]);
  assertEquals((await titles(caller)).includes("Ana"), true);
  await move(caller, made.CONTACT, "PAUSED");
  assertEquals((await titles(caller)).includes("Ana"), false);
});

Deno.test("A date returns each year, on 28 February in years without the 29th", async () => {
  const caller = await world().createCaller();
  const known = await createPerson(caller, { personName: "Lena" });
  const dateOf = (what: string, date: string, more: JsonObject = {}) =>
    detail(caller, known, { kind: "DATE", value: { what, date }, ...more });
  await dateOf("BIRTHDAY", "1984-02-29");
  await dateOf("ANNIVERSARY", "--02-28");
  await dateOf("DEATH", "2027-06-01");
  await dateOf("DEATH", "2028-06-01");
  for (const what of ["MET", "OTHER"]) await dateOf(what, "2001-03-01");
  await dateOf("BIRTHDAY", "1984");
  await control(caller, await dateOf("BIRTHDAY", "1990-03-02"), { kind: "RETRACTED" });
  const days = async (from: string, until: string) =>
    (await dueOf(caller, { from, until })).map(({ what, date }) => `${date} ${what}`).sort();
  assertEquals(await days("2026-02-01T00:00:00Z", "2027-06-02T00:00:00Z"), [
    "2026-02-28 ANNIVERSARY",
    "2026-02-28 BIRTHDAY",
    "2027-02-28 ANNIVERSARY",
    "2027-02-28 BIRTHDAY",
    "2027-06-01 DEATH",
  ]);
  // Half-open, by the midnight in UTC.
  assertEquals(await days("2027-06-01T00:00:00.001Z", "2027-07-01T00:00:00Z"), []);
  assertEquals(await days("2027-05-01T00:00:00Z", "2027-06-01T00:00:00Z"), []);
  assertEquals((await days("2027-05-01T00:00:00Z", "2027-06-01T02:00:00.001+02:00")).length, 1);
  // 400 days back from now, and no further.
  assertEquals(await days("2000-01-01T00:00:00Z", "2026-02-28T00:00:00.001Z"), [
    "2026-02-28 ANNIVERSARY",
    "2026-02-28 BIRTHDAY",
  ]);

  const leaping = await createWorld();
  await using _ = leaping;
  leaping.advance(DAY_MS * 365);
  const other = await leaping.createCaller();
  const born = await createPerson(other);
  await detail(other, born, { kind: "DATE", value: { what: "BIRTHDAY", date: "--02-29" } });
  const range = { from: "2028-02-01T00:00:00Z", until: "2028-03-01T00:00:00Z" };
  assertEquals((await dueOf(other, range)).map(({ date }) => date), ["2028-02-29"]);
});

Deno.test("After the day of a death no contact is due, however old it is", async () => {
  const caller = await world().createCaller();
  const dayOf = (days: number) => at(days).slice(0, 10);
  // The days of the death and of the contact from now.
  for (const [death, due] of [[-1, -9], [0, -9], [0, 1], [5, 5], [5, 4], [4, 5]] as const) {
    const known = await createPerson(caller, {
      personName: `${death} ${due}`,
      lastContactAt: at(due - 20),
      desiredContactIntervalDays: 20,
    });
    const value = { what: "DEATH", date: dayOf(death) };
    await detail(caller, known, { kind: "DATE", value, privacy: "SECRET" });
  }
  assertEquals(await titles(caller), ["0 -9", "5 4", "5 5"]);
});

Deno.test("A proposal is due until it ends", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const known = await createPerson(caller, { personName: "Lena" });
  await evidence(caller, known);
  const proposal = await readyProposal(own, caller, known);
  const ends = new Date(own.now().getTime() + READY_SECONDS * 1000).toISOString();
  const [item] = await dueOf(caller);
  assertEquals(item, {
    kind: "PROPOSAL",
    moduleCode: "relationship",
    recordId: known.personId,
    sourceId: proposal.proposalId,
    title: "Lena",
    what: null,
    label: null,
    years: null,
    at: ends,
    date: null,
    overdue: false,
    alarm: false,
  });
  own.advance(READY_SECONDS * 1000);
  assertEquals(await dueOf(caller), []);
});

Deno.test("A kind whose permission is missing is left out, and SECRET dates with theirs", async () => {
  const caller = await world().createCaller();
  const made = await oneOfEach(caller);
  const kinds = async (...permissions: Parameters<typeof withPermissions>[2][]) => {
    const reader = await withPermissions(world(), caller, ...permissions);
    return (await dueOf(reader)).map(({ kind }) => kind);
  };
  const generic = ["COMMITMENT", "ACTION", "ROUTINE"];
  assertEquals(await kinds("record.read"), generic);
  assertEquals(await kinds("record.read", "relationship.person.read"), [...generic, "CONTACT"]);
  assertEquals(await kinds("record.read", "relationship.ledger.read"), [...generic, "DATE"]);
  assertEquals(
    await kinds("record.read", "decision.read"),
    ["COMMITMENT", "ACTION", "DECISION_REVIEW", "ROUTINE"],
  );
  const without = await withPermissions(world(), caller, "decision.read");
  assertEquals((await without.call("GET", DUE)).status, 403);

  await control(caller, made.DATE, { kind: "PRIVACY_RECLASSIFIED", privacy: "SECRET" });
  const blind = await withoutSecrets(world(), caller);
  assert((await dueOf(blind)).every(({ kind }) => kind !== "DATE"));
  assertEquals((await dueOf(caller)).filter(({ kind }) => kind === "DATE").length, 1);
  const { items } = await readPage(caller, "/api/v2/audit", { kind: "access" });
  assert(items.some(({ event }) => event === "SECRET_READ"));
});

Deno.test("The range is half-open, at most 400 days ahead, and checked", async () => {
  const caller = await world().createCaller();
  for (const days of [-500, -1, 0, 7, 100]) {
    await commitment(caller, String(days), { dueAt: at(days) });
  }
  assertEquals(await titles(caller), ["-500", "-1", "0"]);
  assertEquals(await titles(caller, { until: at(0) }), ["-500", "-1"]);
  assertEquals(await titles(caller, { from: at(-1), until: at(7) }), ["-1", "0"]);
  assertEquals(await titles(caller, { from: at(0), until: at(400) }), ["0", "7", "100"]);
  const refusals: readonly [Record<string, string>, string, string[]][] = [
    [{ until: at(400.00001) }, "due.range", ["from", "until"]],
    [{ from: at(7) }, "due.range", ["from", "until"]],
    [{ from: at(1), until: at(1) }, "due.range", ["from", "until"]],
    [{ until: "2026-11-21" }, "field.datetime", ["until"]],
    [{ from: "2026-11-20T12:00:00" }, "field.datetime", ["from"]],
    [{ limit: "101" }, "field.range", ["limit"]],
    [{ counts: "yes" }, "field.option", ["counts"]],
    ...["", "date", "DATE,DATE", "DATE,", "DATE, CONTACT", ",".repeat(200_000)].map((
      kinds,
    ): [Record<string, string>, string, string[]] => [{ kinds }, "due.kinds", ["kinds"]]),
    [{ kind: "DATE" }, "undeclared_field", ["kind"]],
  ];
  for (const [range, rule, fields] of refusals) {
    const query = String(new URLSearchParams(range));
    assertInvalid(await caller.call("GET", `${DUE}?${query}`), [rule], fields, query);
  }
});

Deno.test("A list of some kinds has only these, and its first page counts what is overdue", async () => {
  const caller = await world().createCaller();
  await oneOfEach(caller);
  for (const days of [-3, -4]) await commitment(caller, String(days), { dueAt: at(days) });
  const late = await caller.create("action", { ...ACTION, targetDate: at(-1) }, "Late");
  const kinds = "ACTION,DATE,COMMITMENT";
  const page = async (query: Record<string, string>, reader = caller) =>
    (await reader.call("GET", `${DUE}?${new URLSearchParams(query)}`)).body.data;
  assertEquals(
    (await dueOf(caller, { kinds })).map(({ kind }) => kind),
    ["COMMITMENT", "COMMITMENT", "COMMITMENT", "ACTION", "ACTION", "DATE"],
  );
  const first = await page({ kinds, counts: "true", limit: "1" });
  assertEquals(first.counts, { overdue: 4, oldest: at(-4), more: false });
  const { nextCursor: cursor } = first;
  assertEquals(Object.hasOwn(await page({ kinds, counts: "true", cursor }), "counts"), false);
  for (const others of [{}, { kinds: "COMMITMENT,DATE,ACTION" }]) {
    const query = new URLSearchParams({ ...others, cursor });
    const response = await caller.call("GET", `${DUE}?${query}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
  // Counts depend on the kinds and on the reader, not on the range.

  const none = { overdue: 0, oldest: null, more: false };
  const counts = async (query: Record<string, string>, reader = caller) =>
    (await page({ counts: "true", ...query }, reader)).counts;
  assertEquals(await counts({ kinds: "ACTION", from: at(2) }), {
    overdue: 1,
    oldest: late.payload.targetDate,
    more: false,
  });
  assertEquals(await counts({ kinds: "DATE,PROPOSAL,ROUTINE" }), none);
  const blind = await withPermissions(world(), caller, "record.read");
  assertEquals(await counts({ kinds: "DECISION_REVIEW,CONTACT" }, blind), none);
  assertEquals((await page({ kinds: "CONTACT" }, blind)).items, []);
});

Deno.test("A cursor keeps the moment of the first page, and is for its range and owner", async () => {
  const own = apart();
  const caller = await own.createCaller();
  for (const days of [1, 2, 6.9, 7.5]) {
    await commitment(caller, String(days), { dueAt: at(days, own.now()) });
  }
  const first = await readPage(caller, DUE, { limit: "1" });
  own.advance(DAY_MS);
  const cursor = String(first.nextCursor);
  const rest = await readPage(caller, DUE, { cursor });
  assertEquals(rest.items.map(({ title }) => title), ["2", "6.9"]);
  assertEquals(rest.nextCursor, null);
  const unknown = [
    [caller, { cursor, until: at(7, own.now()) }],
    [caller, { cursor, from: at(-7, own.now()) }],
    [await own.createCaller(), { cursor }],
    [caller, { cursor: "x" }],
  ] as const;
  for (const [reader, query] of unknown) {
    const response = await reader.call("GET", `${DUE}?${new URLSearchParams(query)}`);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
});

Deno.test("Pages of any length have the same things once, also those due at one instant", async () => {
  const caller = await world().createCaller();
  const midnight = `${at(3).slice(0, 10)}T00:00:00.000Z`;
  for (let copy = 0; copy < 3; copy++) {
    await commitment(caller, `c${copy}`, { dueAt: midnight });
    await caller.create("routine", { ...ROUTINE, nextDueAt: midnight }, `r${copy}`);
    await caller.create("action", { ...ACTION, targetDate: midnight }, `a${copy}`);
    const known = await createPerson(caller, { personName: `p${copy}` });
    for (const what of ["BIRTHDAY", "ANNIVERSARY"]) {
      const value = { what, date: `--${midnight.slice(5, 10)}` };
      await detail(caller, known, { kind: "DATE", value });
    }
  }
  const whole = (await walkPages(caller, DUE)).flat();
  const keys = whole.map(({ kind, recordId, sourceId }) => `${kind} ${recordId} ${sourceId}`);
  assertEquals(keys, keys.toSorted());
  assertEquals(whole.length, 15);
  for (const limit of ["1", "2", "4", "7"]) {
    assertEquals((await walkPages(caller, DUE, { limit })).flat(), whole, limit);
  }
});

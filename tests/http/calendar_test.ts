/** `GET /calendar/{secret}/{name}.ics`: the calendar's headers, lines and bytes. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { gunzipSync } from "node:zlib";
import { DAY_MS } from "../../src/core/clock.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { decide } from "../families/decision/api.ts";
import { createPerson, detail, evidence } from "../families/relationship/api.ts";
import { READY_SECONDS, readyProposal } from "../families/relationship/evaluation.ts";
import { type Caller, fileWorld, type Json, ORIGIN } from "../support/world.ts";
import {
  ACTION,
  COMMITMENT,
  componentsOf,
  DUE,
  linesOf,
  makeFeed,
  pathOfFeed,
  readCalendar,
  ROUTINE,
} from "./calendar.ts";
import { assertFailure, pathOf, walkPages } from "./kernel.ts";

/** A world whose clock and limits are used up. */
const apart = fileWorld();

/** Its clock moves by whole days only. */
const world = fileWorld();
const inDays = (days: number) => new Date(world().now().getTime() + days * DAY_MS).toISOString();
/** A time in the basic form, to the second. */
const basic = (time: string) => time.replaceAll(/[-:]|\.\d+/g, "");

function commitment(caller: Caller, title: string, payload: JsonObject): Promise<Json> {
  return caller.create("commitment", { ...COMMITMENT, ...payload }, title);
}

Deno.test("A calendar has its name, one event for each thing, and nothing else", async () => {
  const caller = await world().createCaller();
  const title = "Ladder; from Ana, back\\forth";
  const made = await commitment(caller, title, { dueAt: "2026-11-21T08:30:59.999Z" });
  const payload = { reliabilityImpact: 1 };
  const { body } = await caller.call("PATCH", pathOf(made), { body: { payload } });
  const feed = await makeFeed(world(), caller, {
    name: "Mine, all\u2028of it",
    alarms: { timed: [15, 0], allDay: null },
  });
  const response = await world().call("GET", pathOfFeed(feed));
  const changed = basic(body.data.updatedAt);
  const summary = "Ladder\\; from Ana\\, back\\\\forth";
  const alarm = (trigger: string) => [
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${summary}`,
    `TRIGGER:${trigger}`,
    "END:VALARM",
  ];
  assertEquals(linesOf(response.text), [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Personal Records Service//What is due//EN",
    "NAME:Mine\\, all of it",
    "X-WR-CALNAME:Mine\\, all of it",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "BEGIN:VEVENT",
    `UID:${made.recordId}-COMMITMENT@prs`,
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    "SEQUENCE:1",
    "DTSTART:20261121T083059Z",
    "DTEND:20261121T084559Z",
    `SUMMARY:${summary}`,
    "CLASS:PRIVATE",
    "TRANSP:TRANSPARENT",
    `URL:${ORIGIN}/console/records/commitment/${made.recordId}`,
    ...alarm("PT0S"),
    ...alarm("-PT15M"),
    "END:VEVENT",
    "END:VCALENDAR",
  ]);
  const headers = Object.fromEntries(response.headers);
  const { etag, "x-request-id": _, ...others } = headers;
  assertMatch(String(etag), /^"[0-9a-f]{64}"$/);
  assertEquals(others, {
    "cache-control": "private, max-age=900",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "content-type": "text/calendar; charset=utf-8",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "vary": "Accept-Encoding",
    "x-content-type-options": "nosniff",
  });
});

/** One item of each kind, and the end of the proposal. */
async function everything(caller: Caller) {
  const action = await caller.create("action", { ...ACTION, targetDate: inDays(1) }, "Fence");
  const ladder = await commitment(caller, "Ladder", { dueAt: inDays(2) });
  const routine = await caller.create("routine", { ...ROUTINE, nextDueAt: inDays(3) }, "Bins");
  const decision = await decide(caller, { question: "Move?", reviewAt: inDays(4) });
  const ana = await createPerson(caller, { personName: "Ana", desiredContactIntervalDays: 5 });
  const otto = await createPerson(caller, { personName: "Otto" });
  const dateOf = (person: Json, what: string, date: string, more: JsonObject = {}) =>
    detail(caller, person, { kind: "DATE", value: { what, date }, ...more });
  const birthday = await dateOf(ana, "BIRTHDAY", "1984-12-10");
  await dateOf(ana, "ANNIVERSARY", "--12-11");
  await dateOf(otto, "DEATH", "2020-12-12");
  await dateOf(ana, "BIRTHDAY", "--12-13", { privacy: "SECRET" });
  const lena = await createPerson(caller, { personName: "Lena" });
  await evidence(caller, lena);
  const proposal = await readyProposal(world(), caller, lena);
  return { action, commitment: ladder, routine, ana, birthday, decision, otto, lena, proposal };
}

Deno.test("Each kind has its UID, summary, address and alarms", async () => {
  const caller = await world().createCaller();
  const made = await everything(caller);
  const alarms = { timed: [40_320], allDay: "09:30" };
  const feed = await makeFeed(world(), caller, { alarms });
  const events = componentsOf(await readCalendar(world(), feed), "VEVENT");
  const valueOf = (lines: readonly string[], name: string) =>
    lines.find((line) => line.startsWith(name))?.slice(name.length + 1);
  const shown = events.map((lines) => [
    valueOf(lines, "SUMMARY"),
    valueOf(lines, "TRIGGER"),
    valueOf(lines, "URL")?.replace(`${ORIGIN}/console/`, ""),
  ]);
  const records = (record: Json) => `records/${record.moduleCode}/${record.recordId}`;
  const people = `people/${made.ana.personId}`;
  const month = "-PT40320M";
  const daysOf = (year: number) => [
    [`Birthday: Ana (${year - 1984})`, "PT9H30M", people],
    ["Anniversary: Ana", "PT9H30M", people],
    [`Day of death: Otto (${year - 2020})`, "PT9H30M", `people/${made.otto.personId}`],
  ];
  const expected = [
    ["Proposal ends: Lena", undefined, `people/${made.lena.personId}`],
    ["Fence", month, records(made.action)],
    ["Ladder", month, records(made.commitment)],
    ["Bins", month, records(made.routine)],
    ["Move?", month, `decisions/${made.decision.decisionId}`],
    ["Contact: Ana", undefined, people],
    ...daysOf(2026),
    ...daysOf(2027),
  ];
  assertEquals(shown, expected);
  const uids = events.map((lines) => valueOf(lines, "UID"));
  assertEquals(uids[0], `${made.proposal.proposalId}-PROPOSAL@prs`);
  assertEquals(uids[5], `${made.ana.personId}-CONTACT@prs`);
  assertEquals(uids[6], `${made.birthday.detailId}-DATE-2026@prs`);
  assertEquals(uids[9], `${made.birthday.detailId}-DATE-2027@prs`);
  assertEquals(events[6]?.slice(3, 6), [
    "SEQUENCE:1",
    "DTSTART;VALUE=DATE:20261210",
    "DTEND;VALUE=DATE:20261211",
  ]);
  assertEquals(events[6]?.[1], `DTSTAMP:${basic(made.birthday.recordedAt)}`);
  const ends = new Date(world().now().getTime() + READY_SECONDS * 1000).toISOString();
  assertEquals(events[0]?.[4], `DTSTART:${basic(ends)}`);
  assertEquals(events[0]?.[3], "SEQUENCE:1");

  // The list for a caller who may read all dates except SECRET ones.
  const listed = (await walkPages(caller, DUE, { until: inDays(30) })).flat();
  assertEquals(listed.filter(({ what }: Json) => what === "BIRTHDAY").length, 2);

  const busy = await makeFeed(world(), caller, { detail: "BUSY" });
  const calendar = await readCalendar(world(), busy);
  assert(!/Ana|Lena|Fence|Ladder|Bins|Move/.test(calendar));
  assertEquals(componentsOf(calendar, "VALARM"), []);
  assertEquals(
    componentsOf(calendar, "VEVENT").map((lines) => valueOf(lines, "SUMMARY")).slice(0, 7),
    [
      "Proposal ends",
      "Action due",
      "Commitment due",
      "Routine due",
      "Decision review",
      "Contact due",
      "Date",
    ],
  );
  const few = await makeFeed(world(), caller, { kinds: ["DATE", "ACTION"] });
  assertEquals(componentsOf(await readCalendar(world(), few), "VEVENT").length, 7);
});

Deno.test("Tasks have a DUE, a status, and alarms relative to it", async () => {
  const caller = await world().createCaller();
  const made = await everything(caller);
  const feed = await makeFeed(world(), caller, {
    kinds: ["ACTION", "DATE"],
    timeZone: "Europe/Berlin",
    alarms: { timed: [0], allDay: "00:00" },
  });
  const path = pathOfFeed(feed);
  const calendar = await readCalendar(world(), feed, "?todo=true");
  const todos = componentsOf(calendar, "VTODO");
  assertEquals(componentsOf(calendar, "VEVENT"), []);
  assertEquals(todos[0]?.slice(3), [
    "SEQUENCE:0",
    "DUE;TZID=Europe/Berlin:20261121T130000",
    "SUMMARY:Fence",
    "CLASS:PRIVATE",
    "STATUS:NEEDS-ACTION",
    `URL:${ORIGIN}/console/records/action/${made.action.recordId}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "DESCRIPTION:Fence",
    "TRIGGER;RELATED=END:PT0S",
    "END:VALARM",
  ]);
  assertEquals(todos[1]?.[4], "DUE;VALUE=DATE:20261210");
  assert(todos[1]?.includes("TRIGGER;RELATED=END:PT0S"));
  const events = await readCalendar(world(), feed, "?todo=false");
  assertEquals(events, await readCalendar(world(), feed));
  const tags = await Promise.all(
    ["", "?todo=true"].map(async (query) =>
      (await world().call("GET", `${path}${query}`)).headers.get("ETag")
    ),
  );
  assertNotEquals(tags[0], tags[1]);
});

Deno.test("Equal data gives equal bytes within a day and after a restart, and a 304", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const dueAt = new Date(own.now().getTime() + DAY_MS / 24).toISOString();
  const made = await commitment(caller, "Ladder", { dueAt });
  const feed = await makeFeed(own, caller, { timeZone: "America/New_York" });
  const path = pathOfFeed(feed);
  const first = await own.call("GET", path);
  own.advance(2 * DAY_MS / 24);
  const again = await own.again().fetch(new Request(`${ORIGIN}${path}`));
  assertEquals(await again.text(), first.text);
  const tag = String(first.headers.get("ETag"));
  for (const method of ["GET", "HEAD"]) {
    const known = await own.call(method, path, { headers: { "If-None-Match": `"x", ${tag}` } });
    assertEquals([known.status, known.text, known.headers.get("ETag")], [304, "", tag]);
    assertEquals(known.headers.get("Cache-Control"), "private, max-age=900");
  }
  const head = await own.call("HEAD", path);
  const length = new TextEncoder().encode(first.text).length;
  assertEquals(head.headers.get("Content-Length"), String(length));
  for (const [name, value] of first.headers) {
    if (name !== "x-request-id") assertEquals(head.headers.get(name), value);
  }
  const payload = { completionStatus: "COMPLETED" };
  await caller.call("PATCH", pathOf(made), { body: { payload } });
  const changed = await own.call("GET", path, { headers: { "If-None-Match": tag } });
  assertEquals(changed.status, 200);
  assertEquals(componentsOf(changed.text, "VEVENT"), []);
});

Deno.test("The window begins 30 days before today and ends 400 days after it", async () => {
  const caller = await world().createCaller();
  const today = Date.parse(`${world().now().toISOString().slice(0, 10)}T00:00:00Z`);
  const near = (milliseconds: number) => new Date(today + milliseconds).toISOString();
  for (
    const [title, time] of [
      ["too early", near(-30 * DAY_MS - 1)],
      ["first", near(-30 * DAY_MS)],
      ["last", near(400 * DAY_MS - 1)],
      ["too late", near(400 * DAY_MS)],
    ] as const
  ) await commitment(caller, title, { dueAt: time });
  const calendar = await readCalendar(world(), await makeFeed(world(), caller));
  assertEquals(linesOf(calendar).filter((line) => line.startsWith("SUMMARY:")), [
    "SUMMARY:first",
    "SUMMARY:last",
  ]);
});

Deno.test("Times are local but for the first of two equal ones", async () => {
  const caller = await world().createCaller();
  // In Berlin the clocks go back at 01:00 in UTC.
  const times = ["2027-10-30T23:59:59Z", "2027-10-31T00:00:00Z", "2027-10-31T01:59:59Z"];
  for (const dueAt of [...times, "2027-10-31T02:00:00Z"]) await commitment(caller, "x", { dueAt });
  const later = apart();
  const feed = await makeFeed(world(), caller, { timeZone: "Europe/Berlin" });
  const calendar = await readCalendar(world(), feed);
  assertEquals(linesOf(calendar).filter((line) => /^DTSTART.*2027103/.test(line)).slice(-4), [
    // Its end is the first of two equal times.
    "DTSTART:20271030T235959Z",
    "DTSTART:20271031T000000Z",
    "DTSTART;TZID=Europe/Berlin:20271031T025959",
    "DTSTART;TZID=Europe/Berlin:20271031T030000",
  ]);
  assertEquals(componentsOf(calendar, "VTIMEZONE").length, 1);
  const other = await later.createCaller();
  await commitment(other, "x", { dueAt: "2027-10-31T00:30:00Z" });
  const zoned = await makeFeed(later, other, { timeZone: "Europe/Berlin" });
  assertEquals(componentsOf(await readCalendar(later, zoned), "VTIMEZONE"), []);
});

Deno.test("A feed shows what its account may read today, and nothing without record.read", async () => {
  const own = apart();
  const caller = await own.createCaller("OWNER");
  await commitment(caller, "Ladder", { dueAt: inDays(1) });
  await createPerson(caller, { personName: "Ana", desiredContactIntervalDays: 5 });
  const feed = await makeFeed(own, caller);
  const summaries = async () =>
    linesOf(await readCalendar(own, feed)).filter((line) => line.startsWith("SUMMARY"));
  assertEquals(await summaries(), ["SUMMARY:Ladder", "SUMMARY:Contact: Ana"]);
  const become = (role: string) =>
    own.raw(`update accounts set role = ${role} where account_id = '${caller.accountId}'`);
  await become("'SERVICE'");
  assertEquals(await summaries(), []);
  const grant = (name: string) =>
    own.raw(`
      insert into account_permissions (account_id, permission_id)
      select '${caller.accountId}', permission_id from permissions where name = '${name}'`);
  await grant("platform.operate");
  await grant("record.read");
  assertEquals(await summaries(), ["SUMMARY:Ladder"]);
  await become("null");
  assertEquals(await summaries(), []);
});

Deno.test("Another account's feed shows nothing of this one", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  await everything(caller);
  const calendar = await readCalendar(world(), await makeFeed(world(), other));
  assertEquals(componentsOf(calendar, "VEVENT"), []);
  assertFailure(await world().call("GET", "/calendar/x.ics"), "HTTP_404");
});

Deno.test("A calendar is compressed if its reader accepts it, with a tag of its own", async () => {
  const caller = await world().createCaller();
  await commitment(caller, "Ladder", { dueAt: inDays(1) });
  const path = pathOfFeed(await makeFeed(world(), caller));
  const read = (headers: Record<string, string>, method = "GET") =>
    world().app.fetch(new Request(`${ORIGIN}${path}`, { method, headers }));
  const plain = await read({});
  const text = await plain.text();
  const tags = [String(plain.headers.get("ETag"))];
  for (const accepted of ["gzip", "*", "br;q=1, gzip; q=0.001"]) {
    const packed = await read({ "Accept-Encoding": accepted });
    assertEquals(packed.headers.get("Content-Encoding"), "gzip", accepted);
    assertEquals(packed.headers.get("Vary"), "Accept-Encoding");
    const bytes = new Uint8Array(await packed.arrayBuffer());
    assertEquals(gunzipSync(bytes).toString(), text);
    const head = await read({ "Accept-Encoding": accepted }, "HEAD");
    assertEquals(head.headers.get("Content-Length"), String(bytes.length));
    tags.push(String(packed.headers.get("ETag")));
  }
  assertEquals(new Set(tags).size, 2);
  for (const refused of ["identity", "gzip;q=0", "gzip;q=0.000, *", "*;q=0"]) {
    const sent = await read({ "Accept-Encoding": refused });
    assertEquals(sent.headers.get("Content-Encoding"), null, refused);
    await sent.body?.cancel();
  }
  for (const tag of tags) {
    for (const accepted of ["gzip", "identity"]) {
      const known = await read({ "If-None-Match": tag, "Accept-Encoding": accepted });
      assertEquals(known.status, 304);
    }
  }
});

Deno.test("A new name raises SEQUENCE, and what a calendar does not show moves nothing", async () => {
  const own = apart();
  const caller = await own.createCaller();
  const person = await createPerson(caller, { personName: "Nell Birch" });
  await detail(caller, person, { kind: "DATE", value: { what: "BIRTHDAY", date: "--12-10" } });
  await evidence(caller, person);
  await readyProposal(own, caller, person);
  const feed = await makeFeed(own, caller, { kinds: ["DATE", "PROPOSAL"] });
  const read = async () => {
    const seen = componentsOf(await readCalendar(own, feed), "VEVENT").slice(0, 2);
    return seen.map((lines) => lines.filter((line) => /^(DTSTAMP|LAST-M|SEQ|SUMMARY)/.test(line)));
  };
  const before = await read();
  own.advance(60_000);
  const path = `/api/v2/relationship/people/${person.personId}`;
  const change = async (set: JsonObject) => {
    const { body: { data } } = await caller.call("GET", path);
    const body = { expectedRevision: data.revision, set };
    return (await caller.call("PATCH", path, { body, key: ulid() })).body.data;
  };
  await change({ importance: 5 });
  await detail(caller, person, { kind: "URL", value: { value: "https://nell.example" } });
  assertEquals(await read(), before);
  const { revision, updatedAt } = await change({ personName: "Nell Elm" });
  await change({ importance: 4 });
  const changed = [`DTSTAMP:${basic(updatedAt)}`, `LAST-MODIFIED:${basic(updatedAt)}`];
  assertEquals(await read(), [
    [...changed, `SEQUENCE:${revision}`, "SUMMARY:Proposal ends: Nell Elm"],
    [...changed, `SEQUENCE:${revision}`, "SUMMARY:Birthday: Nell Elm"],
  ]);
});

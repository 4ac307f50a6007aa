/**
 * Calendars as other programs read them: vdirsyncer and khal, calcurse, python3-icalendar,
 * ruby-icalendar, and ical.js, whose file `ICAL_JS` names. A test whose programs are not installed
 * is shown as ignored.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { writeCalendar } from "../../src/due/calendar.ts";
import type { DueEntry } from "../../src/due/due.ts";
import { readZone } from "../../src/due/calendar_zone.ts";
import { insertFeed } from "../../src/due/feed_store.ts";
import { createInstallation } from "../support/installation.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { createPerson, detail } from "../families/relationship/api.ts";
import { ACTION, ALL_KINDS, COMMITMENT, DUE } from "../http/calendar.ts";
import { pathOf, walkPages } from "../http/kernel.ts";

const PYTHON = "/usr/bin/python3";
const ICAL_JS = Deno.env.get("ICAL_JS");

const READERS = {
  python: await runs(PYTHON, ["-c", "import icalendar"]),
  ruby: await runs("ruby", ["-e", "require 'icalendar'"]),
  icalJs: ICAL_JS !== undefined,
};
const SYNCHRONISERS = await runs("vdirsyncer", ["--version"]) && await runs("khal", ["--version"]);
const CALCURSE = await runs("calcurse", ["--version"]);

async function runs(program: string, args: readonly string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(program, {
      args: [...args],
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Runs a program in a home of its own; its output, after a success. */
async function run(
  program: string,
  args: readonly string[],
  { home, input = "" }: { readonly home?: string; readonly input?: string } = {},
): Promise<string> {
  const child = new Deno.Command(program, {
    args: [...args],
    env: { ...(home !== undefined && { HOME: home }), LC_ALL: "C.UTF-8", TZ: "UTC" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert(success, `${program}: ${text(stderr)}`);
  return text(stdout);
}

/** An event as a program reads it: UID, summary, and the start in UTC or the day. */
type ReadEvent = readonly [uid: string, summary: string, start: string];

const BY_PYTHON = `
import icalendar, json, sys, datetime
def start(value):
    if not isinstance(value, datetime.datetime): return value.isoformat()
    return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([[str(e["uid"]), str(e["summary"]), start(e["dtstart"].dt)]
  for e in calendar.walk("VEVENT")]))`;

const BY_RUBY = `
require "stringio"; require "icalendar"; require "json"
calendar = Icalendar::Calendar.parse(STDIN.read.force_encoding("UTF-8")).first
puts JSON.generate(calendar.events.map { |e| [
  e.uid.to_s, e.summary.to_s, e.dtstart.to_time.utc.strftime("%Y-%m-%dT%H:%M:%SZ")] })`;

async function readByPython(calendar: string): Promise<ReadEvent[]> {
  return JSON.parse(await run(PYTHON, ["-c", BY_PYTHON], { input: calendar }));
}

async function readByIcalJs(calendar: string): Promise<ReadEvent[]> {
  const { default: ICAL } = await import(ICAL_JS ?? "");
  const root = new ICAL.Component(ICAL.parse(calendar));
  for (const zone of root.getAllSubcomponents("vtimezone")) {
    ICAL.TimezoneService.register(zone.getFirstPropertyValue("tzid"), new ICAL.Timezone(zone));
  }
  return root.getAllSubcomponents("vevent").map((component: Json) => {
    const { uid, summary, startDate } = new ICAL.Event(component);
    const start = startDate.isDate
      ? startDate.toString()
      : startDate.toJSDate().toISOString().replace(".000Z", "Z");
    return [uid, summary, start];
  });
}

/** Listed items, in the form that the programs read. */
function meant(items: readonly Json[]): string[] {
  return items.map(({ title, what, at, date }) => {
    const before = what === "BIRTHDAY" ? "Birthday: " : "";
    return `${date ?? at.replace(/\.\d+Z$/, "Z")} ${before}${title}`;
  }).sort();
}

/** Things that are due, with hard titles, on days when clocks change too. */
async function manyThings(caller: Caller): Promise<Json> {
  const title = `Ladder; from "Ana", back\\forth ${"\u{1F469}\u200D\u{1F4BB}".repeat(9)}`;
  const dueAt = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  await caller.create("commitment", { ...COMMITMENT, dueAt: dueAt(3) }, "\u05D0\u200F\u202Eend");
  await caller.create("action", { ...ACTION, targetDate: dueAt(200) }, "Fence");
  const known = await createPerson(caller, { personName: "Ana" });
  const value = { what: "BIRTHDAY", date: "1984-02-29" };
  await detail(caller, known, { kind: "DATE", value });
  return await caller.create("commitment", { ...COMMITMENT, dueAt: dueAt(1) }, title);
}

Deno.test({
  name: "vdirsyncer and khal show what is due, after a change, a completion and a revocation",
  ignore: !SYNCHRONISERS,
  async fn() {
    await using place = await createInstallation();
    const owner = await place.settle();
    const { secret, feedId } = await place.withDatabase((database) =>
      database.transaction(async (tx) => {
        const issued = await insertFeed(tx, owner.accountId, {
          name: "Mine",
          kinds: ALL_KINDS.join(" "),
          detail: "TITLES",
          alarms: JSON.stringify({ timed: [15], allDay: "09:00" }),
          time_zone: "Europe/Berlin",
          expires_at: null,
        }, new Date());
        return { secret: issued.secret, feedId: issued.row.feed_id };
      })
    );
    await using service = await place.serve();
    const caller = callerOf(service.app, owner);
    const made = await manyThings(caller);
    const home = await Deno.makeTempDir({ prefix: "prs-calendar-" });
    const url = `http://127.0.0.1:${service.port}/calendar/${secret}.ics`;
    await Deno.mkdir(`${home}/local`);
    await Deno.writeTextFile(
      `${home}/vdirsyncer`,
      `
[general]
status_path = "${home}/status"
[pair due]
a = "local"
b = "remote"
collections = null
conflict_resolution = "b wins"
[storage local]
type = "filesystem"
path = "${home}/local"
fileext = ".ics"
[storage remote]
type = "http"
url = "${url}"
`,
    );
    await Deno.writeTextFile(
      `${home}/khal`,
      `
[calendars]
[[due]]
path = ${home}/local
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M:%S
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M:%S
longdatetimeformat = %Y-%m-%dT%H:%M:%S
[sqlite]
path = ${home}/khal.db
`,
    );
    const first = new Date().toISOString().slice(0, 10);
    const last = new Date(Date.now() + 399 * DAY_MS).toISOString().slice(0, 10);
    const shown = async () => {
      await run("vdirsyncer", ["-c", `${home}/vdirsyncer`, "sync"], { home });
      const args = ["-c", `${home}/khal`, "list", "--day-format", "", "--once"];
      const format = ["--format", "{start-date}|{start-time}|{title}"];
      const text = await run("khal", [...args, ...format, first, last], { home });
      return text.split("\n").filter((line) => line.includes("|")).map((line) => {
        const [day, time, ...title] = line.split("|");
        return `${day}${time === "" ? "" : `T${time}Z`} ${title.join("|").trim()}`;
      }).sort();
    };
    const listed = async () => {
      const until = new Date(Date.now() + 399 * DAY_MS).toISOString();
      return meant((await walkPages(caller, DUE, { until })).flat());
    };
    try {
      await run("vdirsyncer", ["-c", `${home}/vdirsyncer`, "discover"], { home, input: "y\n" });
      assertEquals((await listed()).length, 4);
      assertEquals(await shown(), await listed());
      const path = pathOf(made);
      const dueAt = new Date(Date.now() + 9 * DAY_MS).toISOString();
      await caller.call("PATCH", path, { body: { title: "Changed", payload: { dueAt } } });
      assertEquals(await shown(), await listed());
      const payload = { completionStatus: "COMPLETED" };
      await caller.call("PATCH", path, { body: { payload } });
      assertEquals((await listed()).length, 3);
      assertEquals(await shown(), await listed());
      const revoked = await caller.call("POST", `/api/v2/calendar/feeds/${feedId}/revoke`);
      assertEquals(revoked.status, 200);
      const { success } = await new Deno.Command("vdirsyncer", {
        args: ["-c", `${home}/vdirsyncer`, "sync"],
        env: { HOME: home },
        stdout: "null",
        stderr: "null",
      }).output();
      assert(!success);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});

const LETTERS = [
  ...'ab ;,\\:"nNß\u05D0\u200F\u202E',
  ..."\u{1F469}\u200D\u{1F4BB} \u{1F600} e\u0301 \u65E5 \u00A0".split(" "),
];

/** Entries with random titles and times, days when the clocks of a zone change among them. */
function randomEntries(random: Random, count: number): DueEntry[] {
  const start = Date.parse("2026-10-20T00:00:00Z");
  return Array.from({ length: count }, (_, index) => {
    const length = random.integer(1, 80);
    const letters = Array.from({ length }, () => LETTERS[random.integer(0, LETTERS.length - 1)]);
    return {
      kind: "COMMITMENT",
      recordId: String(index).padStart(26, "0"),
      sourceId: null,
      // Programs trim the ends.
      title: `(${letters.join("")})`,
      what: null,
      label: null,
      years: null,
      instant: start + random.integer(0, 420 * 24 * 60) * 60_000,
      date: null,
      sequence: 1,
      changedAt: new Date(start),
      isSecret: false,
    };
  });
}

const COUNT = Number(Deno.env.get("CALENDAR_TITLES") ?? 200);

// Europe/Berlin is above.
for (const [index, name] of ["Australia/Lord_Howe", "Africa/Casablanca"].entries()) {
  Deno.test({
    name: `Parsers read titles and times in ${name} as they were meant`,
    ignore: !Object.values(READERS).includes(true),
    async fn() {
      const random = seededRandom(380 + index);
      for (let left = COUNT / 2; left > 0; left -= 5_000) {
        const entries = randomEntries(random, Math.min(left, 5_000));
        const calendar = writeCalendar(entries, {
          feedId: ulid(),
          name: "Mine",
          detail: "TITLES",
          alarms: { timed: [15], allDay: null },
          zone: readZone(name, Date.parse("2026-10-20T00:00:00Z")),
          isTodo: false,
          origin: "https://records.example",
          isCut: false,
        });
        const expected: ReadEvent[] = entries.map(({ recordId, title, instant }) => [
          `${recordId}-COMMITMENT@prs`,
          title,
          new Date(instant).toISOString().replace(".000Z", "Z"),
        ]);
        if (READERS.icalJs) assertEquals(await readByIcalJs(calendar), expected);
        // python3-icalendar 4 and ruby-icalendar unescape text after a backslash a second time.
        const hard = new Set(
          entries.filter(({ title }) => title.includes("\\"))
            .map(({ recordId }) => `${recordId}-COMMITMENT@prs`),
        );
        const isReadByAll = ([uid]: ReadEvent) => !hard.has(uid);
        const simple = expected.filter(isReadByAll);
        if (READERS.python) {
          assertEquals((await readByPython(calendar)).filter(isReadByAll), simple);
        }
        if (READERS.ruby) {
          const read = JSON.parse(await run("ruby", ["-e", BY_RUBY], { input: calendar }));
          assertEquals(read.filter(isReadByAll), simple);
        }
      }
    },
  });
}

Deno.test({
  name: "calcurse imports events and tasks",
  ignore: !CALCURSE,
  async fn() {
    const home = await Deno.makeTempDir({ prefix: "prs-calcurse-" });
    try {
      const entries = randomEntries(seededRandom(38), 50);
      for (const isTodo of [false, true]) {
        const calendar = writeCalendar(entries, {
          feedId: ulid(),
          name: "Mine",
          detail: "TITLES",
          alarms: { timed: [15], allDay: null },
          zone: null,
          isTodo,
          origin: "https://records.example",
          isCut: false,
        });
        await Deno.writeTextFile(`${home}/due.ics`, calendar);
        const read = await run("calcurse", ["-D", `${home}/${isTodo}`, "-i", `${home}/due.ics`], {
          home,
        });
        assertMatch(read, isTodo ? /50 todos/ : /50 apps/);
      }
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  },
});

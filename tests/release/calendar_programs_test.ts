// engines: embedded

/**
 * A served calendar in programs that subscribe to it: vdirsyncer with khal, and Evolution Data
 * Server. A test whose programs are not installed is ignored.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { insertFeed } from "../../src/due/feed_store.ts";
import { createPerson, detail, personPath } from "../families/relationship/api.ts";
import { ACTION, ALL_KINDS, COMMITMENT, DUE } from "../http/calendar.ts";
import { pathOf, walkPages } from "../http/kernel.ts";
import { createInstallation } from "../support/installation.ts";
import { type Caller, callerOf, type Json } from "../support/world.ts";
import { HERE, inFolder, PYTHON, run, versionOf } from "./readers/programs.ts";

interface ServedFeed {
  readonly caller: Caller;
  readonly feedId: string;
  readonly address: string;
}

/** Serves a feed of all kinds in Berlin, with titles. */
async function withFeed(use: (feed: ServedFeed) => Promise<void>): Promise<void> {
  await using place = await createInstallation();
  const owner = await place.settle();
  const { secret, row } = await place.withDatabase((database) =>
    database.transaction((tx) =>
      insertFeed(tx, owner.accountId, {
        name: "Mine",
        kinds: ALL_KINDS.join(" "),
        detail: "TITLES",
        alarms: JSON.stringify({ timed: [15], allDay: "09:00" }),
        time_zone: "Europe/Berlin",
        expires_at: null,
      }, new Date())
    )
  );
  await using service = await place.serve();
  await use({
    caller: callerOf(service.app, owner),
    feedId: row.feed_id,
    address: `http://127.0.0.1:${service.port}/calendar/${secret}/Mine.ics`,
  });
}

/** Commitments in the hour that the clocks of Berlin show twice. */
async function repeatedHour(caller: Caller): Promise<void> {
  let change = Temporal.Now.zonedDateTimeISO("Europe/Berlin");
  do {
    const next = change.getTimeZoneTransition("next");
    assert(next !== null);
    change = next;
  } while (change.month !== 10);
  for (const minutes of [-75, -60, -30, -15, 0, 15, 30, 45, 60]) {
    const dueAt = new Date(change.epochMilliseconds + minutes * 60_000).toISOString();
    await caller.create("commitment", { ...COMMITMENT, dueAt }, `At ${minutes}`);
  }
}

/** Things with hard titles. */
async function manyThings(caller: Caller): Promise<Json> {
  const title = `Ladder; from "Ana", back\\forth ${"\u{1F469}\u200D\u{1F4BB}".repeat(9)}`;
  const dueAt = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  await caller.create("commitment", { ...COMMITMENT, dueAt: dueAt(3) }, "\u05D0\u200F\u202Eend");
  await caller.create("action", { ...ACTION, targetDate: dueAt(200) }, "Fence");
  const known = await createPerson(caller, { personName: "Ana" });
  await detail(caller, known, { kind: "DATE", value: { what: "BIRTHDAY", date: "--02-29" } });
  return await caller.create("commitment", { ...COMMITMENT, dueAt: dueAt(1) }, title);
}

/** Listed items, as khal shows them in UTC. */
async function meant(caller: Caller): Promise<string[]> {
  const until = new Date(Date.now() + 399 * DAY_MS).toISOString();
  return (await walkPages(caller, DUE, { until })).flat().map(({ title, what, at, date }: Json) => {
    const before = what === "BIRTHDAY" ? "Birthday: " : "";
    return `${date ?? at.replace(/\.\d+Z$/, "Z")} ${before}${title}`;
  }).sort();
}

const vdirsyncerSettings = (home: string, address: string) => `
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
url = "${address}"
`;

const khalSettings = (home: string) => `
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
`;

Deno.test({
  name: "vdirsyncer and khal show what is due, after a change, a completion and a revocation",
  ignore: await versionOf("vdirsyncer") === null || await versionOf("khal") === null,
  fn: () =>
    inFolder((home) =>
      withFeed(async ({ caller, feedId, address }) => {
        await Deno.mkdir(`${home}/local`);
        await Deno.writeTextFile(`${home}/vdirsyncer`, vdirsyncerSettings(home, address));
        await Deno.writeTextFile(`${home}/khal`, khalSettings(home));
        const synchronise = (word: string, input = "") =>
          run("vdirsyncer", ["-c", `${home}/vdirsyncer`, word], { home, input });
        const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
        const shown = async () => {
          await synchronise("sync");
          const text = await run("khal", [
            "-c",
            `${home}/khal`,
            "list",
            "--day-format",
            "",
            "--once",
            "--format",
            "{start-date}|{start-time}|{title}",
            dayIn(0).slice(0, 10),
            dayIn(399).slice(0, 10),
          ], { home });
          return text.split("\n").filter((line) => line.includes("|")).map((line) => {
            const [day, time, ...title] = line.split("|");
            return `${day}${time === "" ? "" : `T${time}Z`} ${title.join("|").trim()}`;
          }).sort();
        };
        const made = await manyThings(caller);
        await repeatedHour(caller);
        await synchronise("discover", "y\n");
        assertEquals((await meant(caller)).length, 13);
        assertEquals(await shown(), await meant(caller));
        const path = pathOf(made);
        const payload = { dueAt: dayIn(9) };
        await caller.call("PATCH", path, { body: { title: "Changed", payload } });
        assertEquals(await shown(), await meant(caller));
        const completed = { payload: { completionStatus: "COMPLETED" } };
        await caller.call("PATCH", path, { body: completed });
        assertEquals((await meant(caller)).length, 12);
        assertEquals(await shown(), await meant(caller));
        const revoked = await caller.call("POST", `/api/v2/calendar/feeds/${feedId}/revoke`);
        assertEquals(revoked.status, 200);
        const { success } = await new Deno.Command("vdirsyncer", {
          args: ["-c", `${home}/vdirsyncer`, "sync"],
          env: { HOME: home },
          stdout: "null",
          stderr: "null",
        }).output();
        assert(!success);
      })
    ),
});

Deno.test({
  name: "Evolution Data Server shows a person's new name, and a title that changed",
  ignore: await versionOf("evolution-data-server") === null ||
    await versionOf("gir1.2-ecal-2.0") === null,
  fn: () =>
    inFolder((home) =>
      withFeed(async ({ caller, address }) => {
        const known = await createPerson(caller, { personName: "Ana" });
        const value = { what: "BIRTHDAY", date: "1984-07-05" };
        await detail(caller, known, { kind: "DATE", value });
        const dueAt = new Date(Date.now() + 3 * DAY_MS).toISOString();
        const made = await caller.create("commitment", { ...COMMITMENT, dueAt }, "Ladder");
        const child = new Deno.Command("dbus-run-session", {
          args: ["--", PYTHON, `${HERE}eds_webcal.py`, address],
          env: { HOME: home, XDG_RUNTIME_DIR: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home },
          stdin: "piped",
          stdout: "piped",
          stderr: "null",
        }).spawn();
        const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
        const input = child.stdin.getWriter();
        const titles = async () => {
          let text = "";
          while (!text.endsWith("\n")) text += (await output.read()).value ?? "\n";
          return JSON.parse(text).map(([, title]: [string, string]) => title.split(" (")[0]);
        };
        const refresh = () => input.write(new TextEncoder().encode("\n"));
        try {
          assertEquals(new Set(await titles()), new Set(["Birthday: Ana", "Ladder"]));
          const body = { expectedRevision: 2, set: { personName: "Anastasia" } };
          const renamed = await caller.call("PATCH", personPath(known), { key: ulid(), body });
          assertEquals(renamed.status, 200);
          await refresh();
          assertEquals(new Set(await titles()), new Set(["Birthday: Anastasia", "Ladder"]));
          await caller.call("PATCH", pathOf(made), { body: { title: "Ladder, long" } });
          await refresh();
          assertEquals(new Set(await titles()), new Set(["Birthday: Anastasia", "Ladder, long"]));
        } finally {
          await input.close();
          await output.cancel();
          await child.status;
        }
      })
    ),
});

/** The choice of time zone data at start, and its log. */

import { assertEquals, assertThrows } from "@std/assert";
import { offsetAt, useZoneFiles } from "../../../../src/core/zones.ts";
import { chooseZoneData, readZoneData } from "../../../../src/operator/config/zone_data.ts";
import { OperatorError } from "../../../../src/errors/operator_error.ts";
import { createLog } from "../../../../src/core/log.ts";
import { ZONE_FOLDER, zoneBytes } from "../../../support/zone_files.ts";

/** Chooses a folder; the lines of the log. */
function choose(folder: string | null): Record<string, unknown>[] {
  const lines: string[] = [];
  chooseZoneData(folder, createLog("info", (line) => lines.push(line)));
  return lines.map((line) => JSON.parse(line));
}

async function withFolder(
  files: Readonly<Record<string, Uint8Array>>,
  act: (folder: string) => void,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "prs-zones-" });
  try {
    for (const [name, bytes] of Object.entries(files)) {
      await Deno.mkdir(`${folder}/${name}/..`, { recursive: true });
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    act(folder);
  } finally {
    useZoneFiles(null);
    await Deno.remove(folder, { recursive: true });
  }
}

const DECEMBER = Date.parse("2026-12-15T18:00:00Z");
const HOUR = 3_600_000;

/** A file of version 2 with one offset. */
function constantZone(hours: number): Uint8Array {
  const block = new Uint8Array(44 + 6 + 4);
  const view = new DataView(block.buffer);
  block.set(new TextEncoder().encode("TZif2"));
  for (const [at, count] of [[36, 1], [40, 4], [44, hours * 3600]] as const) {
    view.setInt32(at, count);
  }
  return new Uint8Array([...block, ...block, 0x0a, 0x0a]);
}

/** Offsets of the zones that the known changes name, when they changed. */
const CURRENT = {
  "Asia/Tehran": 3.5,
  "America/Mexico_City": -6,
  "Asia/Almaty": 5,
  "America/Asuncion": -3,
  "America/Coyhaique": -3,
  "Europe/Chisinau": 2,
  "America/Vancouver": -7,
  "America/Edmonton": -6,
  "Africa/Casablanca": 0,
  "America/Inuvik": -6,
  "America/Winnipeg": -5,
  "America/Havana": -4,
};

function currentFiles(
  different: Readonly<Record<string, number>> = {},
): Record<string, Uint8Array> {
  const all = Object.entries({ ...CURRENT, ...different });
  return Object.fromEntries(all.map(([zone, hours]) => [zone, constantZone(hours)]));
}

Deno.test("Current zone data is logged with its release, and outdated data as a warning", async () => {
  const found = { event: "zone_data", source: "ZONEINFO" };
  await withFolder(currentFiles(), (folder) => {
    const [{ at: _, ...line } = {}, ...others] = choose(folder);
    assertEquals([line, others], [{ level: "info", ...found, release: "2026f" }, []]);
    assertEquals(readZoneData(), { source: "ZONEINFO", release: "2026f" });
  });
  const cases: [Record<string, number>, string | null][] = [
    [{ "America/Winnipeg": -6, "America/Havana": -5 }, "2026d"],
    // The other change of this release holds, and so do those of later ones.
    [{ "Africa/Casablanca": 1 }, "2026b"],
    [{ "Asia/Tehran": 4.5 }, null],
  ];
  for (const [old, release] of cases) {
    await withFolder(currentFiles(old), (folder) => {
      const [{ at: _, ...line } = {}] = choose(folder);
      const outdated = Object.keys(old).join();
      assertEquals(line, { level: "warn", ...found, release, outdated, setting: "ZONEINFO" });
    });
  }
});

Deno.test("The runtime answers for zones without a whole file, and a broken one is logged", async () => {
  const berlin = zoneBytes("Europe/Berlin");
  const files = {
    ...currentFiles(),
    "Asia/Tokyo": berlin.slice(0, -1),
    "Europe/Berlin": constantZone(7),
    "right/Europe/Paris": constantZone(7),
    "mars/olympus": constantZone(7),
    "tzdata.zi": new TextEncoder().encode("# version 2026f"),
  };
  await withFolder(files, (folder) => {
    const [broken, ...others] = choose(folder);
    assertEquals([broken?.event, broken?.level, broken?.file], [
      "zone_file_broken",
      "warn",
      "Asia/Tokyo",
    ]);
    assertEquals(others.map(({ event }) => event), ["zone_data"]);
    const zones = ["Asia/Tokyo", "Europe/Berlin", "Europe/Paris"];
    assertEquals(zones.map((zone) => offsetAt(zone, DECEMBER) / HOUR), [9, 7, 1]);
  });
});

Deno.test("Without a folder the runtime answers, and a wrong one refuses the start", () => {
  choose(ZONE_FOLDER);
  assertEquals(offsetAt("America/Vancouver", DECEMBER) / HOUR, -7);
  const [{ event, source } = {}] = choose(null);
  assertEquals([event, source, readZoneData().source], ["zone_data", "RUNTIME", "RUNTIME"]);
  for (const folder of [`${ZONE_FOLDER}/nowhere`, `${ZONE_FOLDER}/Europe/Berlin`]) {
    const error = assertThrows(() => choose(folder), OperatorError);
    assertEquals([error.message, error.isPermanent], ["ZONEINFO: is not a folder", true]);
  }
});

Deno.test("A folder without a usable zone file refuses the start after few lines", async () => {
  const leap = constantZone(0);
  new DataView(leap.buffer).setInt32(54 + 28, 27);
  const zones = Object.keys(CURRENT);
  const broken = Object.fromEntries(zones.map((zone) => [zone, leap]));
  for (const files of [{}, { "posix/Europe/Berlin": constantZone(1) }, broken]) {
    await withFolder(files, (folder) => {
      const lines: string[] = [];
      const log = createLog("info", (line) => lines.push(line));
      const error = assertThrows(() => chooseZoneData(folder, log), OperatorError);
      const message = "ZONEINFO: does not contain a usable zone file";
      assertEquals([error.message, error.isPermanent], [message, true]);
      const events = lines.map((line) => JSON.parse(line)).map((
        { event, count },
      ) => [event, count]);
      const each = Array(10).fill(["zone_file_broken", undefined]);
      const all = [...each, ["zone_files_broken", zones.length]];
      assertEquals(events, files === broken ? all : []);
    });
  }
});

Deno.test("Only folders that are part of a zone's name are read", async () => {
  const files = {
    "America/North_Dakota/Center": constantZone(7),
    "America/North_Dakota/Deep/Center": constantZone(7),
    "right/Europe/Paris": constantZone(7),
    "Music-1/song": constantZone(7),
  };
  const readDirSync = Deno.readDirSync;
  const read: string[] = [];
  await withFolder(files, (folder) => {
    Deno.readDirSync = (path) => {
      read.push(String(path).slice(folder.length));
      return readDirSync(path);
    };
    try {
      choose(folder);
    } finally {
      Deno.readDirSync = readDirSync;
    }
    assertEquals(offsetAt("America/North_Dakota/Center", DECEMBER) / HOUR, 7);
  });
  assertEquals(read.toSorted(), ["/", "/America/", "/America/North_Dakota/"]);
});

/** The source of time zones: the runtime, or the files of ZONEINFO; and how recent its data is. */

import type { Log } from "../../core/log.ts";
import { readZoneFile, type ZoneFile } from "../../core/zone_file.ts";
import { hasZoneFiles, knownZone, offsetAt, useZoneFiles } from "../../core/zones.ts";
import { OperatorError } from "../../errors/operator_error.ts";

export const ZONE_SOURCES = ["RUNTIME", "ZONEINFO"] as const;

export interface ZoneData {
  readonly source: (typeof ZONE_SOURCES)[number];
  /** The newest release of the tz database up to which all known changes hold; or null. */
  readonly release: string | null;
}

/** The offset in hours at an instant after each change. Releases are in order. */
const KNOWN_CHANGES = [
  ["2022b", "Asia/Tehran", "2023-07-01T00:00:00Z", 3.5],
  ["2022f", "America/Mexico_City", "2023-07-01T00:00:00Z", -6],
  ["2024a", "Asia/Almaty", "2024-07-01T00:00:00Z", 5],
  ["2025a", "America/Asuncion", "2025-07-01T00:00:00Z", -3],
  ["2025b", "America/Coyhaique", "2025-07-01T00:00:00Z", -3],
  ["2026a", "Europe/Chisinau", "2026-03-29T00:30:00Z", 2],
  ["2026b", "America/Vancouver", "2026-12-01T00:00:00Z", -7],
  ["2026c", "America/Edmonton", "2026-12-01T00:00:00Z", -6],
  ["2026c", "Africa/Casablanca", "2026-10-01T00:00:00Z", 0],
  ["2026d", "America/Inuvik", "2026-12-01T00:00:00Z", -6],
  ["2026e", "America/Winnipeg", "2026-12-01T00:00:00Z", -5],
  ["2026f", "America/Havana", "2026-12-01T00:00:00Z", -4],
] as const;

const HOUR_MS = 60 * 60 * 1000;

/** As `America/Indiana/`. Folders of other files do not match, so that a wrong path is not read. */
const ZONE_FOLDER = /^([A-Z][A-Za-z_]*\/){1,2}$/;

const MAX_BROKEN_LINES = 10;

/**
 * Chooses the source for this process, and logs it.
 *
 * @param folder that of ZONEINFO; null for the runtime alone.
 * @throws OperatorError if the folder cannot be read or lacks a usable zone file, or if the runtime
 *   does not know any zone.
 */
export function chooseZoneData(folder: string | null, log: Log): void {
  assertRuntimeAnswers();
  useZoneFiles(folder === null ? null : readFolder(folder, log));
  const { source, release } = readZoneData();
  const zones = KNOWN_CHANGES.filter((change) => !holds(change)).map(([, zone]) => zone).join();
  if (zones === "") log.info("zone_data", { source, release });
  else log.warn("zone_data", { source, release, outdated: zones, setting: "ZONEINFO" });
}

export function readZoneData(): ZoneData {
  const [missing] = KNOWN_CHANGES.find((change) => !holds(change)) ?? [];
  // A release includes the changes of all earlier ones. Names are in order as texts.
  const [release = null] =
    KNOWN_CHANGES.findLast(([name]) => missing === undefined || name < missing) ?? [];
  return { source: hasZoneFiles() ? "ZONEINFO" : "RUNTIME", release };
}

function holds([, name, instant, hours]: (typeof KNOWN_CHANGES)[number]): boolean {
  const zone = knownZone(name);
  return zone !== null && offsetAt(zone, Date.parse(instant)) === hours * HOUR_MS;
}

function assertRuntimeAnswers(): void {
  try {
    knownZone("Europe/Berlin");
  } catch {
    throw new OperatorError(
      "ICU_TIMEZONE_FILES_DIR: the runtime cannot read time zones from it: unset it, and name a " +
        "folder of zone files in ZONEINFO instead",
      { isPermanent: true },
    );
  }
}

/** Reads each zone of the folder that the runtime knows. */
function readFolder(folder: string, log: Log): ReadonlyMap<string, ZoneFile> {
  const files = new Map<string, ZoneFile>();
  let broken = 0;
  for (const name of zonesIn(folder)) {
    try {
      files.set(name, readZoneFile(Deno.readFileSync(`${folder}/${name}`)));
    } catch (error) {
      broken++;
      const reason = error instanceof SyntaxError ? error.message : "The zone file cannot be read";
      if (broken <= MAX_BROKEN_LINES) log.warn("zone_file_broken", { file: name, reason });
    }
  }
  if (broken > MAX_BROKEN_LINES) log.warn("zone_files_broken", { count: broken });
  if (files.size === 0) throw wrongFolder("does not contain a usable zone file");
  return files;
}

function zonesIn(folder: string): string[] {
  try {
    return [...namesIn(folder)].filter((name) => knownZone(name) === name);
  } catch (error) {
    const isFolder =
      !(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory);
    throw wrongFolder(isFolder ? "cannot be read by this process" : "is not a folder");
  }
}

function wrongFolder(reason: string): OperatorError {
  return new OperatorError(`ZONEINFO: ${reason}`, { isPermanent: true });
}

/** Paths of files below a folder, except in folders that are not part of a zone's name. */
function* namesIn(folder: string, before = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${before}`)) {
    const path = before + name;
    if (!isDirectory) yield path;
    else if (ZONE_FOLDER.test(`${path}/`)) yield* namesIn(folder, `${path}/`);
  }
}

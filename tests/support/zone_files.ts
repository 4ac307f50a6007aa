/**
 * The zone files of `zoneinfo/`, compiled from the tz database 2026c, which is in the public
 * domain: by `zic -b slim`, Lord Howe by `-b fat`, which fills the block of version 1, and
 * Amsterdam from `backzone`, because its offset had seconds until 1937. `America/Vancouver` has a
 * change of 2026 that Deno 2.9.6 lacks.
 */

import { readZoneFile, type ZoneFile } from "../../src/core/zone_file.ts";
import { useZoneFiles } from "../../src/core/zones.ts";

export const ZONE_FOLDER = new URL("zoneinfo", import.meta.url).pathname;

export function zoneBytes(zone: string): Uint8Array<ArrayBuffer> {
  return Deno.readFileSync(`${ZONE_FOLDER}/${zone}`);
}

/** Uses files until the end of `act`. */
export function withZoneFiles<T>(zones: readonly string[], act: () => T): T {
  useZoneFiles(
    new Map(zones.map((zone): [string, ZoneFile] => [zone, readZoneFile(zoneBytes(zone))])),
  );
  try {
    return act();
  } finally {
    useZoneFiles(null);
  }
}

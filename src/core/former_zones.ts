/**
 * Zones of calendar feeds of release 2.0.0 that `Intl` alone knows, such as `BST` for Dhaka.
 */

import { type ZoneFile, zoneOfRule } from "./zone_file.ts";
import { knownZone, offsetsOf } from "./zones.ts";

/** Returns the offsets of such a zone, and their changes, in milliseconds. */
export function formerZone(name: string): ZoneFile {
  const canonical = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  const zone = knownZone(canonical);
  if (zone !== null) return offsetsOf(zone);
  // `Factory` is UTC, and a name such as `SystemV/EST5EDT` is its own rule.
  const rule = canonical.replace("SystemV/", "").replace(/\d[A-Z]+$/, "$&,M4.5.0,M10.5.0");
  return zoneOfRule(rule === "Factory" ? "UTC0" : rule);
}

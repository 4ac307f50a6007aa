/**
 * Zones of calendar feeds of release 2.0.0 that `Intl` alone knows, such as `BST` for Dhaka.
 */

import { zoneOfRule } from "./zone_file.ts";
import { changesBetween, knownZone, offsetAt, type OffsetChange } from "./zones.ts";

/**
 * Returns the offset at the start of a window, and the changes within it. Times and offsets are in
 * milliseconds.
 */
export function readFormerZone(
  name: string,
  from: number,
  until: number,
): { readonly first: number; readonly changes: readonly OffsetChange[] } {
  const canonical = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  const zone = knownZone(canonical);
  if (zone !== null) {
    return { first: offsetAt(zone, from), changes: changesBetween(zone, from, until) };
  }
  // `Factory` is UTC, and a name such as `SystemV/EST5EDT` is its own rule.
  const rule = canonical.replace("SystemV/", "").replace(/\d[A-Z]+$/, "$&,M4.5.0,M10.5.0");
  const file = zoneOfRule(rule === "Factory" ? "UTC0" : rule);
  return { first: file.offsetAt(from), changes: file.changesBetween(from, until) };
}

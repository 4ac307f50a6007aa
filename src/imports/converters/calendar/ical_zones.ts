/** The time zones of a calendar by their `TZID`. */

import { knownZone } from "../../../core/zones.ts";
import { offsetText } from "../../../validate/local_time.ts";
import { zoneOfWindows } from "./windows_zones.ts";

/** Properties of a VTIMEZONE. */
export interface ZoneFacts {
  /** `X-LIC-LOCATION`; null without one. */
  readonly location: string | null;
  /** Values of `TZOFFSETTO`. */
  readonly offsets: readonly string[];
}

/** A zone of times that name none. */
export interface FloatingZone {
  readonly zone: string;
  /** True if neither the calendar nor the mapping states it. */
  readonly isAssumed: boolean;
}

/** Zones that are remembered. An identifier may have 16 KiB. */
const MAX_FOUND = 100;

export class CalendarZones {
  readonly floating: FloatingZone;
  readonly #facts: ReadonlyMap<string, ZoneFacts>;
  readonly #found = new Map<string, string | null>();

  constructor(facts: ReadonlyMap<string, ZoneFacts>, floating: FloatingZone) {
    this.#facts = facts;
    this.floating = floating;
  }

  /** An IANA name, or an offset as `+01:00`; null for an unknown zone. */
  find(id: string): string | null {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const zone = zoneOf(id, this.#facts.get(id));
    if (this.#found.size === MAX_FOUND) this.#found.clear();
    this.#found.set(id, zone);
    return zone;
  }
}

export function zoneOf(id: string, facts?: ZoneFacts): string | null {
  const { location = null, offsets = [] } = facts ?? {};
  return zoneOfName(id) ?? zoneOfWindows(id) ??
    (location === null ? null : zoneOfName(location)) ?? onlyOffset(offsets);
}

/** Parts of a name that are compared: IANA names have at most three. */
const MAX_PARTS = 3;

/** The IANA name that is, or ends, a name such as `/mozilla.org/20070129_1/Europe/Berlin`. */
function zoneOfName(name: string): string | null {
  const exact = knownZone(name);
  if (exact !== null) return exact;
  const parts = name.split("/").slice(1).slice(-MAX_PARTS);
  for (let start = 0; start < parts.length; start++) {
    const zone = knownZone(parts.slice(start).join("/"));
    if (zone !== null) return zone;
  }
  return null;
}

const OFFSET = /^([+-])(\d{2}):?(\d{2})/;

/** Null unless all offsets are the same; seconds are cut off. */
function onlyOffset(stated: readonly string[]): string | null {
  const [first = "", ...others] = stated;
  const [, sign, hours, minutes] = OFFSET.exec(first) ?? [];
  if (sign === undefined || others.some((other) => other !== first)) return null;
  const size = Number(hours) * 60 + Number(minutes);
  return offsetText(sign === "-" ? -size : size);
}

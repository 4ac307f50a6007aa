/** The mapping of calendars. */

import type { JsonObject } from "../../../core/json.ts";
import { oneOf, optional, readBody } from "../../../validate/schema.ts";
import { reportWord } from "../../words.ts";
import type { FileMapping } from "../converter.ts";
import { DEFAULT_ZONE, TIME_ZONE } from "../dates.ts";
import { checkGroups, wordsByName } from "../words_by_name.ts";
import type { FloatingZone } from "./ical_zones.ts";

const WORDS = ["timeline", "memory", "leave"] as const;
/** The target of events; to "leave" they are not imported. */
export type EventTarget = (typeof WORDS)[number];

const MAPPING = {
  events: optional(oneOf(...WORDS)),
  groups: optional(wordsByName<EventTarget>(WORDS, "mapping.group")),
  timeZone: optional(TIME_ZONE),
};

interface CalendarMapping {
  readonly events: EventTarget;
  /** Targets by the names of calendars as reports show them. */
  readonly groups: ReadonlyMap<string, EventTarget>;
  /** The zone of calendars that state none. */
  readonly floating: FloatingZone;
}

export const CALENDAR_MAPPING: FileMapping = {
  kind: "FORM",
  schema: MAPPING,
  example: { events: "timeline", groups: { Holidays: "leave" }, timeZone: "Europe/Berlin" },
  check(mapping, { groups: known }) {
    checkGroups(readCalendarMapping(mapping).groups.keys(), known);
  },
};

/** @throws ServiceError `PAYLOAD_INVALID`. */
export function readCalendarMapping(mapping: JsonObject | null): CalendarMapping {
  const { events = "timeline", groups = {}, timeZone } = readBody(MAPPING, mapping ?? {});
  return {
    events,
    groups: new Map(Object.entries(groups).map(([name, word]) => [reportWord(name), word])),
    floating: { zone: timeZone ?? DEFAULT_ZONE, isAssumed: timeZone === undefined },
  };
}

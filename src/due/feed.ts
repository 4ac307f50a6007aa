/** Calendar feeds: columns, public form and body. No SQL, no HTTP. */

import { knownZone, ZONE_PATTERN } from "../core/zones.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  type Kind,
  membersOf,
  orNull,
  type RowOf,
  showColumns,
  type ShownOf,
} from "../kit/columns.ts";
import { choice, id, json, shortText, stamp } from "../kit/kinds.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
} from "../validate/json_schema.ts";
import {
  arrayOf,
  type InferObject,
  integer,
  object,
  oneOf,
  optional,
  type Schema,
  string,
  stringMatching,
  timestamp,
} from "../validate/schema.ts";
import { DUE_KINDS, type DueKind } from "./due.ts";

export const DETAILS = ["TITLES", "BUSY"] as const;

/** Times of alarms. */
export interface FeedAlarms {
  /** Minutes before an item with a time, ascending. */
  readonly timed: readonly number[];
  /** The time, `HH:MM`, on the day of an item without one; null for none. */
  readonly allDay: string | null;
}

const NO_ALARMS: FeedAlarms = { timed: [], allDay: null };

const MAX_ALARMS = 5;
/** Four weeks. */
const MAX_MINUTES = 40_320;
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const CLOCK_JSON: JsonSchema = { type: "string", pattern: CLOCK.source };

const minutes = distinct(arrayOf(integer(0, MAX_MINUTES), 0, MAX_ALARMS));
const kinds = distinct(arrayOf(oneOf(...DUE_KINDS), 1, DUE_KINDS.length));
const clock = stringMatching("field.format", (text) => CLOCK.test(text), CLOCK_JSON);

/** A time of day, or null for none. */
const clockOrNull: Schema<string | null> = {
  check: (value, field, violations) =>
    value === null ? null : clock.check(value, field, violations),
  json: nullable(CLOCK_JSON),
};

const timeZone = stringMatching("field.time_zone", (name) => knownZone(name) !== null, {
  type: "string",
  pattern: `^${ZONE_PATTERN}$`,
});

export const FEED_BODY = {
  name: string({ maximum: 100 }),
  kinds,
  detail: oneOf(...DETAILS),
  alarms: optional(object({ timed: minutes, allDay: clockOrNull })),
  timeZone,
  expiresAt: optional(timestamp),
};

/** Stored with a space between. */
const kindList: Kind<string, readonly DueKind[]> = {
  ...shortText(listOf(enumOf(DUE_KINDS))),
  show: readKinds,
};

const alarmTimes: Kind<string, FeedAlarms> = {
  ...json(objectOf({ timed: listOf({ type: "integer" }), allDay: nullable(CLOCK_JSON) })),
  show: readAlarms,
};

/** Columns of `calendar_feeds`, without the digest. Uses are stored at most hourly. */
export const FEED = {
  feed_id: id,
  name: shortText(),
  kinds: kindList,
  detail: choice(DETAILS),
  alarms: alarmTimes,
  time_zone: shortText(),
  created_at: stamp,
  expires_at: orNull(stamp),
  revoked_at: orNull(stamp),
  last_used_at: orNull(stamp),
  last_used_by: orNull(shortText({
    ...TEXT,
    description: "Family and system, such as `Firefox on Windows`, as the client claims them.",
  })),
};

export type CalendarFeedRow = RowOf<typeof FEED>;
export type CalendarFeed = ShownOf<typeof FEED>;

export const FEED_SCHEMA: JsonSchema = component<CalendarFeed>("CalendarFeed", membersOf(FEED));

/** Columns that a request states. */
export type NewCalendarFeed = Pick<
  CalendarFeedRow,
  "name" | "kinds" | "detail" | "alarms" | "time_zone" | "expires_at"
>;

/** @throws ServiceError `PAYLOAD_INVALID` if `expiresAt` is not in the future. */
export function toNewFeed(body: InferObject<typeof FEED_BODY>, now: Date): NewCalendarFeed {
  const { name, kinds, detail, alarms = NO_ALARMS, timeZone, expiresAt = null } = body;
  if (expiresAt !== null && expiresAt <= now) throw payloadInvalid(["field.range"], ["expiresAt"]);
  const { timed, allDay } = alarms;
  return {
    name,
    kinds: DUE_KINDS.filter((kind) => kinds.includes(kind)).join(" "),
    detail,
    alarms: JSON.stringify({ timed: timed.toSorted((one, other) => one - other), allDay }),
    time_zone: timeZone,
    expires_at: expiresAt,
  };
}

export function readKinds(kinds: string): readonly DueKind[] {
  return DUE_KINDS.filter((kind) => kinds.split(" ").includes(kind));
}

export function readAlarms(alarms: string): FeedAlarms {
  return JSON.parse(alarms);
}

const MAX_ADDRESS_NAME = 60;

/** The name of a feed in its address: only ASCII letters, digits and `-`. */
export function addressName(name: string): string {
  const words = name.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-/, "");
  return words.slice(0, MAX_ADDRESS_NAME).replace(/-$/, "") || "calendar";
}

export function toFeed(row: CalendarFeedRow): CalendarFeed {
  return showColumns(FEED, row);
}

/** Rejects repeated items. */
function distinct<Item>(list: Schema<readonly Item[]>): Schema<readonly Item[]> {
  return {
    check(value, field, violations) {
      const items = list.check(value, field, violations);
      if (items !== undefined && new Set(items).size < items.length) {
        violations.add("field.repeated", field);
      }
      return items;
    },
    json: { ...list.json, uniqueItems: true },
  };
}

/** A calendar feed as a client states and sees it. No SQL, no HTTP. */

import type { FeedRow, NewFeed } from "../access/calendar_feeds.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
  ULID,
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

/** When a calendar rings: minutes before a time, and the time of a day. */
export interface FeedAlarms {
  /** Ascending. */
  readonly timed: readonly number[];
  /** `HH:MM`; null for none. */
  readonly allDay: string | null;
}

const NO_ALARMS: FeedAlarms = { timed: [], allDay: null };

const MAX_ALARMS = 5;
/** Four weeks. */
const MAX_MINUTES = 40_320;
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const CLOCK_JSON: JsonSchema = { type: "string", pattern: CLOCK.source };
const ZONE = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

const minutes = distinct(arrayOf(integer(0, MAX_MINUTES), 0, MAX_ALARMS));
const kinds = distinct(arrayOf(oneOf(...DUE_KINDS), 1, DUE_KINDS.length));
const clock = stringMatching("field.format", (text) => CLOCK.test(text), CLOCK_JSON);

/** A time of day, or null for none. */
const clockOrNull: Schema<string | null> = {
  check: (value, field, violations) =>
    value === null ? null : clock.check(value, field, violations),
  json: nullable(CLOCK_JSON),
};

/** The name of a time zone that the runtime knows, and no offset. */
const timeZone = stringMatching("field.time_zone", isTimeZone, {
  type: "string",
  pattern: ZONE.source,
});

/** The body of a new feed. */
export const FEED_BODY = {
  name: string({ maximum: 100 }),
  kinds,
  detail: oneOf(...DETAILS),
  alarms: optional(object({ timed: minutes, allDay: clockOrNull })),
  timeZone,
  expiresAt: optional(timestamp),
};

/** A feed as its owner sees it, without its address. */
export interface Feed {
  readonly feedId: string;
  readonly name: string;
  readonly kinds: readonly DueKind[];
  readonly detail: FeedRow["detail"];
  readonly alarms: FeedAlarms;
  readonly timeZone: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Known to the hour, like `lastUsedBy`. */
  readonly lastUsedAt: string | null;
  readonly lastUsedBy: string | null;
}

export const FEED_SCHEMA: JsonSchema = component<Feed>("CalendarFeed", {
  feedId: ULID,
  name: TEXT,
  kinds: listOf(enumOf(DUE_KINDS)),
  detail: enumOf(DETAILS),
  alarms: objectOf({ timed: listOf({ type: "integer" }), allDay: nullable(CLOCK_JSON) }),
  timeZone: TEXT,
  createdAt: TIME,
  expiresAt: nullable(TIME),
  revokedAt: nullable(TIME),
  lastUsedAt: nullable(TIME),
  lastUsedBy: nullable({
    ...TEXT,
    description: "Family and system, such as `Firefox on Windows`, as the client claims them.",
  }),
});

/**
 * The columns of a checked body.
 *
 * @throws ServiceError `PAYLOAD_INVALID` if it ends before it begins.
 */
export function toNewFeed(body: InferObject<typeof FEED_BODY>, now: Date): NewFeed {
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

/** The kinds of a feed. */
export function kindsOf({ kinds }: Pick<FeedRow, "kinds">): readonly DueKind[] {
  return DUE_KINDS.filter((kind) => kinds.split(" ").includes(kind));
}

/** The alarms of a feed. */
export function alarmsOf({ alarms }: Pick<FeedRow, "alarms">): FeedAlarms {
  return JSON.parse(alarms);
}

/** The public form of a feed. */
export function toFeed(row: FeedRow): Feed {
  return {
    feedId: row.feed_id,
    name: row.name,
    kinds: kindsOf(row),
    detail: row.detail,
    alarms: alarmsOf(row),
    timeZone: row.time_zone,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    lastUsedBy: row.last_used_by,
  };
}

/** A list without a repetition. */
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

function isTimeZone(name: string): boolean {
  if (!ZONE.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

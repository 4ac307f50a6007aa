/** `GET /calendar/{secret}/{name}.ics`: due items for calendar programs. */

import { gzipSync } from "node:zlib";
import { permissionsOfAccount } from "../access/account_row.ts";
import { clientName } from "../access/client_name.ts";
import type { RoleMatrix } from "../access/permissions.ts";
import { DAY_MS } from "../core/clock.ts";
import { sha256Hex } from "../core/digest.ts";
import { runFor } from "../core/holder.ts";
import type { Database } from "../database/database.ts";
import { ServiceError, tooManyRequests } from "../errors/service_error.ts";
import { chooseForm, knowsContent } from "../http/gzip.ts";
import { RateLimit } from "../http/rate_limit.ts";
import type { Reply } from "../http/reply.ts";
import type { PublicCall, PublicEndpoint } from "../http/route.ts";
import { TEXT } from "../validate/json_schema.ts";
import { oneOf, optional, readQuery } from "../validate/schema.ts";
import { writeCalendar } from "./calendar.ts";
import { type DueEntry, type DuePosition, readableKinds } from "./due.ts";
import { type DueList, type DueQuery, MAX_DAYS, readDue } from "./due_store.ts";
import { readAlarms, readKinds } from "./feed.ts";
import { findServedFeed, isUseDue, type ServedFeedRow, touchFeed } from "./feed_store.ts";
import { readZone } from "./calendar_zone.ts";

export interface CalendarServices {
  readonly database: Database;
  readonly roles: RoleMatrix;
  readonly origin: string;
}

const CALENDAR_QUERY = { todo: optional(oneOf("true", "false")) };

/** Days before today in a calendar, which ends `MAX_DAYS` after today. */
const DAYS_BACK = 30;
const MAX_ENTRIES = 5_000;
/** Maximum reads of one feed per hour. */
const READS_PER_HOUR = 120;
const HOUR_SECONDS = 60 * 60;

const SUFFIX = ".ics";

/**
 * The secret is checked first, and a wrong one has the response of an unknown path. The name after
 * it may be any, and an earlier form of the address has none.
 */
export function createCalendarEndpoint(services: CalendarServices): PublicEndpoint {
  const reads = new RateLimit("calendar", READS_PER_HOUR, { windowSeconds: HOUR_SECONDS });
  return {
    contract: {
      summary: "Read due items as a calendar; the address ends in .ics",
      query: CALENDAR_QUERY,
      headers: ["If-None-Match"],
      responses: {
        200: { content: { mediaType: "text/calendar", schema: TEXT }, headers: ["ETag"] },
        304: { headers: ["ETag"] },
        410: { content: { mediaType: "text/plain", schema: TEXT } },
      },
      errors: ["HTTP_404"],
    },
    body: "ignored",
    parse: () => {},
    async handle(call) {
      const feed = await findCalled(services, call);
      if (feed.moved_to !== null) return toMovedReply(feed.moved_to);
      const { todo = "false" } = readQuery(CALENDAR_QUERY, ownParameters(call.query));
      const { secondsToWait } = reads.consume(feed.feed_id, call.now);
      if (secondsToWait !== null) {
        throw tooManyRequests(secondsToWait);
      }
      return await runFor({ accountId: feed.account_id, kind: "CALENDAR" }, async () => {
        await storeUse(services, feed, call);
        return toReply(call, await writeFeed(services, feed, todo === "true", call.now));
      });
    },
  };
}

/** Calendar programs show a text to the person, and do not read JSON. */
function toMovedReply(movedTo: string): Reply {
  return {
    status: 410,
    body:
      `This account has moved to ${movedTo}. Sign in there and create a new calendar address.\n`,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  };
}

/** Without the parameters that proxies and programs add. */
function ownParameters(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => Object.hasOwn(CALENDAR_QUERY, name)));
}

/** @throws ServiceError `HTTP_404` unless the path has a feed's secret and ends with `.ics`. */
async function findCalled(
  { database }: CalendarServices,
  { params: { secret = "", name }, now }: PublicCall,
): Promise<ServedFeedRow> {
  const isWhole = (name ?? secret).endsWith(SUFFIX);
  const stated = name === undefined && isWhole ? secret.slice(0, -SUFFIX.length) : secret;
  // Any text is looked up, so that all wrong secrets take the same time.
  const [feed] = await database.read(async (sql) => await findServedFeed(sql, stated, now));
  if (feed === undefined || !isWhole) throw new ServiceError("HTTP_404");
  return feed;
}

/** Stores the use of a feed, at most hourly. A failure is ignored: the next read tries again. */
async function storeUse(
  { database }: CalendarServices,
  feed: ServedFeedRow,
  { request, now }: PublicCall,
): Promise<void> {
  if (!isUseDue(feed, now)) return;
  const client = clientName(request.headers.get("User-Agent"));
  await database.write((sql) => touchFeed(sql, feed, client, now)).catch(() => {});
}

/** Writes the calendar of a feed. During a day it depends on the data only. */
async function writeFeed(
  { database, roles, origin }: CalendarServices,
  feed: ServedFeedRow,
  isTodo: boolean,
  now: Date,
): Promise<string> {
  const today = now.getTime() - (now.getTime() % DAY_MS);
  const readable = readableKinds({ permissions: permissionsOfAccount(feed, roles) });
  const entries = await readEntries(database, feed.account_id, {
    kinds: readKinds(feed.kinds).filter((kind) => readable.includes(kind)),
    // A task stays open, however late it is.
    from: isTodo ? null : new Date(today - DAYS_BACK * DAY_MS),
    until: new Date(today + MAX_DAYS * DAY_MS),
    moment: new Date(today),
    withSecrets: false,
  });
  return writeCalendar(entries.slice(0, MAX_ENTRIES), {
    feedId: feed.feed_id,
    name: feed.name,
    detail: feed.detail,
    alarms: readAlarms(feed.alarms),
    zone: readZone(feed.time_zone, today),
    isTodo,
    origin,
    isCut: entries.length > MAX_ENTRIES,
  });
}

/**
 * Reads the earliest entries in parts, so that other requests are served in between: one more than
 * a calendar has, if there are so many.
 */
async function readEntries(
  database: Database,
  owner: string,
  query: Omit<DueQuery, "after" | "limit">,
): Promise<readonly DueEntry[]> {
  const entries: DueEntry[] = [];
  let after: DuePosition | null = null;
  do {
    const part = { ...query, after, limit: MAX_ENTRIES + 1 - entries.length };
    const list: DueList = await database.read((sql) => readDue(sql, owner, part));
    entries.push(...list.entries);
    after = list.next;
  } while (after !== null && entries.length <= MAX_ENTRIES);
  return entries;
}

function toReply({ request: { headers: sent } }: PublicCall, calendar: string): Reply {
  const tag = sha256Hex(calendar);
  const { isCompressed, etag } = chooseForm(sent, tag);
  const headers = {
    ETag: etag,
    "Cache-Control": "private, max-age=900",
    Vary: "Accept-Encoding",
  };
  if (knowsContent(sent, tag)) return { status: 304, headers };
  return {
    status: 200,
    body: isCompressed ? new Uint8Array(gzipSync(calendar)) : calendar,
    headers: {
      ...headers,
      "Content-Type": "text/calendar; charset=utf-8",
      ...(isCompressed && { "Content-Encoding": "gzip" }),
    },
  };
}

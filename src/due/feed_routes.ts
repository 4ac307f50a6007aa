/** `/api/v2/calendar/feeds`: addresses at which calendar programs read due items. */

import { lockOpenSession } from "../access/sessions.ts";
import {
  assertUnfrozen,
  endCredential,
  extended,
  insertAccessEvent,
  type StepUpServices,
} from "../accounts/port.ts";
import { ServiceError, tooMany } from "../errors/service_error.ts";
import { bodyOf } from "../http/contract.ts";
import { PAGE_QUERY, pageOf, readPage, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { created, ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { spendProof } from "../kit/proof.ts";
import { TEXT } from "../validate/json_schema.ts";
import { readBody, refuseQuery } from "../validate/schema.ts";
import {
  addressName,
  type CalendarFeed,
  type CalendarFeedRow,
  FEED_BODY,
  FEED_SCHEMA,
  toFeed,
  toNewFeed,
} from "./feed.ts";
import {
  countLiveFeeds,
  findFeed,
  insertFeed,
  type IssuedFeed,
  listFeeds,
  MAX_LIVE_FEEDS,
  rotateFeed,
} from "./feed_store.ts";

export interface FeedServices
  extends Pick<StepUpServices, "database" | "eventContextOf" | "stepUp"> {
  /** The public origin, with which addresses begin. */
  readonly origin: string;
}

export interface FeedEndpoints {
  readonly create: Endpoint;
  readonly list: Endpoint;
  readonly detail: Endpoint;
  readonly revoke: Endpoint;
  readonly rotate: Endpoint;
}

const ISSUED_SCHEMA = extended("IssuedCalendarFeed", FEED_SCHEMA, { address: TEXT });

export function createFeedEndpoints(services: FeedServices): FeedEndpoints {
  return {
    create: createEndpoint(services),
    list: listEndpoint(services),
    detail: detailEndpoint(services),
    revoke: revokeEndpoint(services),
    rotate: rotateEndpoint(services),
  };
}

function createEndpoint({ database, eventContextOf, stepUp, origin }: FeedServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Create a calendar feed and return its address once; requires a step-up proof",
      stepUp: "TOKEN_CREATE",
      body: bodyOf(FEED_BODY, {
        name: "My phone",
        kinds: ["COMMITMENT", "ACTION", "DATE"],
        detail: "BUSY",
        alarms: { timed: [15], allDay: "09:00" },
        timeZone: "Europe/Berlin",
      }),
      responses: { 201: { data: ISSUED_SCHEMA } },
      errors: ["SYSTEM_MAINTENANCE"],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const { caller, now, operation } = call;
      const feed = toNewFeed(readBody(FEED_BODY, call.body), now);
      const { accountId } = caller.account;
      const issued = await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, operation);
        if (await countLiveFeeds(tx.sql, accountId, now) >= MAX_LIVE_FEEDS) throw tooManyFeeds();
        await spendProof({ stepUp }, call, tx.sql, { purpose: "TOKEN_CREATE" });
        const made = await insertFeed(tx, accountId, feed, now);
        const credential = { kind: "CALENDAR", id: made.row.feed_id } as const;
        const event = { ...eventContextOf(call), event: "CALENDAR_FEED_CREATED" } as const;
        await insertAccessEvent(tx.sql, { ...event, credential, accountId });
        return made;
      });
      return created(showIssued(issued, origin), `/api/v2/calendar/feeds/${issued.row.feed_id}`);
    },
  });
}

function listEndpoint({ database }: FeedServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the account's live calendar feeds, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(FEED_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller: { account: { accountId } }, now }) {
      const { rows } = await readPage<CalendarFeedRow>(database, (sql) => {
        const rows = listFeeds(sql, accountId, { cursor, limit: limit + 1 }, now).execute();
        return {
          cursor: cursor === null ? null : findFeed(sql, accountId, cursor),
          rows: rows.then((rows) => ({ rows, more: false, examined: null })),
        };
      });
      return ok(toPage(rows, limit, toFeed, ({ feedId }) => feedId));
    },
  });
}

function detailEndpoint({ database }: FeedServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Read a calendar feed, also one that has ended",
      responses: { 200: { data: FEED_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "feedId"),
    async handle({ parsed: feedId, caller: { account: { accountId } } }) {
      const [row] = await database.read(async (sql) => await findFeed(sql, accountId, feedId));
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(toFeed(row));
    },
  });
}

/** Revoking a feed twice is not an error. */
function revokeEndpoint({ database, eventContextOf }: FeedServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Revoke a calendar feed",
      responses: { 200: { data: FEED_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "feedId"),
    async handle(call) {
      const { parsed: feedId, caller: { account: { accountId } } } = call;
      const row = await database.transaction(async (tx) => {
        await endCredential(tx, accountId, { kind: "CALENDAR", id: feedId }, eventContextOf(call));
        return (await findFeed(tx.sql, accountId, feedId))[0];
      });
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(toFeed(row));
    },
  });
}

function rotateEndpoint({ database, eventContextOf, stepUp, origin }: FeedServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Replace the address of a calendar feed; requires a step-up proof",
      stepUp: "TOKEN_CREATE",
      responses: { 200: { data: ISSUED_SCHEMA } },
      errors: ["RECORD_NOT_FOUND", "SYSTEM_MAINTENANCE"],
    },
    body: "none",
    parse: (call) => readOnlyPathId(call, "feedId"),
    async handle(call) {
      const { parsed: feedId, caller, now, operation } = call;
      const { accountId } = caller.account;
      const issued = await database.transaction(async (tx) => {
        await lockOpenSession(tx, caller);
        await assertUnfrozen(tx.sql, accountId, operation);
        const rotated = await rotateFeed(tx, accountId, feedId, now);
        if (rotated === null) throw new ServiceError("RECORD_NOT_FOUND");
        await spendProof({ stepUp }, call, tx.sql, { purpose: "TOKEN_CREATE" });
        const credential = { kind: "CALENDAR", id: feedId } as const;
        const event = { ...eventContextOf(call), event: "CALENDAR_FEED_ROTATED" } as const;
        await insertAccessEvent(tx.sql, { ...event, credential, accountId });
        return rotated;
      });
      return ok(showIssued(issued, origin));
    },
  });
}

/** Adds the address, which cannot be shown again. */
function showIssued(
  { row, secret }: IssuedFeed,
  origin: string,
): CalendarFeed & { address: string } {
  return { ...toFeed(row), address: `${origin}/calendar/${secret}/${addressName(row.name)}.ics` };
}

function tooManyFeeds(): ServiceError {
  return tooMany("feed.count", MAX_LIVE_FEEDS);
}

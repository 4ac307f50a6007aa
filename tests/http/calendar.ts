/** Shared by the suites of due items: feeds, calendars and their lines. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { proofOf } from "../support/tokens.ts";
import {
  type Caller,
  type CallOptions,
  type Json,
  ORIGIN,
  type TestResponse,
  type World,
} from "../support/world.ts";

export const DUE = "/api/v2/due";
export const FEEDS = "/api/v2/calendar/feeds";

export const ALL_KINDS = [
  "COMMITMENT",
  "ACTION",
  "ROUTINE",
  "DECISION_REVIEW",
  "CONTACT",
  "DATE",
  "PROPOSAL",
];

/** The smallest body of a feed of all kinds. */
export const FEED: JsonObject = {
  name: "My phone",
  kinds: ALL_KINDS,
  detail: "TITLES",
  timeZone: "UTC",
};

export const COMMITMENT: JsonObject = {
  commitmentType: "OUTGOING",
  content: "Water the plants",
  completionStatus: "OPEN",
};
export const ACTION: JsonObject = {
  actionType: "TASK",
  actionTitle: "Paint the fence",
  actionStatus: "PLANNED",
  successCriteria: "It is green",
};
export const ROUTINE: JsonObject = {
  routineName: "Bins",
  area: "House",
  intervalDays: 7,
  active: true,
};

/** Asks for a feed, with a proof. */
export async function askForFeed(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  body: JsonObject = {},
): Promise<TestResponse> {
  const headers = await proofOf(world, caller, "TOKEN_CREATE");
  return await caller.call("POST", FEEDS, { body: { ...FEED, ...body }, headers });
}

/** Makes a feed, and returns it with its address. */
export async function makeFeed(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  body: JsonObject = {},
): Promise<Json> {
  const response = await askForFeed(world, caller, body);
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}

export function pathOfFeed({ address }: Json): string {
  return String(address).slice(ORIGIN.length);
}

export async function readCalendar(
  world: Pick<World, "call">,
  feed: Json,
  query = "",
  options: CallOptions = {},
): Promise<string> {
  const response = await world.call("GET", `${pathOfFeed(feed)}${query}`, options);
  assertEquals(response.status, 200, response.text);
  return response.text;
}

/** The unfolded lines of a calendar. Each stored line has at most 75 octets. */
export function linesOf(calendar: string): string[] {
  assert(calendar.endsWith("\r\n"));
  const encoder = new TextEncoder();
  for (const line of calendar.slice(0, -2).split("\r\n")) {
    assert(encoder.encode(line).length <= 75, line);
    assert(!/[\r\n\u0085\u2028\u2029]/.test(line), line);
  }
  return calendar.slice(0, -2).replaceAll("\r\n ", "").split("\r\n");
}

/** The lines of each component of a name, without its BEGIN and END. */
export function componentsOf(calendar: string, name: string): string[][] {
  const found: string[][] = [];
  let current: string[] | null = null;
  for (const line of linesOf(calendar)) {
    if (line === `BEGIN:${name}`) found.push(current = []);
    else if (line === `END:${name}`) current = null;
    else current?.push(line);
  }
  return found;
}

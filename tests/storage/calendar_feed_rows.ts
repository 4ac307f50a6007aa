/** Rows of calendar feeds, and rows that violate their constraints. */

import { ulid } from "@std/ulid";
import type { Caller } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { AT, insertInto, type Offences, type Row } from "./rows.ts";

export function newFeed({ accountId }: Caller, columns: Row = {}): Row {
  return {
    account_id: accountId,
    feed_id: ulid(),
    name: "Mine",
    kinds: "ACTION DATE",
    detail: "BUSY",
    alarms: `{"timed":[],"allDay":null}`,
    time_zone: "Europe/Berlin",
    secret_digest: digest(),
    created_at: AT,
    expires_at: null,
    ...columns,
  };
}

const feed = (caller: Caller, columns: Row) =>
  insertInto("calendar_feeds", newFeed(caller, columns));

/** Rows that violate the constraints of calendar feeds, by the names of these. */
export const CALENDAR_FEED_OFFENCES: Readonly<Record<string, Offences>> = {
  calendar_feed_of_account: (caller) => [feed(caller, { account_id: ulid() })],
  calendar_feed_name_length: (caller) =>
    ["", "x".repeat(101)].map((name) => feed(caller, { name })),
  calendar_feed_kinds_known: (caller) =>
    ["", "ACTION OTHER"].map((kinds) => feed(caller, { kinds })),
  calendar_feed_detail_known: (caller) => [feed(caller, { detail: "ALL" })],
  calendar_feed_alarms_object: (caller) => [feed(caller, { alarms: "[]" })],
  calendar_feed_time_zone_form: (caller) => [feed(caller, { time_zone: "+02:00" })],
  calendar_feed_digest_unique: (caller) => {
    const same = { secret_digest: digest() };
    return [feed(caller, same) + feed(caller, same)];
  },
  calendar_feed_digest_length: (caller) => [feed(caller, { secret_digest: digest(31) })],
  calendar_feed_lifetime: (caller) => [feed(caller, { expires_at: AT })],
  calendar_feed_client_form: (caller) => [
    feed(caller, { last_used_at: AT, last_used_by: "a; b" }),
  ],
  calendar_feed_use_whole: (caller) => [feed(caller, { last_used_at: AT })],
};

// engines: postgres
/**
 * Raw SQL on calendar feeds: only the secret, the use and the revocation change, and the last one
 * once.
 */

import { assertEquals } from "@std/assert";
import { sharedWorld } from "../support/world.ts";
import { digest } from "./authorization_rows.ts";
import { newFeed } from "./calendar_feed_rows.ts";
import { AT, insertInto, refusal, type Row } from "./rows.ts";
import { assertFixed } from "./stored_rows.ts";

const world = sharedWorld();

Deno.test("A feed stays as it was made, and an ended one ends once", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const feed = newFeed(caller);
  const ended = newFeed(caller, { revoked_at: AT });
  await world().raw(insertInto("calendar_feeds", feed) + insertInto("calendar_feeds", ended));
  const key = ["account_id", "feed_id"];
  const fixed: readonly Row[] = [
    { account_id: other.accountId },
    { name: "Another" },
    { kinds: "PROPOSAL" },
    { detail: "TITLES" },
    { alarms: "{}" },
    { time_zone: "UTC" },
    { created_at: "2026-11-20T12:00:00.001Z" },
    { expires_at: "2027-11-20T12:00:00.000Z" },
  ];
  for (const change of fixed) {
    await assertFixed(world(), { table: "calendar_feeds", key, row: feed }, change);
  }
  for (const change of [{ revoked_at: null }, { secret_digest: digest() }]) {
    await assertFixed(world(), { table: "calendar_feeds", key, row: ended }, change);
  }
  const allowed = [
    `secret_digest = ${digest().replace(/^/, "'")}'`,
    `last_used_at = '${AT}', last_used_by = 'curl'`,
    `revoked_at = '${AT}'`,
  ];
  for (const change of allowed) {
    const update = `update calendar_feeds set ${change} where feed_id = '${feed.feed_id}'`;
    assertEquals(await refusal(world(), update), null, change);
  }
});

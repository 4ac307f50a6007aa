/** A module's records become projections of its roots. */

import { assertEquals } from "@std/assert";
import { pathOf } from "../../http/kernel.ts";
import { createWorld } from "../../support/world.ts";

const PROMOTION = await Deno.readTextFile(new URL("promotion.sql", import.meta.url));

Deno.test("A promoted module's records become roots with all their revisions", async () => {
  await using world = await createWorld();
  const caller = await world.createCaller();
  const place = { placeName: "The sea", placeType: "NATURE", notes: "Cold." };
  const made = await caller.create("place", place);
  await caller.call("PATCH", pathOf(made), { body: { payload: { placeName: "The lake" } } });
  await caller.call("POST", `${pathOf(made)}/archive`);

  // In one transaction, like a schema step.
  await world.raw(PROMOTION);

  const roots = await world.rows("select place_id, revision, place_name, notes from places");
  assertEquals(roots, [{
    place_id: made.recordId,
    revision: 3,
    place_name: "The lake",
    notes: "Cold.",
  }]);
  const revisions = await world.rows(
    "select revision, change, place_name from place_revisions order by revision",
  );
  const shown = (await caller.call("GET", `${pathOf(made)}/revisions`)).body.data.items;
  assertEquals(
    revisions.map(({ revision, change }) => [revision, change]),
    shown.map((item: { revision: number; change: string }) => [item.revision, item.change])
      .toReversed(),
  );
});

/** Only published fields are public, after any operations. */

import { assert, assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json, type World } from "../support/world.ts";
import { changed, introduce, PROFILE, ROLES, SNAPSHOTS, STAGES } from "../families/identity/api.ts";
import {
  look,
  PUBLIC,
  PUBLISH,
  published,
  REFRESH,
  REVOKE,
  setEnabled,
} from "../families/identity/public.ts";
import { done, post, read } from "../families/memory/api.ts";

const shared = fileWorld();

const PUBLIC_FIELDS = ["displayName", "currentRole", "lifeStage", "publicSummary", "tags"];

/** Every non-empty selection. */
const SELECTIONS: readonly (readonly string[])[] = Array.from(
  { length: 31 },
  (_, index) => PUBLIC_FIELDS.filter((_, place) => ((index + 1) >> place) % 2 === 1),
);

/** Stored but never public; an ETag may have a year's digits, but no date. */
const UNPUBLISHED = /1987-06-05|2029-06-05|OTHER/;

/** Marked texts and times; `lifeStage` has options only. */
function markedProfile(markers: Markers, round: number): Record<string, Json> {
  return {
    displayName: markers.make("displayName"),
    currentRole: markers.make("currentRole"),
    lifeStage: round % 2 === 0 ? "LATER_LIFE" : "TRANSITION",
    startedAt: `1987-06-05T04:03:02.${100 + round}Z`,
    endedAt: `2029-06-05T04:03:02.${100 + round}Z`,
    biography: markers.make("biography"),
    publicSummary: markers.make("publicSummary"),
    tags: [markers.make("tags")],
  };
}

/** Stores marked objects next to the profile. */
async function keepMarked(caller: Caller, markers: Markers): Promise<void> {
  const mark = (purpose: string) => markers.make(purpose);
  const startedAt = "1987-06-05T04:03:02.001Z";
  const stage = { lifeStage: "OTHER", title: mark("stage"), note: mark("stage"), startedAt };
  await done(caller, STAGES, stage);
  const fields = { displayName: mark("snapshot"), biography: mark("snapshot") };
  await done(caller, SNAPSHOTS, { label: mark("snapshot"), fields });
  await done(caller, SNAPSHOTS, { label: mark("snapshot") });
}

/** Exactly the listed fields. */
async function assertShows(
  world: World,
  markers: Markers,
  slug: string,
  fields: readonly string[],
  profile: Record<string, Json>,
): Promise<void> {
  const response = await look(world, slug);
  assertEquals(response.status, 200, response.text);
  const { updatedAt, ...view } = response.body.data;
  const listed = Object.fromEntries(fields.map((name) => [name, profile[name]]));
  assertEquals([view, typeof updatedAt], [{ slug, ...listed }, "string"]);
  const marked = fields.filter((name) => name !== "lifeStage");
  assertEquals(markers.inResponse(response), [...marked, "slug"].sort());
  const told = response.text + JSON.stringify([...response.headers]);
  assert(!UNPUBLISHED.test(told), told);
  assertEquals(/LATER_LIFE|TRANSITION/.test(told), fields.includes("lifeStage"), told);
}

async function assertShowsNothing(world: World, markers: Markers, slug: string): Promise<void> {
  const response = await look(world, slug);
  assertEquals([response.status, markers.inResponse(response)], [404, []], response.text);
  assert(!UNPUBLISHED.test(response.text), response.text);
  assert(!/LATER_LIFE|TRANSITION/.test(response.text), response.text);
}

Deno.test("Unpublished fields are never visible, nor in any log or ledger", async () => {
  const world = shared();
  const markers = new Markers();
  const slugOf = () => markers.make("slug").toLowerCase();
  const caller = await world.createCaller();
  let profile = markedProfile(markers, 0);
  await introduce(caller, profile);
  await keepMarked(caller, markers);
  let revision = 1;
  let former: string | null = null;
  for (const [round, fields] of SELECTIONS.entries()) {
    const slug = slugOf();
    await published(world, caller, { slug, fields: [...fields] });
    await assertShows(world, markers, slug, fields, profile);
    if (former !== null) await assertShowsNothing(world, markers, former);
    former = slug;

    const next = markedProfile(markers, round + 1);
    await changed(caller, PROFILE, { expectedRevision: revision++, set: next });
    await assertShows(world, markers, slug, fields, profile);
    profile = next;
    await done(caller, REFRESH, {});
    await assertShows(world, markers, slug, fields, profile);
    if (round % 10 > 0) continue;

    await setEnabled(world, caller, false);
    await assertShowsNothing(world, markers, slug);
    await setEnabled(world, caller, true);
    await assertShows(world, markers, slug, fields, profile);
    await done(caller, REVOKE, {});
    await assertShowsNothing(world, markers, slug);
    const revoked = await read(caller, PUBLIC);
    assertEquals([revoked.view, markers.in(JSON.stringify(revoked))], [null, ["slug"]]);
  }
  assertEquals(world.log.filter(({ route }) => route === `${PUBLIC}/:slug`).length > 90, true);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  const kept = columns.filter((column) => !/^identity_(profile|role|stage|snapshot)/.test(column));
  assertEquals(kept.sort(), [
    "identity_publication_revisions.slug",
    "identity_publications.slug",
    "identity_slugs.slug",
  ]);
});

Deno.test("A new role changes the view only after a refresh, and its reason never shows", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const profile = markedProfile(markers, 0);
  await introduce(caller, profile);
  const slug = markers.make("slug").toLowerCase();
  const fields = ["currentRole"];
  await published(world, caller, { slug, fields });
  const role = markers.make("currentRole");
  const changedAt = "1987-06-05T04:03:02.001Z";
  await done(caller, ROLES, { role, changedAt, reason: markers.make("reason") });
  await assertShows(world, markers, slug, fields, profile);
  await done(caller, REFRESH, {});
  await assertShows(world, markers, slug, fields, { currentRole: role });
});

Deno.test("No publication error repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const [caller, other] = [await world.createCaller(), await world.createCaller()];
  await introduce(caller, markedProfile(markers, 0));
  await introduce(other, markedProfile(markers, 0));
  const slug = markers.make("slug").toLowerCase();
  await published(world, other, { slug, fields: ["tags"] });
  const word = markers.make("sent");
  const refused: [string, JsonObject][] = [
    [PUBLISH, { slug: word, fields: [word], [word]: word }],
    [PUBLISH, { slug, fields: ["displayName"] }],
    [REFRESH, {}],
    [REVOKE, { [word]: word }],
  ];
  for (const [path, body] of refused) {
    markers.assertTellsNothing(await post(caller, path, body), path);
  }
  markers.assertTellsNothing(await caller.call("GET", PUBLIC), "a publication");
  markers.assertTellsNothing(await look(world, word), "a view");
  const queried = await world.call("GET", `${PUBLIC}/${slug}?${word}=${word}`);
  markers.assertTellsNothing(queried, "a query");
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});

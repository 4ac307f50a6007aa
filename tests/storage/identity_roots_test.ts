// engines: postgres
/** Raw SQL on identity's roles, stages and slugs. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import { changeRow, insertOwned, insertRow, newRow, stepRow } from "./family_rows.ts";
import { newRole, newSlug, PROFILES, PUBLICATIONS, STAGES } from "../families/identity/rows.ts";
import { assertRefusedToAll, insertInto, nextRoot, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

/** Enters a role, with the profile's revision. */
function enter(profile: Row, role: Row, taken: Row = {}): string {
  const next = nextRoot(profile, { role: role.role, role_id: role.role_id, ...taken } as Row);
  return insertInto("identity_roles", role) + stepRow(PROFILES, profile, next);
}

Deno.test("The profile has the newest role at the end of every transaction", async () => {
  const profile = newRow(PROFILES, ulid());
  const owner = String(profile.owner_id);
  await world().raw(insertOwned(PROFILES, profile));
  const role = newRole(owner, { changed_at: "2010-01-01T00:00:00.000Z" });
  const refused = [
    insertInto("identity_roles", role),
    enter(profile, role, { role: "Painter" }),
    enter(profile, role, { role_id: null }),
    stepRow(PROFILES, profile, nextRoot(profile, { role: "Baker" })) +
    insertInto("identity_roles", role),
  ];
  for (const script of refused) await assertRefusedToAll(world(), script, "PRS05");
  await world().raw(enter(profile, role));
  const present = nextRoot(profile, { role: role.role, role_id: role.role_id } as Row);
  const [later, earlier] = [
    newRole(owner, { role: "Rower", changed_at: "2010-01-01T00:00:00.000Z" }),
    newRole(owner, { role: "Pupil", changed_at: "2009-12-31T23:59:59.999Z" }),
  ];
  assertEquals(await refusal(world(), insertInto("identity_roles", later)), "PRS05");
  assertEquals(await refusal(world(), enter(present, earlier)), "PRS05");
  assertEquals(await refusal(world(), insertInto("identity_roles", earlier)), null);
  for (const changes of [{ role: "Rower" }, { role: null }, { role: null, role_id: null }]) {
    const script = stepRow(PROFILES, present, nextRoot(present, changes));
    assertEquals(await refusal(world(), script), "PRS05", JSON.stringify(changes));
  }
  const forged = stepRow(PROFILES, present, nextRoot(present), {
    role_id: earlier.role_id ?? null,
  });
  assertEquals(await refusal(world(), forged), "PRS05");
  const other = stepRow(PROFILES, present, nextRoot(present, { biography: "B" }));
  assertEquals(await refusal(world(), other), null);
});

Deno.test("Stages may touch or overlap archived ones, and are checked on restore", async () => {
  const stage = newRow(STAGES, ulid());
  const owner = String(stage.owner_id);
  const beside = { ...STAGES, parents: () => "" };
  const next = newRow(STAGES, owner, { started_at: "2001-01-01T00:00:00.000Z", ended_at: null });
  const over = newRow(STAGES, owner, { archived_at: "2026-11-20T12:00:00.000Z" });
  await world().raw(insertOwned(STAGES, stage));
  for (const row of [next, over]) {
    assertEquals(await refusal(world(), insertRow(beside, row)), null);
  }
  const overlap = "23P01 stages_do_not_overlap";
  const changes: [Row, Row][] = [
    [over, { archived_at: null }],
    [stage, { ended_at: "2001-01-01T00:00:00.001Z" }],
    [stage, { ended_at: null }],
  ];
  for (const [row, change] of changes) {
    await assertRefusedToAll(world(), changeRow(STAGES, row, nextRoot(row, change)), overlap);
  }
  // Another owner's life may overlap.
  assertEquals(await refusal(world(), insertOwned(STAGES, newRow(STAGES, ulid()))), null);
});

Deno.test("A slug stays its owner's, and a publication uses one of its owner's", async () => {
  const [mine, theirs] = [newRow(PUBLICATIONS, ulid()), newRow(PUBLICATIONS, ulid())];
  for (const row of [mine, theirs]) await world().raw(insertOwned(PUBLICATIONS, row));
  const slug = { slug: mine.slug ?? null };
  const taken = insertInto("identity_slugs", newSlug({ ...theirs, ...slug }));
  await assertRefusedToAll(world(), taken, "23505 slug_of_one_owner");
  const moved = nextRoot(theirs, slug);
  const published = stepRow(PUBLICATIONS, theirs, moved);
  assertEquals(await refusal(world(), published), "23503 publication_slug_of_owner");
});

Deno.test("No restricted column of a publication differs from its newest ledger row", async () => {
  const row = newRow(PUBLICATIONS, ulid());
  await world().raw(insertOwned(PUBLICATIONS, row));
  const revoked = { state: "REVOKED", revoked_at: row.created_at ?? null };
  const next = nextRoot(row, revoked);
  const ends = { change: "REVOKED" };
  for (const forged of [{ slug: "another-slug" }, { revoked_at: null }]) {
    const script = stepRow(PUBLICATIONS, row, next, { ...ends, ...forged });
    assertEquals(await refusal(world(), script), "PRS05", JSON.stringify(forged));
  }
  const state = stepRow(PUBLICATIONS, row, next, { change: "REFRESHED", state: "PUBLISHED" });
  assertEquals(await refusal(world(), state), "PRS05");
  assertEquals(await refusal(world(), stepRow(PUBLICATIONS, row, next, ends)), null);
});

/** What raw SQL cannot do to profiles, stages, publications and plans, whatever role it runs in. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { sharedWorld } from "../support/world.ts";
import {
  insertRoot,
  type Kind,
  newPlan,
  newProfile,
  newPublication,
  newRole,
  newSlug,
  newStage,
  nextRoot,
  PLAN,
  PROFILE,
  PUBLICATION,
  revisionOf,
  STAGE,
  stepRoot,
  updateRoot,
} from "./identity_rows.ts";
import { insertInto, refusal, type Row } from "./rows.ts";

const world = sharedWorld();

/** One root of each kind, of one owner, stored. */
async function storedRoots(): Promise<readonly { readonly kind: Kind; readonly root: Row }[]> {
  const { accountId: owner } = await world().person();
  const roots = [
    { kind: PROFILE, root: newProfile(owner) },
    { kind: STAGE, root: newStage(owner) },
    { kind: PUBLICATION, root: newPublication(owner) },
    { kind: PLAN, root: newPlan(owner) },
  ];
  const [profile, ...others] = roots.map(({ kind, root }) => insertRoot(kind, root));
  const slug = insertInto("identity_slugs", newSlug(owner));
  await world().raw([profile, slug, ...others].join("\n"));
  return roots;
}

/** The statement is refused, also by the roles that ordinary triggers keep quiet for. */
async function assertRefusedToAll(statement: string, expected: string): Promise<void> {
  for (const role of ["origin", "replica", "local"]) {
    const script = `set local session_replication_role = ${role}; ${statement}`;
    assertEquals(await refusal(world(), script), expected, script);
  }
}

Deno.test("No statement changes the owner, identifier or creation of a root", async () => {
  const other = (await world().person()).accountId;
  for (const { kind, root } of await storedRoots()) {
    const changes: Row[] = [
      { owner_id: other },
      { [kind.id]: ulid() },
      { created_at: "2020-01-01T00:00:00.000Z" },
    ];
    for (const change of changes) {
      await assertRefusedToAll(updateRoot(kind, root, nextRoot(root, change)), "PRS04");
    }
  }
});

Deno.test("A revision rises by one and with its ledger row, which equals the root", async () => {
  for (const { kind, root } of await storedRoots()) {
    await assertRefusedToAll(updateRoot(kind, root, nextRoot(nextRoot(root))), "PRS03");
    const still = { ...root, revision_id: ulid() };
    await assertRefusedToAll(updateRoot(kind, root, still), "PRS03");
    const ahead = insertInto(kind.ledger, revisionOf(kind, nextRoot(root)));
    assertEquals(await refusal(world(), ahead), "PRS05", kind.root);
    const alone = updateRoot(kind, root, nextRoot(root));
    assertEquals(await refusal(world(), alone), `23503 ${kind.root}_have_revision`);
    assertEquals(await refusal(world(), stepRoot(kind, root)), null, kind.root);
  }
});

/** A value that a column of a ledger row does not have yet. */
const FORGERIES: Readonly<Record<string, string | number>> = {
  revision_id: ulid(),
  created_at: "2026-11-20T12:00:00.001Z",
  archived_at: "2026-11-20T12:00:00.000Z",
  display_name: "Forged",
  role: "Forged",
  life_stage: "OTHER",
  started_at: "1990-01-01T00:00:00.000Z",
  ended_at: "2020-01-01T00:00:00.000Z",
  biography: "Forged",
  public_summary: "Forged",
  tags: `["forged"]`,
  title: "Forged",
  note: "Forged",
  slug: "forged-slug",
  fields: "{tags}",
  state: "FORGED",
  profile_revision: 7,
  published_at: "2020-01-01T00:00:00.000Z",
  revoked_at: "2020-01-01T00:00:00.000Z",
  recipient_description: "Forged",
  release_condition: "Forged",
  instructions: "Forged",
};

Deno.test("No column of a ledger row differs from its root, whichever it is", async () => {
  for (const { kind, root } of await storedRoots()) {
    const columns = Object.keys(revisionOf(kind, root)).filter((column) =>
      !["owner_id", kind.id, "revision", "change", "role_id"].includes(column)
    );
    assert(columns.length > 4);
    for (const column of columns) {
      const forged = FORGERIES[column];
      assert(forged !== undefined, column);
      const script = stepRoot(kind, root, {}, { [column]: forged });
      assertEquals(await refusal(world(), script), "PRS05", `${kind.root}.${column}`);
    }
  }
});

/** A role with the revision of the profile that takes it over. */
function enter(profile: Row, role: Row, taken: Row = {}): string {
  const { role_id = null, role: text = null } = role;
  const changes: Row = { role: text, role_id, ...taken };
  return insertInto("identity_roles", role) + stepRoot(PROFILE, profile, changes);
}

Deno.test("The profile has the newest role whenever a transaction ends", async () => {
  const { accountId: owner } = await world().person();
  const profile = newProfile(owner);
  await world().raw(insertRoot(PROFILE, profile));
  const role = newRole(owner, { changed_at: "2010-01-01T00:00:00.000Z" });
  const refused = [
    insertInto("identity_roles", role),
    enter(profile, role, { role: "Poet" }),
    enter(profile, role, { role_id: null }),
    stepRoot(PROFILE, profile, { role: "Baker" }) + insertInto("identity_roles", role),
  ];
  for (const script of refused) await assertRefusedToAll(script, "PRS05");
  await world().raw(enter(profile, role));
  const present = nextRoot(profile, { role: role.role ?? null, role_id: role.role_id ?? null });
  const later = newRole(owner, { role: "Poet", changed_at: "2010-01-01T00:00:00.000Z" });
  const earlier = newRole(owner, { role: "Pupil", changed_at: "2009-12-31T23:59:59.999Z" });
  assertEquals(await refusal(world(), insertInto("identity_roles", later)), "PRS05");
  assertEquals(await refusal(world(), enter(present, earlier)), "PRS05");
  assertEquals(await refusal(world(), insertInto("identity_roles", earlier)), null);
  for (const changes of [{ role: "Poet" }, { role: null }, { role: null, role_id: null }]) {
    const script = stepRoot(PROFILE, present, changes);
    assertEquals(await refusal(world(), script), "PRS05", JSON.stringify(changes));
  }
  assertEquals(await refusal(world(), stepRoot(PROFILE, present, { biography: "B" })), null);
});

Deno.test("Stages touch, lie over archived ones and belong to their owner alone", async () => {
  const [{ accountId: owner }, { accountId: other }] = [
    await world().person(),
    await world().person(),
  ];
  const [stage, foreign] = [newStage(owner), newStage(other)];
  const next = newStage(owner, { started_at: "2001-01-01T00:00:00.000Z", ended_at: null });
  await world().raw([
    ...[owner, other].map((each) => insertRoot(PROFILE, newProfile(each))),
    ...[stage, foreign, next].map((each) => insertRoot(STAGE, each)),
  ].join("\n"));
  const over = newStage(owner, { archived_at: "2026-11-20T12:00:00.000Z" });
  assertEquals(await refusal(world(), insertRoot(STAGE, over)), null);
  const overlap = "23P01 stages_do_not_overlap";
  const back = { archived_at: null };
  const restored = updateRoot(STAGE, over, nextRoot(over, back));
  await assertRefusedToAll(restored, overlap);
  const longer = nextRoot(stage, { ended_at: "2001-01-01T00:00:00.001Z" });
  await assertRefusedToAll(updateRoot(STAGE, stage, longer), overlap);
  await assertRefusedToAll(updateRoot(STAGE, stage, nextRoot(stage, { ended_at: null })), overlap);
});

Deno.test("A slug stays its owner's, also when it is published no more", async () => {
  const [first, second] = [await world().person(), await world().person()];
  const [mine, theirs] = [newSlug(first.accountId), newSlug(second.accountId)];
  await world().raw(
    insertRoot(PROFILE, newProfile(first.accountId)) +
      insertRoot(PROFILE, newProfile(second.accountId)) +
      insertInto("identity_slugs", mine) + insertInto("identity_slugs", theirs),
  );
  const taken = { ...theirs, slug: mine.slug ?? null };
  await assertRefusedToAll(insertInto("identity_slugs", taken), "23505 slug_of_one_owner");
  const slug = { slug: mine.slug ?? null };
  const published = insertRoot(PUBLICATION, newPublication(second.accountId, slug));
  assertEquals(await refusal(world(), published), "23503 publication_slug_of_owner");
});

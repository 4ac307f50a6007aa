/** What the tables of identity must refuse, by the constraint that refuses it. */

import { ulid } from "@std/ulid";
import {
  insertExecution,
  insertRoot,
  type Kind,
  newComparison,
  newDrill,
  newPlan,
  newProfile,
  newPublication,
  newRole,
  newSlug,
  newSnapshot,
  newStage,
  nextRoot,
  PLAN,
  PROFILE,
  PUBLICATION,
  revisionOf,
  STAGE,
  stepRoot,
} from "./identity_rows.ts";
import { insertInto, type Offences, type Row } from "./rows.ts";

const EARLIER = "2026-11-20T11:59:59.999Z";
const LATER = "2026-11-20T12:05:00.001Z";
const LONG = "x".repeat(100_001);

/** How rows of a table are written for the test: what they need, then the row itself. */
type Writing = (owner: string, wrong: Row) => string;

function each(write: Writing, ...columns: readonly Row[]): Offences {
  return ({ accountId }) => columns.map((wrong) => write(accountId, wrong));
}

const profile: Writing = (owner, wrong) => insertRoot(PROFILE, newProfile(owner, wrong));
const stage = behindProfile((owner, wrong) => insertRoot(STAGE, newStage(owner, wrong)));
const role = behindProfile((owner, wrong) => insertInto("identity_roles", newRole(owner, wrong)));
const snapshot = behindProfile((owner, wrong) =>
  insertInto("identity_snapshots", newSnapshot(owner, wrong))
);
const slug = behindProfile((owner, wrong) => insertInto("identity_slugs", newSlug(owner, wrong)));
const publication = behindProfile((owner, wrong) =>
  insertInto("identity_slugs", newSlug(owner)) +
  insertRoot(PUBLICATION, newPublication(owner, wrong))
);
const plan = behindProfile((owner, wrong) => insertRoot(PLAN, newPlan(owner, wrong)));
const comparison = behindProfile((owner, wrong) => {
  const row = newComparison(owner, wrong);
  return insertExecution(owner, row.comparison_id ?? null) +
    insertInto("identity_comparisons", row);
});
const drill = behindProfile((owner, wrong) => {
  const row = newPlan(owner);
  const drilled = newDrill(row, wrong);
  return insertRoot(PLAN, row) + insertExecution(owner, drilled.drill_id ?? null) +
    insertInto("identity_legacy_drills", drilled);
});

function behindProfile(write: Writing): Writing {
  return (owner, wrong) => profile(owner, {}) + write(owner, wrong);
}

/** Steps of a root whose second ledger row is forged. */
function steps(
  kind: Kind,
  root: (owner: string) => Row,
  before: Writing,
  ...forged: Row[]
): Offences {
  return ({ accountId }) =>
    forged.map((columns) => {
      const row = root(accountId);
      return before(accountId, {}) + insertRoot(kind, row) + stepRoot(kind, row, {}, columns);
    });
}

const nothing: Writing = () => "";
const withSlug = behindProfile((owner) => insertInto("identity_slugs", newSlug(owner)));

/** What `make_revisions` promises of every root. */
function rootOffences(kind: Kind, root: (owner: string, columns?: Row) => Row, before: Writing) {
  const { ledger } = kind;
  return {
    [`${kind.root}_times_ordered`]: each(
      (owner, wrong) => before(owner, {}) + insertRoot(kind, root(owner, wrong)),
      { updated_at: EARLIER },
    ),
    [`${kind.root}_have_revision`]: each(
      (owner) => before(owner, {}) + insertInto(kind.root, root(owner)),
      {},
    ),
    [`${ledger}_have_root`]: each(
      (owner) => before(owner, {}) + insertInto(ledger, revisionOf(kind, root(owner))),
      {},
    ),
    [`${ledger}_revision_positive`]: steps(kind, root, before, { revision: 0 }),
    [`${ledger}_follow`]: each((owner) => {
      const first = root(owner);
      const third = revisionOf(kind, nextRoot(nextRoot(first)));
      return before(owner, {}) + insertRoot(kind, first) + insertInto(ledger, third);
    }, {}),
    [`${ledger}_revision_id_unique`]: each((owner) => {
      const first = root(owner);
      const forged = { revision_id: first.revision_id ?? null };
      return before(owner, {}) + insertRoot(kind, first) + stepRoot(kind, first, {}, forged);
    }, {}),
  };
}

/** A second root of an owner who has one. */
function second(kind: Kind, root: (owner: string) => Row, before: Writing): Offences {
  return each(
    (owner) =>
      before(owner, {}) + insertRoot(kind, root(owner)) + insertInto(kind.root, root(owner)),
    {},
  );
}

const profiles: Readonly<Record<string, Offences>> = {
  ...rootOffences(PROFILE, newProfile, nothing),
  identity_profile_owner_exists: () => [insertInto(PROFILE.root, newProfile(ulid()))],
  one_profile_an_owner: second(PROFILE, newProfile, nothing),
  profile_name_length: each(profile, { display_name: "" }, { display_name: "x".repeat(501) }),
  profile_role_length: each(profile, { role: "x".repeat(501) }),
  profile_period_ordered: each(profile, { started_at: LATER, ended_at: EARLIER }),
  profile_biography_length: each(profile, { biography: LONG }),
  profile_summary_length: each(profile, { public_summary: LONG }),
  profile_tags_listed: each(profile, { tags: "{}" }, { tags: `"a"` }, { tags: "null" }),
  profile_change_known: steps(PROFILE, newProfile, nothing, { change: "modified" }),
  profile_change_fits: steps(
    PROFILE,
    newProfile,
    nothing,
    { change: "CREATED" },
    { change: "ROLE_CHANGED" },
  ),
  profile_revision_of_owner: each((owner) => {
    const row = newProfile(owner);
    const forged = revisionOf(PROFILE, { ...row, profile_id: ulid(), revision_id: ulid() });
    return insertRoot(PROFILE, row) + insertInto(PROFILE.ledger, forged);
  }, {}),
  profile_role_exists: each(profile, { role: "Baker", role_id: ulid() }),
};

const roles: Readonly<Record<string, Offences>> = {
  role_of_profile: each((owner, wrong) => insertInto("identity_roles", newRole(owner, wrong)), {}),
  role_length: each(role, { role: "" }, { role: "x".repeat(501) }),
  role_reason_length: each(role, { reason: LONG }),
  role_not_in_the_future: each(role, { changed_at: LATER }),
  role_of_revision: each(role, { profile_revision: 2 }),
};

const stages: Readonly<Record<string, Offences>> = {
  ...rootOffences(STAGE, newStage, profile),
  stage_of_profile: each((owner) => insertRoot(STAGE, newStage(owner)), {}),
  stage_title_length: each(stage, { title: "" }, { title: "x".repeat(201) }),
  stage_note_length: each(stage, { note: LONG }),
  stage_period_ordered: each(
    stage,
    { ended_at: "2000-01-01T00:00:00.000Z" },
    { ended_at: "1999-12-31T23:59:59.999Z" },
  ),
  stages_do_not_overlap: each(
    (owner, wrong) =>
      stage(owner, {}) + insertRoot(STAGE, newStage(owner, { started_at: LATER, ended_at: null })) +
      insertInto(STAGE.root, newStage(owner, wrong)),
    {},
    { started_at: "2000-12-31T23:59:59.999Z" },
    { started_at: "1990-01-01T00:00:00.000Z", ended_at: "2000-01-01T00:00:00.001Z" },
    { started_at: "2040-01-01T00:00:00.000Z", ended_at: null },
    { started_at: "1990-01-01T00:00:00.000Z", ended_at: null },
  ),
  stage_change_known: steps(STAGE, newStage, profile, { change: "ENDED" }),
  stage_change_fits: steps(
    STAGE,
    newStage,
    profile,
    { change: "CREATED" },
    { change: "ARCHIVED" },
    { change: "RESTORED", archived_at: EARLIER },
  ),
};

const snapshots: Readonly<Record<string, Offences>> = {
  snapshot_of_profile: each((owner) => insertInto("identity_snapshots", newSnapshot(owner)), {}),
  snapshot_label_length: each(snapshot, { label: "" }, { label: "x".repeat(201) }),
  snapshot_name_length: each(snapshot, { display_name: "" }, { display_name: "x".repeat(501) }),
  snapshot_role_length: each(snapshot, { role: "x".repeat(501) }),
  snapshot_period_ordered: each(snapshot, { started_at: LATER, ended_at: EARLIER }),
  snapshot_biography_length: each(snapshot, { biography: LONG }),
  snapshot_summary_length: each(snapshot, { public_summary: LONG }),
  snapshot_tags_listed: each(snapshot, { tags: "{}" }),
  snapshot_not_in_the_future: each(snapshot, { as_of: LATER }),
  snapshot_has_one_source: each(
    snapshot,
    { display_name: null },
    { profile_revision: 1 },
    { display_name: null, profile_revision: 1, tags: "[]" },
  ),
  snapshot_of_revision: each(snapshot, { display_name: null, profile_revision: 2 }),
};

const comparisons: Readonly<Record<string, Offences>> = {
  comparison_has_two_sides: each(
    comparison,
    { left_revision: null },
    { right_revision: null },
    { left_snapshot_id: ulid() },
    { right_snapshot_id: ulid() },
  ),
  comparison_is_execution: each(
    behindProfile((owner) => insertInto("identity_comparisons", newComparison(owner))),
    {},
  ),
  comparison_of_left_revision: each(comparison, { left_revision: 2 }),
  comparison_of_right_revision: each(comparison, { right_revision: 2 }),
  comparison_of_left_snapshot: each(comparison, { left_revision: null, left_snapshot_id: ulid() }),
  comparison_of_right_snapshot: each(
    comparison,
    { right_revision: null, right_snapshot_id: ulid() },
  ),
};

const publications: Readonly<Record<string, Offences>> = {
  ...rootOffences(PUBLICATION, newPublication, withSlug),
  one_publication_an_owner: second(PUBLICATION, newPublication, withSlug),
  slug_of_profile: each((owner) => insertInto("identity_slugs", newSlug(owner)), {}),
  slug_of_one_owner: each((owner) => {
    const row = newSlug(owner);
    return slug(owner, row) + insertInto("identity_slugs", { ...row, owner_id: ulid() });
  }, {}),
  slug_shape: each(
    slug,
    ...["ab", "x".repeat(65), "Ada", "a_b", "a b", "ada\n", "publish", "refresh", "revoke", "äda"]
      .map((text) => ({ slug: text })),
  ),
  publication_slug_of_owner: each(publication, { slug: "another-slug" }),
  publication_fields_public: each(
    publication,
    ...["{}", "{biography}", "{startedAt}", "{tags,displayName}", "{tags,tags}", "{tags,NULL}"]
      .map((fields) => ({ fields })),
  ),
  publication_state_known: each(publication, { state: "published" }),
  publication_state_fits: each(publication, { state: "REVOKED" }, { revoked_at: EARLIER }),
  publication_within_its_life: each(publication, { published_at: EARLIER }, {
    published_at: LATER,
  }),
  publication_of_revision: each(publication, { profile_revision: 2 }),
  publication_change_known: steps(PUBLICATION, newPublication, withSlug, { change: "HIDDEN" }),
  publication_change_fits: steps(
    PUBLICATION,
    newPublication,
    withSlug,
    { change: "CREATED" },
    { change: "REVOKED" },
    { change: "REFRESHED", state: "REVOKED" },
  ),
};

const legacy: Readonly<Record<string, Offences>> = {
  ...rootOffences(PLAN, newPlan, profile),
  one_legacy_plan_an_owner: second(PLAN, newPlan, profile),
  legacy_plan_of_profile: each((owner) => insertRoot(PLAN, newPlan(owner)), {}),
  legacy_plan_recipient_length: each(
    plan,
    { recipient_description: "" },
    { recipient_description: LONG },
  ),
  legacy_plan_condition_length: each(plan, { release_condition: "" }, { release_condition: LONG }),
  legacy_plan_instructions_length: each(plan, { instructions: LONG }),
  legacy_plan_fields_known: each(
    plan,
    ...["{}", "{name}", "{biography,displayName}", "{tags,tags}"].map((fields) => ({ fields })),
  ),
  legacy_plan_change_known: steps(PLAN, newPlan, profile, { change: "CREATED" }, {
    change: "KEPT",
  }),
  legacy_drill_is_execution: each(
    behindProfile((owner) => {
      const row = newPlan(owner);
      return insertRoot(PLAN, row) + insertInto("identity_legacy_drills", newDrill(row));
    }),
    {},
  ),
  legacy_drill_of_plan_revision: each(drill, { plan_revision: 2 }, { plan_id: ulid() }),
  legacy_drill_of_profile_revision: each(drill, { profile_revision: 2 }),
};

/** What each constraint of the identity tables must refuse. */
export const IDENTITY_OFFENCES: Readonly<Record<string, Offences>> = {
  ...profiles,
  ...roles,
  ...stages,
  ...snapshots,
  ...comparisons,
  ...publications,
  ...legacy,
};

/** Identity rows written past the application, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import {
  insertLedgerRow,
  insertRow,
  newRow,
  type RootKind,
  stepRow,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, nextRoot, type Offences, type Row } from "../../storage/rows.ts";

const EARLIER = "2026-11-20T11:59:59.999Z";
/** One millisecond beyond the allowed clock skew. */
const LATER = "2026-11-20T12:05:00.001Z";
const LONG = "x".repeat(100_001);

export const PROFILES: RootKind = {
  root: "identity_profiles",
  ledger: "identity_profile_revisions",
  id: "profile_id",
  fixed: [],
  restricted: ["role_id"],
  sample: () => ({
    display_name: "Ada",
    role: "Poet",
    role_id: null,
    life_stage: null,
    started_at: "2000-01-01T00:00:00.000Z",
    ended_at: null,
    biography: "By the lake",
    public_summary: null,
    tags: `["rowing"]`,
    clocks: null,
  }),
  others: {
    display_name: "Eda",
    role: "Painter",
    life_stage: "MIDLIFE",
    started_at: "2001-01-01T00:00:00.000Z",
    ended_at: "2002-01-01T00:00:00.000Z",
    biography: "By the river",
    public_summary: "Rows",
    tags: `["bread"]`,
    clocks: `{"endedAt":"+09:00","startedAt":"+09:00"}`,
  },
};

/** The row owner's profile. */
function profileOf({ owner_id }: Row): string {
  return insertRow(PROFILES, newRow(PROFILES, String(owner_id)));
}

export const STAGES: RootKind = {
  root: "identity_stages",
  ledger: "identity_stage_revisions",
  id: "stage_id",
  fixed: [],
  sample: () => ({
    archived_at: null,
    life_stage: "ADULTHOOD",
    title: "A title",
    started_at: "2000-01-01T00:00:00.000Z",
    ended_at: "2001-01-01T00:00:00.000Z",
    note: "A note",
    clocks: null,
  }),
  others: {
    archived_at: AT,
    life_stage: "OTHER",
    title: "Another",
    started_at: "2000-06-01T00:00:00.000Z",
    ended_at: "2003-01-01T00:00:00.000Z",
    note: "Another note",
    clocks: `{"startedAt":"+09:00"}`,
  },
  parents: profileOf,
};

export const PUBLICATIONS: RootKind = {
  root: "identity_publications",
  ledger: "identity_publication_revisions",
  id: "publication_id",
  fixed: [],
  restricted: ["slug", "state", "revoked_at"],
  sample: () => ({
    slug: `slug-${ulid().toLowerCase()}`,
    fields: "{displayName,tags}",
    state: "PUBLISHED",
    profile_revision: 1,
    published_at: AT,
    revoked_at: null,
  }),
  others: {
    fields: "{currentRole}",
    profile_revision: 2,
    published_at: "2026-11-20T12:00:00.001Z",
  },
  change: "PUBLISHED",
  parents(row) {
    const profile = newRow(PROFILES, String(row.owner_id));
    return insertRow(PROFILES, profile) + stepRow(PROFILES, profile, nextRoot(profile)) +
      insertInto("identity_slugs", newSlug(row));
  },
};

export const PLANS: RootKind = {
  root: "identity_legacy_plans",
  ledger: "identity_legacy_plan_revisions",
  id: "plan_id",
  fixed: [],
  sample: () => ({
    recipient_description: "A friend",
    release_condition: "One day",
    instructions: "By post",
    fields: "{displayName,biography}",
  }),
  others: {
    recipient_description: "Another friend",
    release_condition: "Another day",
    instructions: "By hand",
    fields: "{tags}",
  },
  change: "REPLACED",
  parents: profileOf,
};

export const IDENTITY_KINDS: readonly RootKind[] = [PROFILES, STAGES, PUBLICATIONS, PLANS];

/** A role that the profile lacks. */
export function newRole(owner: string, columns: Row = {}): Row {
  const own = { owner_id: owner, role_id: ulid(), role: "Baker", changed_at: AT };
  return { ...own, reason: null, profile_revision: null, created_at: AT, ...columns };
}

/** A snapshot with its own field. */
export function newSnapshot(owner: string, columns: Row = {}): Row {
  const own = { owner_id: owner, snapshot_id: ulid(), label: "A label", as_of: null };
  return { ...own, profile_revision: null, display_name: "Ada", created_at: AT, ...columns };
}

/** The profile's first revision with itself. */
export function newComparison(owner: string, columns: Row = {}): Row {
  const sides = { left_revision: 1, left_snapshot_id: null, right_revision: 1 };
  const own = { owner_id: owner, comparison_id: ulid(), ...sides, right_snapshot_id: null };
  return { ...own, created_at: AT, ...columns };
}

export function newSlug({ owner_id = null, slug = null }: Row, columns: Row = {}): Row {
  return { owner_id, slug, created_at: AT, ...columns };
}

/** A drill of the first revisions of plan and profile. */
export function newDrill({ owner_id = null, plan_id = null }: Row, columns: Row = {}): Row {
  const seen = { plan_id, plan_revision: 1, profile_revision: 1 };
  return { owner_id, drill_id: ulid(), ...seen, created_at: AT, ...columns };
}

/** An execution without a record, with its result's identifier. */
export function insertExecution(
  { owner_id = null }: Row,
  execution_id: Row[string] = null,
): string {
  return insertInto("executions", {
    owner_id,
    execution_id,
    record_id: null,
    revision: null,
    module_code: "identity",
    feature_id: "IDN-005",
    strategy: "compare",
    status: "SUCCEEDED",
    output: "{}",
    created_at: AT,
  });
}

type Insert = (owner: string, columns: Row) => string;

const insertRole: Insert = (owner, columns) =>
  insertInto("identity_roles", newRole(owner, columns));
const insertSnapshot: Insert = (owner, columns) =>
  insertInto("identity_snapshots", newSnapshot(owner, columns));
const insertSlug: Insert = (owner_id, columns) =>
  insertInto("identity_slugs", newSlug({ owner_id, slug: "a-slug" }, columns));
const insertComparison: Insert = (owner, columns) => {
  const row = newComparison(owner, columns);
  return insertExecution(row, row.comparison_id) + insertInto("identity_comparisons", row);
};

/** Offences for an owner with a profile. */
function wrong(insert: Insert, ...columns: readonly Row[]): Offences {
  return ({ accountId: owner_id }) =>
    columns.map((each) => profileOf({ owner_id }) + insert(owner_id, each));
}

/** Offences for an owner without a profile. */
function withoutProfile(insert: Insert): Offences {
  return ({ accountId }) => [insert(accountId, {})];
}

function aloneOf({ root, ...kind }: RootKind): Insert {
  return (owner, columns) => insertInto(root, newRow({ root, ...kind }, owner, columns));
}

/** A second root of the owner. */
function second(kind: RootKind): Offences {
  return ({ accountId }) => {
    const first = newRow(kind, accountId);
    const other = { ...first, [kind.id]: ulid(), revision_id: ulid() };
    return [insertRow(kind, first) + insertInto(kind.root, other)];
  };
}

/** Invalid drills, with or without the execution. */
function wrongDrills({ isExecuted }: { isExecuted: boolean }, ...columns: Row[]): Offences {
  return ({ accountId }) =>
    columns.map((each) => {
      const plan = newRow(PLANS, accountId);
      const drill = newDrill(plan, each);
      return insertRow(PLANS, plan) + (isExecuted ? insertExecution(plan, drill.drill_id) : "") +
        insertInto("identity_legacy_drills", drill);
    });
}

const PROFILE_OFFENCES: Readonly<Record<string, Offences>> = {
  identity_profile_owner_exists: () => [insertInto(PROFILES.root, newRow(PROFILES, ulid()))],
  one_profile_an_owner: second(PROFILES),
  profile_name_length: wrongRows(
    PROFILES,
    { display_name: "" },
    { display_name: "x".repeat(501) },
  ),
  profile_role_length: wrongRows(PROFILES, { role: "x".repeat(501) }),
  profile_period_ordered: wrongRows(PROFILES, { ended_at: "1999-12-31T23:59:59.999Z" }),
  profile_biography_length: wrongRows(PROFILES, { biography: LONG }),
  profile_summary_length: wrongRows(PROFILES, { public_summary: LONG }),
  profile_tags_listed: wrongRows(PROFILES, { tags: "{}" }, { tags: `"a"` }, { tags: "null" }),
  profile_change_known: wrongSteps(PROFILES, { change: "modified" }),
  profile_change_fits: wrongSteps(PROFILES, { change: "CREATED" }, { change: "ROLE_CHANGED" }),
  profile_revision_of_owner: ({ accountId }) => {
    const row = newRow(PROFILES, accountId);
    const forged = { profile_id: ulid(), revision_id: ulid() };
    return [insertRow(PROFILES, row) + insertLedgerRow(PROFILES, row, forged)];
  },
  profile_role_exists: wrongRows(PROFILES, { role_id: ulid() }),
  role_of_profile: withoutProfile(insertRole),
  identity_roles_clocks: wrong(insertRole, { clocks: `{"changed_at":"+01:00"}` }),
  role_length: wrong(insertRole, { role: "" }, { role: "x".repeat(501) }),
  role_reason_length: wrong(insertRole, { reason: LONG }),
  role_not_in_the_future: wrong(insertRole, { changed_at: LATER }),
  role_of_revision: wrong(insertRole, { profile_revision: 2 }),
};

const STAGE_OFFENCES: Readonly<Record<string, Offences>> = {
  stage_of_profile: withoutProfile(aloneOf(STAGES)),
  stage_title_length: wrongRows(STAGES, { title: "" }, { title: "x".repeat(201) }),
  stage_note_length: wrongRows(STAGES, { note: LONG }),
  stage_period_ordered: wrongRows(
    STAGES,
    { ended_at: "2000-01-01T00:00:00.000Z" },
    { ended_at: "1999-12-31T23:59:59.999Z" },
  ),
  stages_do_not_overlap: ({ accountId }) => {
    const there = newRow(STAGES, accountId);
    const open = newRow(STAGES, accountId, { started_at: AT, ended_at: null });
    const overlapping: Row[] = [
      {},
      { started_at: "2000-12-31T23:59:59.999Z" },
      { started_at: "1990-01-01T00:00:00.000Z", ended_at: "2000-01-01T00:00:00.001Z" },
      { started_at: "2040-01-01T00:00:00.000Z", ended_at: null },
      { started_at: "1990-01-01T00:00:00.000Z", ended_at: null },
    ];
    return overlapping.map((columns) =>
      insertRow(STAGES, there) + insertRow({ ...STAGES, parents: () => "" }, open) +
      insertInto(STAGES.root, newRow(STAGES, accountId, columns))
    );
  },
  stage_change_known: wrongSteps(STAGES, { change: "ENDED" }),
  stage_change_fits: wrongSteps(
    STAGES,
    { change: "CREATED" },
    { change: "ARCHIVED", archived_at: null },
    { change: "RESTORED" },
  ),
};

const SNAPSHOT_OFFENCES: Readonly<Record<string, Offences>> = {
  snapshot_of_profile: withoutProfile(insertSnapshot),
  identity_snapshots_clocks: wrong(insertSnapshot, { clocks: `{"endedAt":"+01:00"}` }),
  snapshot_label_length: wrong(insertSnapshot, { label: "" }, { label: "x".repeat(201) }),
  snapshot_name_length: wrong(
    insertSnapshot,
    { display_name: "" },
    { display_name: "x".repeat(501) },
  ),
  snapshot_role_length: wrong(insertSnapshot, { role: "x".repeat(501) }),
  snapshot_period_ordered: wrong(insertSnapshot, { started_at: LATER, ended_at: EARLIER }),
  snapshot_biography_length: wrong(insertSnapshot, { biography: LONG }),
  snapshot_summary_length: wrong(insertSnapshot, { public_summary: LONG }),
  snapshot_tags_listed: wrong(insertSnapshot, { tags: "{}" }),
  snapshot_not_in_the_future: wrong(insertSnapshot, { as_of: LATER }),
  snapshot_has_one_source: wrong(
    insertSnapshot,
    { display_name: null },
    { profile_revision: 1 },
    { display_name: null, profile_revision: 1, tags: "[]" },
  ),
  snapshot_of_revision: wrong(insertSnapshot, { display_name: null, profile_revision: 2 }),
  comparison_has_two_sides: wrong(
    insertComparison,
    { left_revision: null },
    { right_revision: null },
    { left_snapshot_id: ulid() },
    { right_snapshot_id: ulid() },
  ),
  comparison_is_execution: wrong(
    (owner, columns) => insertInto("identity_comparisons", newComparison(owner, columns)),
    {},
  ),
  comparison_of_left_revision: wrong(insertComparison, { left_revision: 2 }),
  comparison_of_right_revision: wrong(insertComparison, { right_revision: 2 }),
  comparison_of_left_snapshot: wrong(
    insertComparison,
    { left_revision: null, left_snapshot_id: ulid() },
  ),
  comparison_of_right_snapshot: wrong(
    insertComparison,
    { right_revision: null, right_snapshot_id: ulid() },
  ),
};

const PUBLICATION_OFFENCES: Readonly<Record<string, Offences>> = {
  one_publication_an_owner: second(PUBLICATIONS),
  slug_of_profile: withoutProfile(insertSlug),
  slug_of_one_owner: wrong(
    (owner) => insertSlug(owner, {}) + insertSlug(ulid(), {}),
    {},
  ),
  slug_shape: wrong(
    insertSlug,
    ...["ab", "x".repeat(65), "Ada", "a_b", "a b", "ada\n", "publish", "refresh", "revoke", "äda"]
      .map((slug) => ({ slug })),
  ),
  publication_slug_of_owner: wrong(aloneOf(PUBLICATIONS), {}),
  publication_fields_public: wrongRows(
    PUBLICATIONS,
    ...["{}", "{biography}", "{startedAt}", "{tags,displayName}", "{tags,tags}", "{tags,NULL}"]
      .map((fields) => ({ fields })),
  ),
  publication_state_known: wrongRows(PUBLICATIONS, { state: "published" }),
  publication_state_fits: wrongRows(PUBLICATIONS, { state: "REVOKED" }, { revoked_at: AT }),
  publication_not_before_creation: wrongRows(PUBLICATIONS, { published_at: EARLIER }),
  publication_of_revision: wrongRows(PUBLICATIONS, { profile_revision: 3 }),
  publication_change_known: wrongSteps(PUBLICATIONS, { change: "HIDDEN" }),
  publication_change_fits: wrongSteps(
    PUBLICATIONS,
    { change: "CREATED" },
    { change: "REVOKED" },
    { change: "REFRESHED", state: "REVOKED" },
  ),
};

const LEGACY_OFFENCES: Readonly<Record<string, Offences>> = {
  one_legacy_plan_an_owner: second(PLANS),
  legacy_plan_of_profile: withoutProfile(aloneOf(PLANS)),
  legacy_plan_recipient_length: wrongRows(
    PLANS,
    { recipient_description: "" },
    { recipient_description: LONG },
  ),
  legacy_plan_condition_length: wrongRows(
    PLANS,
    { release_condition: "" },
    { release_condition: LONG },
  ),
  legacy_plan_instructions_length: wrongRows(PLANS, { instructions: LONG }),
  legacy_plan_fields_known: wrongRows(
    PLANS,
    ...["{}", "{name}", "{biography,displayName}", "{tags,tags}"].map((fields) => ({ fields })),
  ),
  legacy_plan_change_known: wrongSteps(PLANS, { change: "CREATED" }, { change: "KEPT" }),
  legacy_drill_is_execution: wrongDrills({ isExecuted: false }, {}),
  legacy_drill_of_plan_revision: wrongDrills(
    { isExecuted: true },
    { plan_revision: 2 },
    { plan_id: ulid() },
  ),
  legacy_drill_of_profile_revision: wrongDrills({ isExecuted: true }, { profile_revision: 2 }),
};

/** By constraint, except those of every root. */
export const IDENTITY_OFFENCES: Readonly<Record<string, Offences>> = {
  ...PROFILE_OFFENCES,
  ...STAGE_OFFENCES,
  ...SNAPSHOT_OFFENCES,
  ...PUBLICATION_OFFENCES,
  ...LEGACY_OFFENCES,
};

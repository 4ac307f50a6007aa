/** Rows of identity written past the application. */

import { ulid } from "@std/ulid";
import { insertInto, literal, type Row } from "./rows.ts";

const AT = "2026-11-20T12:00:00.000Z";

/** A kind of root, by its tables and the column of its identifier. */
export interface Kind {
  readonly root: string;
  readonly ledger: string;
  readonly id: string;
  /** The change of every revision but the first. */
  readonly change: string;
}

export const PROFILE: Kind = {
  root: "identity_profiles",
  ledger: "identity_profile_revisions",
  id: "profile_id",
  change: "MODIFIED",
};

export const STAGE: Kind = {
  root: "identity_stages",
  ledger: "identity_stage_revisions",
  id: "stage_id",
  change: "MODIFIED",
};

export const PUBLICATION: Kind = {
  root: "identity_publications",
  ledger: "identity_publication_revisions",
  id: "publication_id",
  change: "PUBLISHED",
};

export const PLAN: Kind = {
  root: "identity_legacy_plans",
  ledger: "identity_legacy_plan_revisions",
  id: "plan_id",
  change: "REPLACED",
};

function newRow(owner: string, id: string, content: Row): Row {
  const own = { owner_id: owner, [id]: ulid(), revision: 1, revision_id: ulid() };
  return { ...own, created_at: AT, updated_at: AT, ...content };
}

/** A profile at its first revision. */
export function newProfile(owner: string, columns: Row = {}): Row {
  return newRow(owner, PROFILE.id, {
    display_name: "Ada",
    role: null,
    role_id: null,
    life_stage: null,
    started_at: null,
    ended_at: null,
    biography: null,
    public_summary: null,
    tags: null,
    ...columns,
  });
}

/** A stage at its first revision: the year 2000. */
export function newStage(owner: string, columns: Row = {}): Row {
  return newRow(owner, STAGE.id, {
    archived_at: null,
    life_stage: "ADULTHOOD",
    title: "A title",
    started_at: "2000-01-01T00:00:00.000Z",
    ended_at: "2001-01-01T00:00:00.000Z",
    note: null,
    ...columns,
  });
}

/** A publication of the first revision of the profile, under the slug `newSlug` has. */
export function newPublication(owner: string, columns: Row = {}): Row {
  return newRow(owner, PUBLICATION.id, {
    slug: slugOf(owner),
    fields: "{displayName,tags}",
    state: "PUBLISHED",
    profile_revision: 1,
    published_at: AT,
    revoked_at: null,
    ...columns,
  });
}

/** A plan at its first revision. */
export function newPlan(owner: string, columns: Row = {}): Row {
  return newRow(owner, PLAN.id, {
    recipient_description: "A friend",
    release_condition: "One day",
    instructions: null,
    fields: "{displayName,biography}",
    ...columns,
  });
}

/** The ledger row that a root must have. */
export function revisionOf(kind: Kind, root: Row, columns: Row = {}): Row {
  const { created_at: _, updated_at: created_at = null, ...common } = root;
  const change = root.revision === 1 ? "CREATED" : kind.change;
  return { ...common, created_at, change, ...columns } as Row;
}

/** A root with its ledger row; `forged` makes the ledger row another one. */
export function insertRoot(kind: Kind, root: Row, forged: Row = {}): string {
  return insertInto(kind.root, root) + insertInto(kind.ledger, revisionOf(kind, root, forged));
}

/** The root that follows. */
export function nextRoot(root: Row, columns: Row = {}): Row {
  return { ...root, revision: Number(root.revision) + 1, revision_id: ulid(), ...columns };
}

/** A statement that changes a root from one state to another. */
export function updateRoot(kind: Kind, root: Row, next: Row): string {
  const changed = Object.keys(next).filter((column) => next[column] !== root[column]);
  const assignments = changed.map((column) => `${column} = ${literal(next[column] ?? null)}`);
  return `update ${kind.root} set ${assignments.join(", ")}
           where owner_id = ${literal(root.owner_id ?? null)}
             and ${kind.id} = ${literal(root[kind.id] ?? null)};`;
}

/** A whole step; `forged` makes its ledger row another one. */
export function stepRoot(kind: Kind, root: Row, changes: Row = {}, forged: Row = {}): string {
  const next = nextRoot(root, changes);
  return updateRoot(kind, root, next) + insertInto(kind.ledger, revisionOf(kind, next, forged));
}

/** A role that no profile has. */
export function newRole(owner: string, columns: Row = {}): Row {
  const own = { owner_id: owner, role_id: ulid(), role: "Baker", changed_at: AT };
  return { ...own, reason: null, profile_revision: null, created_at: AT, ...columns };
}

/** A snapshot with a field of its own. */
export function newSnapshot(owner: string, columns: Row = {}): Row {
  const own = { owner_id: owner, snapshot_id: ulid(), label: "A label", as_of: null };
  const source = { profile_revision: null, display_name: "Ada" };
  return { ...own, ...source, created_at: AT, ...columns };
}

/** An execution that concerns no record, under an identifier. */
export function insertExecution(owner: string, execution_id: Row[string]): string {
  return insertInto("executions", {
    ...{ owner_id: owner, execution_id, record_id: null, revision: null, module_code: "identity" },
    ...{ feature_id: "IDN-005", strategy: "compare", status: "SUCCEEDED", output: "{}" },
    created_at: AT,
  });
}

/** A comparison of the first revision of the profile with itself. */
export function newComparison(owner: string, columns: Row = {}): Row {
  return {
    ...{ owner_id: owner, comparison_id: ulid(), left_revision: 1, left_snapshot_id: null },
    ...{ right_revision: 1, right_snapshot_id: null, created_at: AT },
    ...columns,
  };
}

function slugOf(owner: string): string {
  return `slug-of-${owner.toLowerCase()}`;
}

/** An owner's slug. */
export function newSlug(owner: string, columns: Row = {}): Row {
  return { slug: slugOf(owner), owner_id: owner, created_at: AT, ...columns };
}

/** A drill of the first revisions of a plan and the profile. */
export function newDrill({ owner_id = null, plan_id = null }: Row, columns: Row = {}): Row {
  const seen = { plan_id, plan_revision: 1, profile_revision: 1 };
  return { owner_id, drill_id: ulid(), ...seen, created_at: AT, ...columns };
}

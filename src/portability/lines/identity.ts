import { type Columns, lineType, rootType } from "../description.ts";
import { id, integer, names, optional, stamp, text, texts, time } from "../kinds.ts";
import { ARCHIVED } from "./shared.ts";

const PROFILE: Columns = {
  role: optional(text),
  life_stage: optional(text),
  started_at: optional(time),
  ended_at: optional(time),
  biography: optional(text),
  public_summary: optional(text),
  tags: optional(texts),
};
export const PROFILE_LINES = rootType("profile", {
  table: "identity_profiles",
  ledger: "identity_profile_revisions",
  fixed: { profile_id: id },
  changing: { display_name: text, role_id: optional(id), ...PROFILE },
});

export const ROLE_LINES = lineType("role", {
  table: "identity_roles",
  columns: {
    role_id: id,
    role: text,
    changed_at: time,
    reason: optional(text),
    profile_revision: optional(integer),
    created_at: stamp,
  },
});

export const STAGE_LINES = rootType("stage", {
  table: "identity_stages",
  ledger: "identity_stage_revisions",
  fixed: { stage_id: id },
  changing: {
    ...ARCHIVED,
    life_stage: text,
    title: text,
    started_at: time,
    ended_at: optional(time),
    note: optional(text),
  },
});

export const PROFILE_SNAPSHOT_LINES = lineType("snapshot", {
  table: "identity_snapshots",
  columns: {
    snapshot_id: id,
    label: text,
    as_of: optional(time),
    profile_revision: optional(integer),
    display_name: optional(text),
    ...PROFILE,
    created_at: stamp,
  },
});

export const COMPARISON_LINES = lineType("comparison", {
  table: "identity_comparisons",
  columns: {
    comparison_id: id,
    left_revision: optional(integer),
    left_snapshot_id: optional(id),
    right_revision: optional(integer),
    right_snapshot_id: optional(id),
    created_at: stamp,
  },
});

export const RELEASE_PLAN_LINES = rootType("legacyPlan", {
  table: "identity_legacy_plans",
  ledger: "identity_legacy_plan_revisions",
  fixed: { plan_id: id },
  changing: {
    recipient_description: text,
    release_condition: text,
    instructions: optional(text),
    fields: names,
  },
});

export const RELEASE_DRILL_LINES = lineType("legacyDrill", {
  table: "identity_legacy_drills",
  columns: {
    drill_id: id,
    plan_id: id,
    plan_revision: integer,
    profile_revision: integer,
    created_at: stamp,
  },
});

import { FIELD_COLUMNS } from "../../families/identity/fields.ts";
import { PROFILE } from "../../families/identity/profile.ts";
import { ROLE } from "../../families/identity/role.ts";
import { STAGE } from "../../families/identity/stage.ts";
import { declaredColumns, declaredRoot, lineType, rootType } from "../description.ts";
import { clocks, id, integer, names, optional, stamp, text, time } from "../kinds.ts";

export const PROFILE_LINES = declaredRoot("profile", PROFILE);

export const ROLE_LINES = lineType("role", {
  table: "identity_roles",
  columns: declaredColumns(ROLE),
});

export const STAGE_LINES = declaredRoot("stage", STAGE);

export const PROFILE_SNAPSHOT_LINES = lineType("snapshot", {
  table: "identity_snapshots",
  columns: {
    snapshot_id: id,
    label: text,
    as_of: optional(time),
    profile_revision: optional(integer),
    ...declaredColumns(FIELD_COLUMNS),
    clocks,
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

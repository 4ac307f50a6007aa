import { isUlid } from "../../core/ids.ts";
import { datetime, feature, number, select, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { forbiddenWhen, rule, textSatisfies } from "../rules.ts";

/** Visions, plans, goals, projects and tasks. */
export const ACTION: CatalogModule = {
  code: "action",
  prefix: "ACT",
  group: "Action and growth",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("actionType", ["VISION", "FIVE_YEAR_PLAN", "GOAL", "PROJECT", "TASK"], {
      required: true,
    }),
    text("actionTitle", { required: true }),
    textarea("description"),
    text("parentId"),
    select("actionStatus", ["PLANNED", "ACTIVE", "BLOCKED", "ON_HOLD", "COMPLETED", "ABANDONED"], {
      required: true,
    }),
    number("priority", { minimum: 1, maximum: 5, integer: true }),
    datetime("targetDate"),
    textarea("successCriteria", { required: true }),
  ],
  times: ["targetDate"],
  rules: [
    rule(
      "action.parent_id_is_another_ulid",
      "parentId, when set, is a canonical ULID and not the record itself",
      textSatisfies(
        "parentId",
        (parentId, { recordId }) => isUlid(parentId) && parentId !== recordId,
      ),
    ),
    rule(
      "action.vision_has_no_parent_id",
      "actionType VISION has no parentId",
      forbiddenWhen("parentId", "text", { field: "actionType", options: ["VISION"] }),
    ),
  ],
  features: [
    feature("ACT-001", "life vision", "record", "V1.0"),
    feature("ACT-002", "five-year plan", "schedule", "V1.0"),
    feature("ACT-003", "goal management", "record", "V1.0"),
    feature("ACT-004", "project management", "record", "V1.0"),
    feature("ACT-005", "tasks and next step", "record", "V2.0"),
    feature("ACT-006", "parallel capacity limit", "record", "V2.0"),
    feature("ACT-007", "dependency blocking", "record", "V2.0"),
    feature("ACT-008", "goal and principle alignment", "record", "V3.0"),
  ],
};

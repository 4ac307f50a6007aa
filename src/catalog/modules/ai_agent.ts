import type { JsonObject, JsonValue } from "../../core/json.ts";
import { feature, json, select, tags, text, textarea } from "../fields.ts";
import type { CatalogModule } from "../module.ts";
import { isSelected, rule, withoutCredentials } from "../rules.ts";

/** Actions were approved, needed no approval, or ran before the approval expired. */
const EXECUTABLE = {
  field: "approvalStatus",
  options: ["APPROVED", "EXPIRED", "NOT_REQUIRED"],
};

/** Sessions with an assistant, and its permissions. */
export const AI_AGENT: CatalogModule = {
  code: "ai-agent",
  prefix: "AIA",
  group: "Personal intelligence",
  completion: "partial",
  access: "GENERIC",
  fields: [
    select("sessionType", [
      "MENTOR",
      "PAST_SELF",
      "SIMULATION",
      "ADVICE",
      "TOOL_APPROVAL",
      "AUDIT",
      "CONTROLLED_TASK",
      "PERSONA_EXPERIMENT",
    ], { required: true }),
    textarea("prompt", { required: true, sensitive: true }),
    tags("contextRefs"),
    textarea("response", { sensitive: true }),
    text("provider"),
    text("model"),
    select("approvalStatus", ["NOT_REQUIRED", "PENDING", "APPROVED", "REJECTED", "EXPIRED"], {
      required: true,
    }),
    json("executedActions"),
  ],
  times: [],
  rules: [
    rule(
      "ai_agent.executed_actions_require_approval",
      "executedActions may be non-empty only when approvalStatus is APPROVED, EXPIRED or " +
        "NOT_REQUIRED",
      {
        fields: ["executedActions", "approvalStatus"],
        holds: (payload) =>
          isEmpty(payload.json("executedActions")) || isSelected(payload, EXECUTABLE) !== false,
      },
    ),
    rule(
      "ai_agent.executed_actions_without_credentials",
      "executedActions is a JSON array or object; credential-like keys or values are refused",
      withoutCredentials("executedActions"),
    ),
  ],
  features: [
    feature("AIA-001", "mentor session", "analyze", "V1.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("AIA-002", "past self", "record", "V1.0", { annotations: ["HISTORICAL_PROVIDER"] }),
    feature("AIA-003", "life scenario simulation", "simulate", "V1.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("AIA-004", "rule-constrained advice", "record", "V1.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("AIA-005", "tool execution approval", "verify", "V2.0"),
    feature("AIA-006", "agent behavior audit", "analyze", "V2.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("AIA-007", "controlled agent task", "record", "V2.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
    feature("AIA-008", "digital persona experiment", "analyze", "V3.0", {
      annotations: ["HISTORICAL_PROVIDER"],
    }),
  ],
};

function isEmpty(value: JsonObject | JsonValue[] | undefined): boolean {
  return value === undefined || Object.keys(value).length === 0;
}

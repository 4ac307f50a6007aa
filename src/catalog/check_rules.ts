import type { JsonObject } from "../core/json.ts";
import type { Violations } from "../validate/schema.ts";
import type { FieldSet, PolicyContext } from "./module.ts";
import { PayloadView } from "./payload_view.ts";

export function checkRules(
  { rules }: Pick<FieldSet, "rules">,
  payload: JsonObject,
  context: PolicyContext,
  violations: Violations,
): void {
  const view = new PayloadView(payload);
  for (const rule of rules) {
    if (rule.enforced !== "policy" || rule.holds(view, context)) continue;
    rule.fields.forEach((field) => violations.add(rule.name, field));
  }
}

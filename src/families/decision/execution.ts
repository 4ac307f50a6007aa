import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { RootRow } from "../../kit/root.ts";
import type { ExecutionRow } from "../../records/port.ts";
import { serialiseJson } from "../../validate/json_output.ts";

/** @param output Identifiers and numbers only; the figures are stored with the result. */
export function executionOf(
  feature: Pick<ExecutionRow, "feature_id" | "strategy">,
  computed: RootRow & { readonly decision_id: string; readonly decision_revision: number },
  output: JsonObject,
): ExecutionRow {
  return {
    execution_id: newId(computed.updated_at),
    record_id: computed.decision_id,
    module_code: "decision",
    ...feature,
    revision: computed.decision_revision,
    status: "SUCCEEDED",
    output: serialiseJson(output),
    created_at: computed.updated_at,
  };
}

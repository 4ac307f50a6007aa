import type { JsonObject } from "../../core/json.ts";
import type { ExecutionRow } from "../../records/port.ts";

/** Strategies in the catalog of the features that write an execution. */
const STRATEGIES = {
  "IDN-005": "compare",
  "IDN-006": "publish",
  "IDN-007": "record",
  "IDN-008": "import",
} as const;

/**
 * An execution that concerns no single record.
 *
 * @param output Identifiers, revisions, counts and names of fields; never a value.
 */
export function identityExecution(
  feature_id: keyof typeof STRATEGIES,
  execution_id: string,
  output: JsonObject,
  now: Date,
): ExecutionRow {
  return {
    execution_id,
    record_id: null,
    module_code: "identity",
    feature_id,
    strategy: STRATEGIES[feature_id],
    revision: null,
    status: "SUCCEEDED",
    output: JSON.stringify(output),
    created_at: now,
  };
}

/** The parts of accounts that other rooms may use. */

export { assertUnfrozen, isOldestAccount } from "./account_store.ts";
export { extended, moduleCodes, moduleList } from "./account_schema.ts";
export {
  ACCESS_EVENTS,
  type AccessEvent,
  countCalls,
  insertAccessEvent,
  type ToolCall,
} from "./events.ts";
export { endCredential } from "./revocation.ts";
export type { StepUpServices } from "./step_up_routes.ts";
export {
  ACCESS_EVENT_SCHEMA,
  type AccessEventRow,
  accessEventRows,
  type PublicAccessEvent,
  readAccessTrail,
  toPublicAccessEvent,
} from "./access_trail.ts";
export { countEvents, type EventCount } from "./trail_summary.ts";

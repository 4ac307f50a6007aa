/** The parts of accounts that other rooms may use. */

export { isOldestAccount } from "./account_store.ts";
export { ACCESS_EVENTS } from "./events.ts";
export {
  ACCESS_EVENT_SCHEMA,
  type AccessEventRow,
  accessEventRows,
  type PublicAccessEvent,
  readAccessTrail,
  toPublicAccessEvent,
} from "./access_trail.ts";
export { countEvents, type EventCount } from "./trail_summary.ts";

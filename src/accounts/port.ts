/** What accounts offer to other families. */

export {
  ACCESS_EVENT_SCHEMA,
  type AccessEventRow,
  accessEventRows,
  type PublicAccessEvent,
  readAccessTrail,
  toPublicAccessEvent,
} from "./trail.ts";

/** The part of this room that other rooms may use. */

export {
  DUE_SCHEMA,
  type DueEntry,
  type DueItem,
  type DueKind,
  readableKinds,
  toDueItem,
} from "./due.ts";
export { readRange, toPagePosition } from "./due_routes.ts";
export { readDue } from "./due_store.ts";

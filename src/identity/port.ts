/** What identity offers to other families. */

export { findIdentityIds } from "./typed_ids.ts";

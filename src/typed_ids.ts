import type { TypedIds } from "./records/port.ts";

/** How the families whose typed things have no record find these by their identifiers. */
export const TYPED_IDS: TypedIds = {};

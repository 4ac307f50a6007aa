/** The kinds of roots of all families. One that is new must be named here. */

import { DECISION_KINDS } from "./decision_rows.ts";
import type { RootKind } from "./family_rows.ts";
import { IDENTITY_KINDS } from "./identity_rows.ts";
import { MEMORIES } from "./memory_rows.ts";
import { PEOPLE } from "./relationship_rows.ts";
import { RESOURCES } from "./resource_rows.ts";
import { CATEGORIES } from "./taxonomy_rows.ts";

export const ROOT_KINDS: readonly RootKind[] = [
  MEMORIES,
  ...IDENTITY_KINDS,
  ...DECISION_KINDS,
  PEOPLE,
  RESOURCES,
  CATEGORIES,
];

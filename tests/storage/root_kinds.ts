/** The kinds of roots of all families. Add new ones here. */

import { DECISION_KINDS } from "../families/decision/rows.ts";
import type { RootKind } from "./family_rows.ts";
import { IDENTITY_KINDS } from "../families/identity/rows.ts";
import { MEMORIES } from "../families/memory/rows.ts";
import { PEOPLE } from "../families/relationship/rows.ts";
import { RESOURCES } from "../families/resource/rows.ts";
import { CATEGORIES } from "../families/taxonomy/rows.ts";

export const ROOT_KINDS: readonly RootKind[] = [
  MEMORIES,
  ...IDENTITY_KINDS,
  ...DECISION_KINDS,
  PEOPLE,
  RESOURCES,
  CATEGORIES,
];

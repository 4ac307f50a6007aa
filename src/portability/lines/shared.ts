import { MODULE_CODES } from "../../catalog/module_codes.ts";
import type { Columns } from "../description.ts";
import { oneOf, optional, stamp } from "../kinds.ts";

export const moduleCode = oneOf(MODULE_CODES);

export const ARCHIVED: Columns = { archived_at: optional(stamp) };

/**
 * What a catalog module is: fields, cross-field rules and features, as typed values (specification,
 * Module fields and Features per module). The 24 files under `modules/` are written in the small
 * vocabulary below and hold no code but their rules.
 */

import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import type { DedicatedEndpointCode } from "../errors/codes.ts";
import type { PayloadView } from "./payload_view.ts";

/** How a field is edited, and so which values it takes. */
export type EditType =
  | "text"
  | "textarea"
  | "select"
  | "number"
  | "datetime"
  | "boolean"
  | "tags"
  | "file"
  | "json";

/** One top-level key of a module's payload. */
export interface Field {
  readonly name: string;
  readonly edit: EditType;
  readonly required: boolean;
  /** Sensitive values never appear in errors, logs, URLs or filters. */
  readonly sensitive: boolean;
  readonly options?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  /** In Unicode code points; overrides the edit type's own limit. */
  readonly maximumLength?: number;
  /** Entries that repeat an earlier one are dropped before the checks; the first is kept. */
  readonly distinct?: boolean;
  /** A text field that names a stored attachment of the same owner. `file` fields always do. */
  readonly attachment?: boolean;
}

/** What a rule and a normalisation may know besides the payload itself. */
export interface PolicyContext {
  readonly now: Date;
  /** The record that is written: known before a creation too. */
  readonly recordId: string;
  /** The payload fields that this request sets or removes. At creation: every field of the payload. */
  readonly set: ReadonlySet<string>;
}

/** What every rule tells about itself. */
interface RuleText {
  /** Stable and public: `<module>.<rule>` in snake case. */
  readonly name: string;
  /** The rule as a sentence, served by the catalog route. */
  readonly statement: string;
  /** The fields to name when the rule is broken. */
  readonly fields: readonly string[];
}

/** A rule that a payload can break. It ignores fields that are absent or of the wrong type. */
export interface CheckedRule extends RuleText {
  readonly enforced: "policy";
  readonly holds: (payload: PayloadView, context: PolicyContext) => boolean;
}

/**
 * A rule that no payload can break by itself: `normalisation` makes it true before the checks, and
 * `storage` marks what only the stored state can decide, which the module's own routes do.
 */
export interface StatedRule extends RuleText {
  readonly enforced: "normalisation" | "storage";
}

/** A cross-field rule. */
export type Rule = CheckedRule | StatedRule;

/** Annotations are served beside a feature and never change its status. */
export type Annotation = "EXTERNAL_BLOCKER" | "HISTORICAL_PROVIDER";

/** The execution policy of a feature. */
export type Strategy =
  | "record"
  | "analyze"
  | "compare"
  | "export"
  | "generate"
  | "import"
  | "notify"
  | "publish"
  | "rank"
  | "schedule"
  | "simulate"
  | "snapshot"
  | "verify";

/** Whether a domain loop is complete (specification, Completion meaning). */
export type Completion = "partial" | "implemented_local";

/** One of a module's eight features. */
export interface Feature {
  /** Module prefix, hyphen, three digits: `REL-001`. */
  readonly id: string;
  readonly title: string;
  readonly strategy: Strategy;
  readonly plannedVersion: "V1.0" | "V2.0" | "V3.0";
  readonly status: Completion;
  readonly annotations: readonly Annotation[];
  /** What answers the generic feature route in its place; null where that route may execute it. */
  readonly dedicatedCode: DedicatedEndpointCode | null;
}

/** What the Record Kernel needs to know of a module that has routes of its own. */
export interface DedicatedAccess {
  /** What answers a generic creation. */
  readonly createCode: DedicatedEndpointCode;
  /** What answers every later generic write. */
  readonly changeCode: DedicatedEndpointCode;
  /** What a generic read needs besides `record.read`. */
  readonly readPermission: Permission;
  /** What answers a generic read of something typed that has no record; not given where each has one. */
  readonly typedCode?: DedicatedEndpointCode;
}

/** Fields that belong together, and what must hold of their values. */
export interface FieldSet {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** Runs before the rules: derives and de-duplicates. Must not change what a person wrote. */
  readonly normalise?: (payload: JsonObject, context: PolicyContext) => JsonObject;
}

/** A module of the catalog. */
export interface CatalogModule extends FieldSet {
  readonly code: string;
  /** Three letters that begin each feature id. */
  readonly prefix: string;
  readonly group: string;
  readonly completion: Completion;
  /** Whether it is written through the generic routes, or through routes of its own. */
  readonly access: "GENERIC" | DedicatedAccess;
  readonly features: readonly Feature[];
  /** What an example of a payload needs besides or instead of any value of each required field. */
  readonly example?: JsonObject;
}

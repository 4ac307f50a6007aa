/**
 * A catalog module: fields, cross-field rules and features, as typed values (specification, Module fields
 * and Features per module). The 24 files under `modules/` are written in the small vocabulary below and
 * contain no code except their rules.
 */

import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import type { DedicatedEndpointCode } from "../errors/codes.ts";
import type { PayloadView } from "./payload_view.ts";

/** The editor of a field, which determines its values. */
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
  /** Entries that repeat an earlier one are removed before the checks. */
  readonly distinct?: boolean;
  /** A text field that names a stored attachment of the same owner. `file` fields always do. */
  readonly attachment?: boolean;
}

/** The context of a rule or normalisation, in addition to the payload. */
export interface PolicyContext {
  readonly now: Date;
  /** The record that is written: known before a creation too. */
  readonly recordId: string;
  /** The payload fields that this request sets or removes. At creation: every field of the payload. */
  readonly set: ReadonlySet<string>;
}

/** The description of a rule. */
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

/** Annotations are served with a feature and never change its status. */
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
  /** The error code of the generic feature route; null if that route may execute the feature. */
  readonly dedicatedCode: DedicatedEndpointCode | null;
}

/** What generic record routes need to know about a module with dedicated routes. */
export interface DedicatedAccess {
  /** The error code of a generic creation. */
  readonly createCode: DedicatedEndpointCode;
  /** The error code of every later generic write. */
  readonly changeCode: DedicatedEndpointCode;
  /** The permission of a generic read, in addition to `record.read`. */
  readonly readPermission: Permission;
  /** The error code of a generic read of a typed object without a record; undefined if all have records. */
  readonly typedCode?: DedicatedEndpointCode;
}

/** A set of fields, and the rules about their values. */
export interface FieldSet {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** Runs before the rules: derives values and removes duplicates. Must not change user text. */
  readonly normalise?: (payload: JsonObject, context: PolicyContext) => JsonObject;
}

/** A module of the catalog. */
export interface CatalogModule extends FieldSet {
  readonly code: string;
  /** Three letters that begin each feature id. */
  readonly prefix: string;
  readonly group: string;
  readonly completion: Completion;
  /** Generic routes, or dedicated ones. */
  readonly access: "GENERIC" | DedicatedAccess;
  readonly features: readonly Feature[];
  /** Example values that required fields need, or additional ones. */
  readonly example?: JsonObject;
}

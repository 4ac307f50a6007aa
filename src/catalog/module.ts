/**
 * The vocabulary of the 24 files under `modules/`, which contain no code except their rules
 * (specification, Module fields and Features per module).
 */

import type { Permission } from "../access/permissions.ts";
import type { JsonObject } from "../core/json.ts";
import type { DedicatedEndpointCode } from "../errors/codes.ts";
import type { PayloadView } from "./payload_view.ts";

export const EDIT_TYPES = [
  "text",
  "textarea",
  "select",
  "number",
  "datetime",
  "boolean",
  "tags",
  "file",
  "json",
] as const;

export type EditType = (typeof EDIT_TYPES)[number];

/** A top-level key of a module's payload. */
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
  readonly maximumLength?: number;
  /** Repeated entries are removed before the checks. */
  readonly distinct?: boolean;
  readonly attachment?: boolean;
}

export interface PolicyContext {
  readonly now: Date;
  /** Known before a creation too. */
  readonly recordId: string;
  /** The fields that this request sets or removes; at creation all of them. */
  readonly set: ReadonlySet<string>;
  /** Times of `set` that keep their stored clock, which is not checked again; default: none. */
  readonly kept?: ReadonlySet<string>;
}

interface RuleText {
  /** Stable and public: `<module>.<rule>` in snake case. */
  readonly name: string;
  /** Served by the catalog route. */
  readonly statement: string;
  /** Named in the error if the rule is violated. */
  readonly fields: readonly string[];
}

/** Ignores fields that are absent or of the wrong type. */
export interface CheckedRule extends RuleText {
  readonly enforced: "policy";
  readonly holds: (payload: PayloadView, context: PolicyContext) => boolean;
}

/**
 * A payload alone cannot violate it: `normalisation` makes it true before the checks; the module's
 * own routes enforce `storage` rules, which depend on the stored state.
 */
export interface StatedRule extends RuleText {
  readonly enforced: "normalisation" | "storage";
}

export type Rule = CheckedRule | StatedRule;

/** Served with a feature; never change its status. */
export type Annotation = "EXTERNAL_BLOCKER" | "HISTORICAL_PROVIDER";

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

export interface Feature {
  /** Module prefix, hyphen, three digits: `REL-001`. */
  readonly id: string;
  readonly title: string;
  readonly strategy: Strategy;
  readonly plannedVersion: "V1.0" | "V2.0" | "V3.0";
  readonly status: Completion;
  readonly annotations: readonly Annotation[];
  /** The generic feature route's error code; null if that route may execute the feature. */
  readonly dedicatedCode: DedicatedEndpointCode | null;
}

/** How the generic record routes treat a module with dedicated routes. */
export interface DedicatedAccess {
  readonly createCode: DedicatedEndpointCode;
  /** Error code of every later generic write. */
  readonly changeCode: DedicatedEndpointCode;
  /** Required in addition to `record.read`. */
  readonly readPermission: Permission;
  /**
   * Error code of a generic read of a typed object without a record; undefined if all have records.
   */
  readonly typedCode?: DedicatedEndpointCode;
}

/** A measurement: values of one kind and unit can be compared. The members name fields. */
export interface Measure {
  readonly field: string;
  readonly kind: string;
  readonly unit: string;
}

export interface FieldSet {
  readonly fields: readonly Field[];
  readonly rules: readonly Rule[];
  /** Derives values and removes duplicates before the rules. Must not change user text. */
  readonly normalise?: (payload: JsonObject, context: PolicyContext) => JsonObject;
}

export interface CatalogModule extends FieldSet {
  readonly code: string;
  /** Three letters that begin each feature id. */
  readonly prefix: string;
  readonly group: string;
  readonly completion: Completion;
  readonly access: "GENERIC" | DedicatedAccess;
  readonly features: readonly Feature[];
  /** The fields of a record's own time, the first that is set counts; of edit type `datetime`. */
  readonly times: readonly string[];
  readonly measure?: Measure;
  readonly example?: JsonObject;
}

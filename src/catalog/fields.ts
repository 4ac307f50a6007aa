/** The vocabulary in which the module files state their fields and features. */

import type { DedicatedEndpointCode } from "../errors/codes.ts";
import type { Annotation, Completion, EditType, Feature, Field, Strategy } from "./module.ts";

/** Options of any field. */
export interface FieldOptions {
  readonly required?: boolean;
  readonly sensitive?: boolean;
}

/** Further options of a text field. */
export interface TextOptions extends FieldOptions {
  /** In Unicode code points; the edit type's own limit otherwise. */
  readonly maximumLength?: number;
  /** The text is the id of a stored attachment of the same owner. */
  readonly attachment?: boolean;
}

/** The inclusive range of a number, and whether it must be whole. */
export interface NumberOptions extends FieldOptions {
  readonly minimum: number;
  readonly maximum: number;
  readonly integer?: boolean;
}

/** Further options of a list field. */
export interface ListOptions extends FieldOptions {
  /** Repeated entries are dropped; the first stays as written. */
  readonly distinct?: boolean;
}

/** A single line of text. */
export function text(name: string, options: TextOptions = {}): Field {
  return field(name, "text", options);
}

/** Text of many lines. */
export function textarea(name: string, options: FieldOptions = {}): Field {
  return field(name, "textarea", options);
}

/** One of the given options. */
export function select(
  name: string,
  choices: readonly string[],
  options: FieldOptions = {},
): Field {
  return { ...field(name, "select", options), options: choices };
}

/** A number within a range; it may have a fraction unless `integer` is set. */
export function number(name: string, options: NumberOptions): Field {
  return { integer: false, ...field(name, "number", options) };
}

/** A point in time. */
export function datetime(name: string, options: FieldOptions = {}): Field {
  return field(name, "datetime", options);
}

/** True or false. */
export function boolean(name: string, options: FieldOptions = {}): Field {
  return field(name, "boolean", options);
}

/** A list of short texts. */
export function tags(name: string, options: ListOptions = {}): Field {
  return field(name, "tags", options);
}

/** A list of ids of stored attachments of the same owner. */
export function files(name: string, options: ListOptions = {}): Field {
  return field(name, "file", options);
}

/** Any JSON object or array. */
export function json(name: string, options: FieldOptions = {}): Field {
  return field(name, "json", options);
}

/** Options of a feature. */
export interface FeatureOptions {
  readonly status?: Completion;
  readonly annotations?: readonly Annotation[];
  readonly dedicatedCode?: DedicatedEndpointCode;
}

/** A feature of a module; `partial` and without dedicated routes by default. */
export function feature(
  id: string,
  title: string,
  strategy: Strategy,
  plannedVersion: Feature["plannedVersion"],
  options: FeatureOptions = {},
): Feature {
  return {
    id,
    title,
    strategy,
    plannedVersion,
    status: options.status ?? "partial",
    annotations: options.annotations ?? [],
    dedicatedCode: options.dedicatedCode ?? null,
  };
}

function field<Options extends FieldOptions>(name: string, edit: EditType, options: Options) {
  return { name, edit, required: false, sensitive: false, ...options };
}

import type { DedicatedEndpointCode } from "../errors/codes.ts";
import type { Annotation, Completion, EditType, Feature, Field, Strategy } from "./module.ts";

export interface FieldOptions {
  readonly required?: boolean;
  readonly sensitive?: boolean;
}

interface TextOptions extends FieldOptions {
  /** In code points; by default the edit type's own limit. */
  readonly maximumLength?: number;
  /** The id of a stored attachment of the same owner. */
  readonly attachment?: boolean;
}

/** The range is inclusive. */
interface NumberOptions extends FieldOptions {
  readonly minimum: number;
  readonly maximum: number;
  readonly integer?: boolean;
}

interface ListOptions extends FieldOptions {
  /** Repeated entries are dropped; the first stays as written. */
  readonly distinct?: boolean;
}

export function text(name: string, options: TextOptions = {}): Field {
  return field(name, "text", options);
}

export function textarea(name: string, options: FieldOptions = {}): Field {
  return field(name, "textarea", options);
}

export function select(
  name: string,
  choices: readonly string[],
  options: FieldOptions = {},
): Field {
  return { ...field(name, "select", options), options: choices };
}

/** The number may have a fraction unless `integer` is set. */
export function number(name: string, options: NumberOptions): Field {
  return { integer: false, ...field(name, "number", options) };
}

export function datetime(name: string, options: FieldOptions = {}): Field {
  return field(name, "datetime", options);
}

export function boolean(name: string, options: FieldOptions = {}): Field {
  return field(name, "boolean", options);
}

export function tags(name: string, options: ListOptions = {}): Field {
  return field(name, "tags", options);
}

/** Ids of the owner's stored attachments. */
export function files(name: string, options: ListOptions = {}): Field {
  return field(name, "file", options);
}

export function json(name: string, options: FieldOptions = {}): Field {
  return field(name, "json", options);
}

interface FeatureOptions {
  readonly status?: Completion;
  readonly annotations?: readonly Annotation[];
  readonly dedicatedCode?: DedicatedEndpointCode;
}

/** By default `partial` and without dedicated routes. */
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

import type { CatalogModule, Field } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import { PAGE_LIMIT, PAGE_QUERY, pageOf, type PageQuery } from "../http/page.ts";
import { checkIdentifierCursor, CURSOR_OF_EITHER_FORM, signedPageOf } from "../http/signed_page.ts";
import { type JsonSchema, TEXT } from "../validate/json_schema.ts";
import {
  checkParameters,
  describeObject,
  type ObjectSchema,
  oneOf,
  optional,
  queryParameters,
  readQuery,
  timestamp,
  Violations,
} from "../validate/schema.ts";
import { formatTimestamp, parseTimestamp } from "../validate/timestamp.ts";

const MAX_FILTERS = 10;

const WRITING_SORTS = ["-createdAt", "createdAt", "-updatedAt", "updatedAt"] as const;

/** The sorts by times of writing. */
export const WRITING_SORT = optional(oneOf(...WRITING_SORTS));

const ANY_SORT = oneOf(...WRITING_SORTS, "title", "-title", "time", "-time");

const SORT = optional({
  ...ANY_SORT,
  json: {
    ...ANY_SORT.json,
    description: "`title` orders by the words of the title, without case and accents, `time` by " +
      "the own time. Records without it come last, newest first, as do redacted ones.",
  },
});

export const LIST_QUERY = {
  limit: PAGE_QUERY.limit,
  cursor: CURSOR_OF_EITHER_FORM,
  sort: SORT,
  archived: optional(oneOf("exclude", "only", "include")),
  createdFrom: optional(timestamp),
  createdTo: optional(timestamp),
  updatedFrom: optional(timestamp),
  updatedTo: optional(timestamp),
};

const TIME_PARAMETERS = { "time[from]": optional(timestamp), "time[to]": optional(timestamp) };

const TIME_SCHEMA: JsonSchema = {
  ...describeObject({ from: optional(timestamp), to: optional(timestamp) }),
  description: "Only records whose own time is not before `time[from]` and is before `time[to]`. " +
    "The own time of a record is the first field of its module's `times` that is set.",
};

const FILTER_SCHEMA: JsonSchema = {
  type: "object",
  description:
    "Up to ten conditions on normal fields of the module: `filter[field]=value` for equality, " +
    "`filter[field][gte]` and `filter[field][lte]` for the range of a number or datetime field. " +
    "A time has an offset and no zone.",
  additionalProperties: {
    anyOf: [TEXT, {
      type: "object",
      properties: { gte: TEXT, lte: TEXT },
      additionalProperties: false,
    }],
  },
};

/** A condition on a payload field. */
export interface Filter {
  readonly field: string;
  readonly edit: "select" | "boolean" | "text" | "tags" | "number" | "datetime";
  readonly comparison: "equals" | "gte" | "lte";
  /** The value as in the payload; a number as its digits. */
  readonly value: string;
}

/** A range without its end; each end may be missing. */
export interface MomentRange {
  readonly from?: Date;
  readonly to?: Date;
}

/** A list in order of writing. */
export interface ListQuery {
  readonly limit: number;
  readonly cursor: string | null;
  readonly sortBy: "createdAt" | "updatedAt";
  readonly isDescending: boolean;
  readonly archived: "exclude" | "only" | "include";
  readonly created: MomentRange;
  readonly updated: MomentRange;
  readonly filters: readonly Filter[];
  /** A further condition, which begins with `and`; by default none. */
  readonly condition?: (sql: Sql) => Query<object>;
}

/** A query of the list route. */
export interface RecordListQuery extends Omit<ListQuery, "sortBy" | "condition"> {
  readonly sortBy: ListQuery["sortBy"] | "title" | "time";
  /** Only records whose own time lies within. */
  readonly time: MomentRange;
}

/** Allowed query parameters of a list, their parser, and the schema of a page. */
export interface ListParameters {
  readonly query: ObjectSchema;
  readonly filter?: JsonSchema;
  readonly time?: JsonSchema;
  /** @throws ServiceError `PAYLOAD_INVALID`. */
  readonly read: (module: CatalogModule, query: URLSearchParams) => RecordListQuery;
  readonly pageOf: (item: JsonSchema) => JsonSchema;
}

export const ALL_PARAMETERS: ListParameters = {
  query: LIST_QUERY,
  filter: FILTER_SCHEMA,
  time: TIME_SCHEMA,
  read: readListQuery,
  pageOf: signedPageOf,
};

const PLAIN_QUERY = { ...PAGE_QUERY, archived: LIST_QUERY.archived };

/** Default order, with or without archived records. */
export const PLAIN_PARAMETERS: ListParameters = {
  query: PLAIN_QUERY,
  read(_module, sent) {
    const { limit, cursor, archived } = readQuery(PLAIN_QUERY, sent);
    const page = { limit: limit ?? PAGE_LIMIT.standard, cursor: cursor ?? null };
    return { ...newestFirst(page, archived ?? "exclude"), time: {} };
  },
  pageOf,
};

/** Default order, no condition. */
export function newestFirst(page: PageQuery, archived: ListQuery["archived"]): ListQuery {
  const order = { sortBy: "createdAt", isDescending: true } as const;
  return { ...page, ...order, archived, created: {}, updated: {}, filters: [] };
}

/** Schema of filters that {@linkcode readFilters} reads as "equality". */
export const EQUALITY_SCHEMA: JsonSchema = {
  type: "object",
  description: "Up to ten conditions for equality on normal fields of the module: " +
    "`filter[field]=value`. A time has an offset and no zone.",
  additionalProperties: TEXT,
};

const FILTER_NAME = /^filter\[([A-Za-z]{1,64})\](?:\[(gte|lte)\])?$/;

/**
 * @throws ServiceError `PAYLOAD_INVALID` for an unknown, repeated or ill-formed parameter, and for
 *   a filter on a sensitive field or a dedicated module: sensitive values never travel in a URL.
 */
export function readListQuery(module: CatalogModule, query: URLSearchParams): RecordListQuery {
  const violations = new Violations();
  const parameters = queryParameters(query, violations);
  const { filters, others } = readFilters(module, parameters, "any comparison", violations);
  const checked = checkParameters({ ...LIST_QUERY, ...TIME_PARAMETERS }, others, violations);
  const { sort = "-createdAt", cursor } = checked;
  const time = momentRange(checked["time[from]"], checked["time[to]"]);
  if (isReversed(time)) {
    violations.add("range.order", "time[from]");
    violations.add("range.order", "time[to]");
  }
  if (WRITING_SORTS.some((each) => each === sort)) checkIdentifierCursor(cursor, violations);
  violations.throwIfAny();
  return {
    limit: checked.limit ?? PAGE_LIMIT.standard,
    cursor: cursor ?? null,
    sortBy: withoutSign(sort),
    isDescending: sort.startsWith("-"),
    archived: checked.archived ?? "exclude",
    created: momentRange(checked.createdFrom, checked.createdTo),
    updated: momentRange(checked.updatedFrom, checked.updatedTo),
    time,
    filters,
  };
}

function withoutSign<Name extends string>(sort: Name | `-${Name}`): Name {
  return (sort.startsWith("-") ? sort.slice(1) : sort) as Name;
}

function momentRange(from: Date | undefined, to: Date | undefined): MomentRange {
  return { ...(from && { from }), ...(to && { to }) };
}

function isReversed({ from, to }: MomentRange): boolean {
  return from !== undefined && to !== undefined && from >= to;
}

/** The filters among sent parameters, and the other parameters. */
export function readFilters(
  module: CatalogModule,
  parameters: ReadonlyMap<string, string>,
  allowed: "equality" | "any comparison",
  violations: Violations,
): { readonly filters: readonly Filter[]; readonly others: ReadonlyMap<string, string> } {
  const filters: Filter[] = [];
  const others = new Map<string, string>();
  for (const [name, value] of parameters) {
    const parts = FILTER_NAME.exec(name);
    if (parts === null) others.set(name, value);
    else filters.push(...readFilter(module, parts, value, allowed, violations));
  }
  if (filters.length > MAX_FILTERS) violations.add("filter.count");
  return { filters, others };
}

function readFilter(
  module: CatalogModule,
  parts: RegExpExecArray,
  value: string,
  allowed: "equality" | "any comparison",
  violations: Violations,
): Filter[] {
  const [sent, name = "", operator] = parts;
  const field = module.fields.find((candidate) => candidate.name === name);
  if (field === undefined || !isFilterable(module, field)) {
    violations.add("filter.field", sent);
    return [];
  }
  const comparison = operator === "gte" || operator === "lte" ? operator : "equals";
  const stored = storedForm(field, value);
  const hasOrder = field.edit === "number" || field.edit === "datetime";
  const comparable = comparison === "equals" || (allowed === "any comparison" && hasOrder);
  if (!comparable) violations.add("filter.comparison", sent);
  if (stored === null) violations.add("filter.value", sent);
  return [{ field: field.name, edit: field.edit, comparison, value: stored ?? "" }];
}

function isFilterable(
  module: CatalogModule,
  field: Field,
): field is Field & { readonly edit: Filter["edit"] } {
  const edits = ["select", "boolean", "text", "tags", "number", "datetime"];
  return module.access === "GENERIC" && !field.sensitive && edits.includes(field.edit);
}

/** Returns the shortest digits of a number, because payloads hold doubles. */
function storedNumber(value: string): string | null {
  if (!/^-?\d{1,32}(\.\d{1,32})?(e[+-]?\d{1,3})?$/i.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : null;
}

/** The payload's text for a value, or null if the field cannot hold it. */
function storedForm(field: Field, value: string): string | null {
  switch (field.edit) {
    case "select":
      return field.options?.includes(value) ? value : null;
    case "boolean":
      return value === "true" || value === "false" ? value : null;
    case "number":
      return storedNumber(value);
    case "datetime": {
      const time = parseTimestamp(value);
      return time === null ? null : formatTimestamp(time);
    }
    default:
      return value;
  }
}

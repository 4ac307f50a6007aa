import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { CatalogModule } from "../catalog/module.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { type Filter, readFilters, requireReadableModule } from "../records/port.ts";
import {
  checkParameters,
  oneOf,
  optional,
  queryParameters,
  Violations,
} from "../validate/schema.ts";
import { UNITS } from "./calendar_units.ts";
import { ANY_TEXT, checkRange, DAY_RANGE_QUERY, type DayRange } from "./day_range.ts";

export const SERIES_QUERY = {
  module: ANY_TEXT,
  field: optional(ANY_TEXT),
  by: oneOf("day", "week", "month", "year"),
  ...DAY_RANGE_QUERY,
};

export interface SeriesQuery extends DayRange {
  readonly module: CatalogModule;
  /** The number field; null to count the records alone. */
  readonly field: string | null;
  readonly by: "day" | "week" | "month" | "year";
  readonly filters: readonly Filter[];
}

/**
 * @throws ServiceError `RECORD_MODULE_NOT_FOUND`; `FORBIDDEN` if the reader may not read the
 *   module; `PAYLOAD_INVALID` (lists_insight.md [22] to [24]).
 */
export function readSeriesQuery(
  catalog: Catalog,
  reader: Caller,
  query: URLSearchParams,
): SeriesQuery {
  const violations = new Violations();
  const parameters = queryParameters(query, violations);
  const module = readModule(catalog, reader, parameters.get("module"));
  const { filters, others } = module === null
    ? { filters: [], others: parameters }
    : readFilters(module, parameters, "equality", violations);
  const { field = null, by, ...range } = checkParameters(SERIES_QUERY, others, violations);
  if (module !== null) checkField(module, field, filters, violations);
  violations.throwIfAny();
  if (module === null) throw new TypeError("A missing module is a violation");
  checkRange(range, UNITS[by]);
  return { ...range, by, module, field, filters };
}

/** Returns null if no module is named. */
function readModule(
  catalog: Catalog,
  reader: Caller,
  code: string | undefined,
): CatalogModule | null {
  if (code === undefined) return null;
  const module = requireReadableModule(catalog, code, reader);
  if (module.access !== "GENERIC") throw payloadInvalid(["insight.module"], ["module"]);
  return module;
}

/** A field of a measure needs its kind, because values of several kinds cannot be compared. */
function checkField(
  { fields, measure }: CatalogModule,
  name: string | null,
  filters: readonly Filter[],
  violations: Violations,
): void {
  if (name === null) return;
  const field = fields.find((candidate) => candidate.name === name);
  if (field?.edit !== "number" || field.sensitive) violations.add("insight.field", "field");
  if (measure?.field !== name) return;
  const hasKind = filters.some((filter) => filter.field === measure.kind);
  if (!hasKind) violations.add("insight.kind", `filter[${measure.kind}]`);
}

/** The order of a record in lists, by which counts find it as well. Pure. */

import type { Permission } from "../../access/permissions.ts";
import type { CatalogModule } from "../../catalog/module.ts";
import type { JsonObject } from "../../core/json.ts";
import { localTimeText, parseClocks } from "../../validate/local_time.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";

/** A record's own time. */
export interface OwnTime {
  readonly time: Date | null;
  /** The local date of the time, `YYYY-MM-DD`; null without a clock. */
  readonly day: string | null;
}

/** A row of `record_order`, without the form of the title. */
export interface OrderEntry extends OwnTime {
  readonly moduleCode: string;
  readonly isArchived: boolean;
  readonly guard: Permission | null;
  /** The kind of a measurement or a term, or the precision of the time; null for none. */
  readonly kind: string | null;
}

interface OrderedRecord {
  readonly module_code: string;
  readonly archived_at: Date | null;
  readonly guard: Permission | null;
  /** JSON text of `Clocks`; null without any. */
  readonly clocks: string | null;
}

/** The select field that `kind` holds, by module. */
const KIND_FIELDS: Readonly<Record<string, string>> = {
  health: "metricType",
  memory: "timePrecision",
  taxonomy: "kind",
  timeline: "timePrecision",
};

const DAY_LENGTH = "2025-11-01".length;

/**
 * @param module Null if it has left the catalog.
 * @param payload With times in UTC.
 * @param time The own time, if the payload does not have it.
 */
export function orderEntry(
  module: Pick<CatalogModule, "times"> | null,
  record: OrderedRecord,
  payload: JsonObject,
  time?: Date | null,
): OrderEntry {
  const kind = payload[KIND_FIELDS[record.module_code] ?? ""];
  return {
    moduleCode: record.module_code,
    isArchived: record.archived_at !== null,
    guard: record.guard,
    kind: typeof kind === "string" ? kind : null,
    ...ownTime(module?.times ?? [], payload, record.clocks, time),
  };
}

function ownTime(
  names: readonly string[],
  payload: JsonObject,
  clocks: string | null,
  time: Date | null | undefined,
): OwnTime {
  const name = names.find((name) => typeof payload[name] === "string");
  const stated = name === undefined ? null : parseTimestamp(String(payload[name]));
  const clock = name === undefined ? null : parseClocks(clocks)[name] ?? null;
  const own = time === undefined ? stated === null ? null : new Date(stated) : time;
  return {
    time: own,
    day: own === null || stated === null || clock === null
      ? null
      : localTimeText(stated, clock).slice(0, DAY_LENGTH),
  };
}

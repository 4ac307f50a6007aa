/** Due items: kinds, entries and public form. No SQL, no HTTP. */

import { type Caller, reachesModule } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import { DATE_WORDS } from "../families/relationship/port.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

/** In the order of the contract. */
export const DUE_KINDS = [
  "COMMITMENT",
  "ACTION",
  "ROUTINE",
  "DECISION_REVIEW",
  "CONTACT",
  "DATE",
  "PROPOSAL",
] as const;
export type DueKind = (typeof DUE_KINDS)[number];

interface KindProperties {
  readonly module: string;
  /** The permission required in addition to `record.read`; null for none. */
  readonly permission: Permission | null;
  /** True if calendars have alarms for it. */
  readonly alarm: boolean;
}

export const KINDS: Readonly<Record<DueKind, KindProperties>> = {
  COMMITMENT: { module: "commitment", permission: null, alarm: true },
  ACTION: { module: "action", permission: null, alarm: true },
  ROUTINE: { module: "routine", permission: null, alarm: true },
  DECISION_REVIEW: { module: "decision", permission: "decision.read", alarm: true },
  CONTACT: { module: "relationship", permission: "relationship.person.read", alarm: false },
  DATE: { module: "relationship", permission: "relationship.ledger.read", alarm: true },
  PROPOSAL: { module: "relationship", permission: "relationship.ledger.read", alarm: false },
};

/** Returns the kinds that a reader may see. */
export function readableKinds(
  reader: Pick<Caller, "permissions" | "modules">,
): readonly DueKind[] {
  const { permissions } = reader;
  if (!permissions.has("platform.operate") || !permissions.has("record.read")) return [];
  return DUE_KINDS.filter((kind) => {
    const { module, permission } = KINDS[kind];
    return reachesModule(reader, module) && (permission === null || permissions.has(permission));
  });
}

/** One due item as it is read. */
export interface DueEntry {
  readonly kind: DueKind;
  readonly recordId: string;
  /** The detail of a DATE, or the proposal of a PROPOSAL; otherwise null. */
  readonly sourceId: string | null;
  readonly title: string;
  readonly what: string | null;
  /** The label of a DATE; null without one, and for other kinds. */
  readonly label: string | null;
  /** Years since the year of a DATE; null without one, and for other kinds. */
  readonly years: number | null;
  /** The time, or midnight of the day in UTC, in milliseconds since 1970. */
  readonly instant: number;
  /** The day as `YYYY-MM-DD`; null for a time. */
  readonly date: string | null;
  /** As in `DueRow`. */
  readonly sequence: number;
  readonly changedAt: Date;
  readonly isSecret: boolean;
}

export type DuePosition = Pick<DueEntry, "instant" | "kind" | "recordId" | "sourceId">;

/** The order of the list: instant, kind alphabetically, record, source. */
export function compareEntries(one: DuePosition, other: DuePosition): number {
  return one.instant - other.instant || compareTexts(one.kind, other.kind) ||
    compareTexts(one.recordId, other.recordId) ||
    compareTexts(one.sourceId ?? "", other.sourceId ?? "");
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The public form of an entry. */
export interface DueItem {
  readonly kind: DueKind;
  readonly moduleCode: string;
  readonly recordId: string;
  readonly sourceId: string | null;
  readonly title: string;
  readonly what: string | null;
  readonly label: string | null;
  readonly years: number | null;
  readonly at: string | null;
  readonly date: string | null;
  readonly overdue: boolean;
  readonly alarm: boolean;
}

export const DUE_SCHEMA: JsonSchema = component<DueItem>("Due", {
  kind: enumOf(DUE_KINDS),
  moduleCode: TEXT,
  recordId: ULID,
  sourceId: nullable(ULID),
  title: TEXT,
  what: nullable(enumOf(DATE_WORDS)),
  label: nullable(TEXT),
  years: nullable({ type: "integer", minimum: 0 }),
  at: nullable(TIME),
  date: nullable({ type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  overdue: { type: "boolean" },
  alarm: { type: "boolean" },
});

/** A day is never overdue. */
export function toDueItem(
  { kind, recordId, sourceId, title, what, label, years, instant, date }: DueEntry,
  now: Date,
): DueItem {
  const { module, alarm } = KINDS[kind];
  return {
    kind,
    moduleCode: module,
    recordId,
    sourceId,
    title,
    what,
    label,
    years,
    at: date === null ? new Date(instant).toISOString() : null,
    date,
    overdue: date === null && instant < now.getTime(),
    alarm,
  };
}

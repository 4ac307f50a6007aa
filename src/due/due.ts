/** Due items: their kinds, and an item as it is read and as a client sees it. No SQL, no HTTP. */

import { type Caller, reachesModule } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";

/** The kinds in the order of the contract. */
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

/** The properties of a kind. */
interface KindProperties {
  readonly module: string;
  /** The permission that it needs besides `record.read`; null for none. */
  readonly permission: Permission | null;
  /** Whether a calendar rings for it. */
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

/** The kinds of which a reader may see what is due. */
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

/** One thing that is due. */
export interface DueEntry {
  readonly kind: DueKind;
  readonly recordId: string;
  /** The detail of a DATE, and the proposal of a PROPOSAL. */
  readonly sourceId: string | null;
  readonly title: string;
  readonly what: string | null;
  /** The time, or the midnight in UTC of the day, in milliseconds since 1970. */
  readonly instant: number;
  /** Null unless it is due on a day, `YYYY-MM-DD`. */
  readonly date: string | null;
  /** The revision that states it; null for a detail or a proposal. */
  readonly revision: number | null;
  readonly changedAt: Date;
  readonly isSecret: boolean;
}

/** The position of an entry in the list. */
export type DuePlace = Pick<DueEntry, "instant" | "kind" | "recordId" | "sourceId">;

/** The order of the list: instant, kind by letters, record, source. */
export function compareEntries(one: DuePlace, other: DuePlace): number {
  return one.instant - other.instant || compareTexts(one.kind, other.kind) ||
    compareTexts(one.recordId, other.recordId) ||
    compareTexts(one.sourceId ?? "", other.sourceId ?? "");
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** One thing that is due, as a client sees it. */
export interface DueItem {
  readonly kind: DueKind;
  readonly moduleCode: string;
  readonly recordId: string;
  readonly sourceId: string | null;
  readonly title: string;
  readonly what: string | null;
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
  what: nullable(enumOf(["BIRTHDAY", "ANNIVERSARY", "DEATH"])),
  at: nullable(TIME),
  date: nullable({ type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  overdue: { type: "boolean" },
  alarm: { type: "boolean" },
});

/** The public form of an entry. A day is never overdue. */
export function toDueItem(
  { kind, recordId, sourceId, title, what, instant, date }: DueEntry,
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
    at: date === null ? new Date(instant).toISOString() : null,
    date,
    overdue: date === null && instant < now.getTime(),
    alarm,
  };
}

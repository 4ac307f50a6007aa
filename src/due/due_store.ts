/** Reads due items: one statement for each kind, along an index, and merges the results. */

import { DAY_MS } from "../core/clock.ts";
import type { Sql } from "../database/sql.ts";
import type { DuePart, DueRow, DueRows } from "../kit/due.ts";
import {
  countOverdueContacts,
  findDates,
  findDueContacts,
  findDueProposals,
} from "../families/relationship/port.ts";
import { countOverdueRecords, findDueRecords } from "../records/port.ts";
import { compareEntries, type DueEntry, type DueKind, type DuePosition, KINDS } from "./due.ts";

/** Maximum days between `moment` and the end of a range, or its first day. */
export const MAX_DAYS = 400;

export interface DueQuery {
  readonly kinds: readonly DueKind[];
  /** Null for everything overdue too, and days from the day of `moment` on. */
  readonly from: Date | null;
  readonly until: Date;
  /** Bounds are relative to it, and proposals that expired before it are excluded. */
  readonly moment: Date;
  /** The last entry before this part; null for the first part. */
  readonly after: DuePosition | null;
  readonly withSecrets: boolean;
  readonly limit: number;
}

export interface DueList {
  readonly entries: readonly DueEntry[];
  /** The position after which the next part begins; null after the last part. */
  readonly next: DuePosition | null;
}

/** Reads an owner's earliest entries, in the order of the list. */
export async function readDue(sql: Sql, owner: string, query: DueQuery): Promise<DueList> {
  const lists = await Promise.all(query.kinds.map(async (kind) => {
    const { rows, end } = await readKind(sql, owner, kind, query);
    return {
      entries: rows.map((row) => toEntry(kind, row)),
      end: end && toDuePosition(kind, end),
    };
  }));
  const [end = null] = lists.flatMap((list) => list.end ?? []).sort(compareEntries);
  // Items after the end of their walk were not examined, so the list ends there for all kinds.
  const found = lists.flatMap((list) => list.entries)
    .filter((entry) => end === null || compareEntries(entry, end) <= 0)
    .sort(compareEntries);
  const entries = found.slice(0, query.limit);
  return { entries, next: found.length > query.limit ? entries.at(-1) ?? null : end };
}

/** Counts of overdue items. */
export interface OverdueCounts {
  /** At most `MAX_COUNTED`. */
  readonly overdue: number;
  /** The time of the oldest; null without one. */
  readonly oldest: string | null;
  /** True if counting ended at `MAX_COUNTED` items. */
  readonly more: boolean;
}

const MAX_COUNTED = 10_000;

/** Counts an owner's items due before `moment`, in no range. */
export async function countOverdue(
  sql: Sql,
  owner: string,
  kinds: readonly DueKind[],
  moment: Date,
): Promise<OverdueCounts> {
  let [overdue, left, oldest] = [0, MAX_COUNTED + 1, Infinity];
  for (const kind of kinds) {
    // Days are never overdue, and a proposal that expired is not due.
    if (kind === "DATE" || kind === "PROPOSAL") continue;
    const count = kind === "CONTACT"
      ? await countOverdueContacts(sql, owner, moment, left)
      : await countOverdueRecords(sql, owner, KINDS[kind].module, moment, left);
    overdue += count.overdue;
    left -= count.examined;
    if (count.oldest !== null) oldest = Math.min(oldest, toTime(count.oldest));
  }
  return {
    overdue: Math.min(overdue, MAX_COUNTED),
    oldest: oldest === Infinity ? null : new Date(oldest).toISOString(),
    more: left === 0,
  };
}

async function readKind(
  sql: Sql,
  owner: string,
  kind: DueKind,
  query: DueQuery,
): Promise<DueRows> {
  switch (kind) {
    case "CONTACT":
      return await findDueContacts(sql, owner, partOf(kind, query, query.from), query.moment);
    case "DATE": {
      const from = firstDate(query);
      const part = partOf(kind, query, from);
      const { withSecrets } = query;
      return await findDates(
        sql,
        owner,
        { ...part, from: part.from ?? from, withSecrets },
        "PERSON",
      );
    }
    case "PROPOSAL": {
      // A proposal that ends at `moment` has expired.
      const ready = new Date(query.moment.getTime() + 1);
      const part = partOf(kind, query, later(query.from, ready));
      return complete(await findDueProposals(sql, owner, part));
    }
    default: {
      const part = partOf(kind, query, query.from);
      return complete(await findDueRecords(sql, owner, KINDS[kind].module, part));
    }
  }
}

function complete(rows: readonly DueRow[]): DueRows {
  return { rows, end: null };
}

/** Returns the first day of the list: today, or the requested day if it is within `MAX_DAYS`. */
function firstDate({ from, moment }: DueQuery): Date {
  const now = moment.getTime();
  if (from === null) return new Date(now - (now % DAY_MS));
  return later(from, new Date(now - MAX_DAYS * DAY_MS));
}

/**
 * Returns the part of one kind after a position among all kinds, which are in alphabetical order at
 * one instant. It has one row more than the list, to detect a next part.
 */
function partOf(kind: DueKind, query: DueQuery, from: Date | null): DuePart {
  const { until, after } = query;
  const limit = query.limit + 1;
  if (after === null) return { from, until, after: null, limit };
  const instant = new Date(after.instant);
  if (kind === after.kind) return { from: instant, until, after, limit };
  const next = kind < after.kind ? new Date(after.instant + 1) : instant;
  return { from: later(from, next), until, after: null, limit };
}

function later(one: Date | null, other: Date): Date {
  return one === null || one < other ? other : one;
}

function toDuePosition(
  kind: DueKind,
  { due, record_id, source_id }: NonNullable<DueRows["end"]>,
): DuePosition {
  return { instant: toTime(due), kind, recordId: record_id, sourceId: source_id };
}

function toTime(due: DueRow["due"]): number {
  return new Date(due).getTime();
}

function toEntry(kind: DueKind, row: DueRow): DueEntry {
  return {
    ...toDuePosition(kind, row),
    title: row.title,
    what: row.what,
    label: row.label,
    years: row.years,
    date: kind === "DATE" ? String(row.due) : null,
    sequence: row.sequence,
    changedAt: row.changed_at,
    isSecret: row.is_secret,
  };
}

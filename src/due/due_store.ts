/** Reads what is due: one statement a kind, each along an index, and merges them. */

import { DAY_MS } from "../core/clock.ts";
import type { Sql } from "../database/sql.ts";
import type { DuePart, DueRow, DueRows } from "../kit/due.ts";
import { findDates, findDueContacts, findDueProposals } from "../families/relationship/port.ts";
import { findDueRecords } from "../records/port.ts";
import { compareEntries, type DueEntry, type DueKind, type DuePlace, KINDS } from "./due.ts";

/** How far ahead, and how far back for days, the list can reach. */
export const MAX_DAYS = 400;

/** The range, kinds and limit of one read. */
export interface DueQuery {
  readonly kinds: readonly DueKind[];
  /** Null: everything overdue as well, and days from the day of `moment` on. */
  readonly from: Date | null;
  readonly until: Date;
  /** The moment that the bounds are relative to. Proposals that have ended before it are left out. */
  readonly moment: Date;
  /** The last entry before the part; null for the first part. */
  readonly after: DuePlace | null;
  readonly withSecrets: boolean;
  readonly limit: number;
}

/** The earliest entries of a read. */
export interface DueList {
  readonly entries: readonly DueEntry[];
  /** The place after which the next part begins; null after the last part. */
  readonly next: DuePlace | null;
}

/** Reads the earliest entries of an owner, in the order of the list. */
export async function readDue(sql: Sql, owner: string, query: DueQuery): Promise<DueList> {
  const lists = await Promise.all(query.kinds.map(async (kind) => {
    const { rows, end } = await readKind(sql, owner, kind, query);
    return {
      entries: rows.map((row) => toEntry(kind, row)),
      end: end && toPlace(kind, end),
    };
  }));
  const [end = null] = lists.flatMap((list) => list.end ?? []).sort(compareEntries);
  // Dates after the end of their walk were not examined, so no kind is listed beyond it.
  const found = lists.flatMap((list) => list.entries)
    .filter((entry) => end === null || compareEntries(entry, end) <= 0)
    .sort(compareEntries);
  const entries = found.slice(0, query.limit);
  return { entries, next: found.length > query.limit ? entries.at(-1) ?? null : end };
}

async function readKind(
  sql: Sql,
  owner: string,
  kind: DueKind,
  query: DueQuery,
): Promise<DueRows> {
  switch (kind) {
    case "CONTACT":
      return whole(await findDueContacts(sql, owner, partOf(kind, query, query.from)));
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
      // It has expired once its time has come.
      const ready = new Date(query.moment.getTime() + 1);
      const part = partOf(kind, query, later(query.from, ready));
      return whole(await findDueProposals(sql, owner, part));
    }
    default: {
      const part = partOf(kind, query, query.from);
      return whole(await findDueRecords(sql, owner, KINDS[kind].module, part));
    }
  }
}

function whole(rows: readonly DueRow[]): DueRows {
  return { rows, end: null };
}

/** The first day of the list: today, or the day that was asked for within `MAX_DAYS`. */
function firstDate({ from, moment }: DueQuery): Date {
  const now = moment.getTime();
  if (from === null) return new Date(now - (now % DAY_MS));
  return later(from, new Date(now - MAX_DAYS * DAY_MS));
}

/**
 * The part of one kind behind a place among all kinds, of which those of one instant go by letters. It has one
 * row more than the list, to detect a next part.
 */
function partOf(kind: DueKind, query: DueQuery, from: Date | null): DuePart {
  const { until, after } = query;
  const limit = query.limit + 1;
  if (after === null) return { from, until, after: null, limit };
  const place = new Date(after.instant);
  if (kind === after.kind) return { from: place, until, after, limit };
  const next = kind < after.kind ? new Date(after.instant + 1) : place;
  return { from: later(from, next), until, after: null, limit };
}

function later(one: Date | null, other: Date): Date {
  return one === null || one < other ? other : one;
}

function toPlace(
  kind: DueKind,
  { due, record_id, source_id }: NonNullable<DueRows["end"]>,
): DuePlace {
  const instant = due instanceof Date ? due : new Date(due);
  return { instant: instant.getTime(), kind, recordId: record_id, sourceId: source_id };
}

function toEntry(kind: DueKind, row: DueRow): DueEntry {
  return {
    ...toPlace(kind, row),
    title: row.title,
    what: row.what,
    date: kind === "DATE" ? String(row.due) : null,
    revision: row.revision,
    changedAt: row.changed_at,
    isSecret: row.is_secret,
  };
}

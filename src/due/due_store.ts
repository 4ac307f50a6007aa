/** Reads what is due: one statement a kind, each along an index, and merges them. */

import type { Sql } from "../database/sql.ts";
import type { DuePart, DueRow } from "../families/kit/due.ts";
import { findDueContacts, findDueDates, findDueProposals } from "../families/relationship/port.ts";
import { findDueRecords } from "../records/port.ts";
import { compareEntries, type DueEntry, type DueKind, type DuePlace, KINDS } from "./due.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

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

/** Reads the earliest entries of an owner, in the order of the list. */
export async function readDue(
  sql: Sql,
  owner: string,
  query: DueQuery,
): Promise<readonly DueEntry[]> {
  const lists = await Promise.all(query.kinds.map(async (kind) => {
    const rows = await readKind(sql, owner, kind, query);
    return rows.map((row) => toEntry(kind, row));
  }));
  return lists.flat().sort(compareEntries).slice(0, query.limit);
}

async function readKind(
  sql: Sql,
  owner: string,
  kind: DueKind,
  query: DueQuery,
): Promise<readonly DueRow[]> {
  switch (kind) {
    case "CONTACT":
      return await findDueContacts(sql, owner, partOf(kind, query, query.from));
    case "DATE": {
      const from = firstDate(query);
      const part = partOf(kind, query, from);
      return await findDueDates(
        sql,
        owner,
        { ...part, from: part.from ?? from },
        query.withSecrets,
      );
    }
    case "PROPOSAL": {
      // It has expired once its time has come.
      const ready = new Date(query.moment.getTime() + 1);
      return await findDueProposals(sql, owner, partOf(kind, query, later(query.from, ready)));
    }
    default:
      return await findDueRecords(sql, owner, KINDS[kind].module, partOf(kind, query, query.from));
  }
}

/** The first day of the list: today, or the day that was asked for within `MAX_DAYS`. */
function firstDate({ from, moment }: DueQuery): Date {
  const now = moment.getTime();
  if (from === null) return new Date(now - (now % DAY_MS));
  return later(from, new Date(now - MAX_DAYS * DAY_MS));
}

/** The part of one kind behind a place among all kinds, of which those of one instant go by letters. */
function partOf(kind: DueKind, { until, after, limit }: DueQuery, from: Date | null): DuePart {
  if (after === null) return { from, until, after: null, limit };
  const place = new Date(after.instant);
  if (kind === after.kind) return { from: place, until, after, limit };
  const next = kind < after.kind ? new Date(after.instant + 1) : place;
  return { from: later(from, next), until, after: null, limit };
}

function later(one: Date | null, other: Date): Date {
  return one === null || one < other ? other : one;
}

function toEntry(kind: DueKind, row: DueRow): DueEntry {
  const isDay = kind === "DATE";
  const due = row.due instanceof Date ? row.due : new Date(row.due);
  return {
    kind,
    recordId: row.record_id,
    sourceId: row.source_id,
    title: row.title,
    what: row.what,
    instant: due.getTime(),
    date: isDay ? String(row.due) : null,
    revision: row.revision,
    changedAt: row.changed_at,
    isSecret: row.is_secret,
  };
}

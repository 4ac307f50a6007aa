/**
 * The row about scheduled backups. It is in the database instead of the backups' folder: processes
 * that share the database take turns by it, it records runs without a file, and backups may be
 * moved to another machine.
 */

import type { Database } from "../../../database/database.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a run counts as running without a renewal. */
const LEASE_MS: number = 10 * MINUTE;
/** Time from the start of a failed run to the next one. */
const RETRY_MS = HOUR;
/** Tolerated difference between the clocks of processes. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE;

/** A run that this process may carry out. */
export interface BackupRun {
  readonly runId: string;
  readonly startedAt: Date;
}

interface ScheduledBackup {
  /** The time of its data. */
  readonly at: Date;
  /** Under `DATA_DIR/backups`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** States of a run. INTERRUPTED means that it was cut off by the end of its process. */
export const RUN_STATES = ["RUNNING", "SUCCEEDED", "FAILED", "INTERRUPTED"] as const;
type RunState = (typeof RUN_STATES)[number];

export interface BackupState {
  /** Null before the first run. */
  readonly lastRun: null | {
    readonly state: RunState;
    readonly startedAt: Date;
    readonly endedAt: Date | null;
  };
  /** Null before the first backup. */
  readonly newest: ScheduledBackup | null;
}

/**
 * Starts a run if one is due; only one process gets it.
 *
 * Ignores a next run that is too far in the future: it was written before the clock was set back.
 *
 * @returns null if none is due; otherwise also whether the previous run was cut off.
 */
export async function leaseRun(
  database: Database,
  { runId, startedAt: now }: BackupRun,
  everyHours: number,
): Promise<{ readonly afterInterruption: boolean } | null> {
  const latest = after(now, everyHours * HOUR + CLOCK_TOLERANCE_MS);
  const latestClaim = after(now, LEASE_MS + CLOCK_TOLERANCE_MS);
  const [claimed] = await database.write((sql) =>
    sql<{ after_interruption: boolean }>`
    with due as (
      select claimed_until from scheduled_backups
       where (next_at is null or next_at <= ${now}::timestamptz or next_at > ${latest}::timestamptz)
         and (claimed_until is null or claimed_until <= ${now}::timestamptz
              or claimed_until > ${latestClaim}::timestamptz)
         for update
    )
    update scheduled_backups s
       set run_id = ${runId}, started_at = ${now}, claimed_until = ${after(now, LEASE_MS)},
           ended_at = null, outcome = null, next_at = ${after(now, RETRY_MS)}
      from due
    returning due.claimed_until is not null as after_interruption`
  );
  return claimed === undefined ? null : { afterInterruption: claimed.after_interruption };
}

/** Renews the lease. Returns false if another process took the run over. */
export async function renewLease(
  database: Database,
  { runId }: BackupRun,
  now: Date,
): Promise<boolean> {
  const renewed = await database.write((sql) =>
    sql`
    update scheduled_backups set claimed_until = ${after(now, LEASE_MS)}
     where run_id = ${runId} and outcome is null
    returning 1`
  );
  return renewed.length > 0;
}

/** Ends a successful run. The next is due `everyHours` after this one began. */
export async function recordBackup(
  database: Database,
  { runId, startedAt }: BackupRun,
  { at, name, size }: ScheduledBackup,
  { now, everyHours }: { readonly now: Date; readonly everyHours: number },
): Promise<void> {
  await database.write((sql) =>
    sql`
    update scheduled_backups
       set claimed_until = null, ended_at = ${now}, outcome = 'SUCCEEDED',
           next_at = ${after(startedAt, everyHours * HOUR)},
           backup_at = ${at}, backup_name = ${name}, backup_bytes = ${size}
     where run_id = ${runId} and outcome is null`
  );
}

export async function recordFailure(
  database: Database,
  { runId }: BackupRun,
  now: Date,
): Promise<void> {
  await database.write((sql) =>
    sql`
    update scheduled_backups set claimed_until = null, ended_at = ${now}, outcome = 'FAILED'
     where run_id = ${runId} and outcome is null`
  );
}

/** Abandons a run, because its process ends; the next process may begin one immediately. */
export async function abandonRun(
  database: Database,
  { runId }: BackupRun,
  now: Date,
): Promise<void> {
  await database.write((sql) =>
    sql`
    update scheduled_backups set claimed_until = ${now}, next_at = null
     where run_id = ${runId} and outcome is null`
  );
}

export async function readBackupState(database: Database, now: Date): Promise<BackupState> {
  const [row] = await database.read((sql) =>
    sql<StateRow>`
    select started_at, claimed_until, ended_at, outcome, backup_at, backup_name,
           backup_bytes::double precision as backup_bytes
      from scheduled_backups`
  );
  if (row === undefined) throw new Error("The row of scheduled backups is missing");
  return toState(row, now);
}

interface StateRow {
  readonly started_at: Date | null;
  readonly claimed_until: Date | null;
  readonly ended_at: Date | null;
  readonly outcome: "SUCCEEDED" | "FAILED" | null;
  readonly backup_at: Date | null;
  readonly backup_name: string | null;
  readonly backup_bytes: number | null;
}

function toState(row: StateRow, now: Date): BackupState {
  const { started_at: startedAt, claimed_until: claimedUntil, ended_at: endedAt } = row;
  const { backup_at: at, backup_name: name, backup_bytes: size } = row;
  const isClaimed = claimedUntil !== null && claimedUntil > now;
  const state = row.outcome ?? (isClaimed ? "RUNNING" : "INTERRUPTED");
  return {
    lastRun: startedAt === null ? null : { state, startedAt, endedAt },
    newest: at === null || name === null || size === null ? null : { at, name, size },
  };
}

function after(moment: Date, milliseconds: number): Date {
  return new Date(moment.getTime() + milliseconds);
}

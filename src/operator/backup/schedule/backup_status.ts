import { isOldestAccount } from "../../../accounts/port.ts";
import type { Clock } from "../../../core/clock.ts";
import { isoText } from "../../../core/clock.ts";
import type { Database } from "../../../database/database.ts";
import { ServiceError } from "../../../errors/service_error.ts";
import { ok } from "../../../http/reply.ts";
import { type Endpoint, endpoint } from "../../../http/route.ts";
import {
  component,
  COUNT,
  enumOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
} from "../../../validate/json_schema.ts";
import { refuseQuery } from "../../../validate/schema.ts";
import type { Gauge } from "../../../core/prometheus_text.ts";
import { type BackupState, readBackupState, RUN_STATES } from "./scheduled_backups.ts";

export interface BackupSchedule {
  readonly everyHours: number;
  /** Null for all of them. */
  readonly keep: number | null;
  readonly encrypted: boolean;
}

export interface ScheduledBackups {
  readonly schedule: BackupSchedule;
  /** The last known state, at most a minute old; null at first. */
  readonly state: BackupState | null;
}

export interface BackupStatusServices {
  readonly database: Database;
  /** Null if the service writes none. */
  readonly scheduledBackups: ScheduledBackups | null;
}

interface PublicBackupStatus {
  readonly schedule: BackupSchedule | null;
  readonly lastRun: object | null;
  readonly newest: object | null;
}

const STATUS_SCHEMA = component<PublicBackupStatus>("BackupStatus", {
  schedule: nullable(objectOf({
    everyHours: COUNT,
    keep: nullable(COUNT),
    encrypted: { type: "boolean" },
  })),
  lastRun: nullable(objectOf({
    state: enumOf(RUN_STATES),
    startedAt: TIME,
    endedAt: nullable(TIME),
  })),
  newest: nullable(objectOf({ name: TEXT, at: TIME, ageSeconds: COUNT, size: COUNT })),
});

/**
 * Creates the endpoint of `/api/v2/operations/backup`. A backup contains all accounts, so only the
 * oldest reads its state.
 */
export function createBackupStatusEndpoint(services: BackupStatusServices): Endpoint {
  const { database, scheduledBackups } = services;
  return endpoint({
    contract: {
      summary: "Read the status of scheduled backups",
      responses: { 200: { data: STATUS_SCHEMA } },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ now, caller: { account } }) {
      const isOldest = await database.read((sql) => isOldestAccount(sql, account.accountId));
      if (!isOldest) throw new ServiceError("FORBIDDEN");
      const state = await readBackupState(database, now);
      return ok(toPublicStatus(scheduledBackups?.schedule ?? null, state, now));
    },
  });
}

function toPublicStatus(
  schedule: BackupSchedule | null,
  { lastRun, newest }: BackupState,
  now: Date,
): PublicBackupStatus {
  return {
    schedule,
    lastRun: lastRun === null ? null : {
      state: lastRun.state,
      startedAt: isoText(lastRun.startedAt),
      endedAt: lastRun.endedAt === null ? null : isoText(lastRun.endedAt),
    },
    newest: newest === null ? null : {
      name: newest.name,
      at: isoText(newest.at),
      ageSeconds: ageOf(newest.at, now),
      size: newest.size,
    },
  };
}

/** Empty if the service writes no backups, or does not know yet. */
export function backupGauges(backups: ScheduledBackups | null, clock: Clock): Gauge[] {
  const state = backups?.state ?? null;
  if (state === null) return [];
  const { lastRun, newest } = state;
  const ran = RUN_STATES.map((name) => [`state="${name}"`, lastRun?.state === name ? 1 : 0]);
  return [
    {
      name: "scheduled_backup_age_seconds",
      help: "Age of the newest backup that the service wrote by itself.",
      values: newest === null ? {} : { "": ageOf(newest.at, clock()) },
    },
    {
      name: "scheduled_backup_last_run",
      help: "What became of the last run.",
      values: Object.fromEntries(ran),
    },
  ];
}

/** Returns the age in whole seconds; 0 if the clock was set back. */
function ageOf(moment: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - moment.getTime()) / 1000));
}

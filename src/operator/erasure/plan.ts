/** The plan of an erasure: everything that it would erase, before anything is changed. */

import { findAccountByEmail } from "../../accounts/account_store.ts";
import { listObjects } from "../../attachments/stored_object.ts";
import type { Config } from "../config/config.ts";
import { sha256Hex } from "../../core/digest.ts";
import { diskSpaceOf } from "../../core/disk_space.ts";
import { ignoreNotFound, makeSyncedFolder, moveSynced, writeSynced } from "../../core/files.ts";
import type { Report } from "../../core/report.ts";
import type { Database } from "../../database/database.ts";
import { identifier, type Sql } from "../../database/sql.ts";
import type { Subject, SubjectKind } from "../../erasure/erased_ids.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { BACKUP_NAME, momentOfBackup } from "../backup/kept_backups.ts";
import type { NamedSubject } from "./subjects.ts";
import { ErasureScan, type Reference, scanTables } from "./scan.ts";

/** Measured for a backup; a restore takes about as long. */
const BYTES_PER_SECOND = 18_000_000;
const DISK_FACTOR = 1.2;

/** A backup in DATA_DIR. */
interface PlannedBackup {
  readonly name: string;
  readonly createdAt: string;
  /** True unless it is older than the oldest erased row. */
  readonly holds: boolean;
  /** True if no schedule removes it. */
  readonly byHand: boolean;
}

export interface Plan {
  readonly digest: string;
  readonly accountId: string;
  readonly subjects: readonly Subject[];
  readonly counts: Readonly<Record<string, number>>;
  readonly attachments: readonly string[];
  readonly objects: { readonly count: number; readonly bytes: number };
  readonly references: readonly Reference[];
  readonly backups: readonly PlannedBackup[];
  readonly backupsPassAt: string | null;
  readonly seconds: number;
  readonly bytesNeeded: number;
  readonly freeBytes: number;
  readonly notes: readonly string[];
}

/** The members of a plan that a run needs. */
export type StoredPlan = Pick<Plan, "digest" | "accountId" | "subjects">;

export type PlanSettings = Pick<Config, "dataDir" | "scheduledBackups">;

const NOTES: readonly string[] = [
  "Text is not searched for meaning: words about the same subject in other records stay. Search for " +
  "them, go through the list, and name those records too.",
  "A root that stays and refers to a subject keeps its identifier, and nothing else of it.",
  "Audit entries stay with their identifiers. They hold no content.",
  "Backups, copies elsewhere, standbys, exports, subscribed calendars and the memories of assistants " +
  "hold what they held. They are yours to settle.",
  "A restore obeys DATA_DIR/erasures.jsonl: keep it with every older backup.",
];

/**
 * Plans an erasure and stores the plan under DATA_DIR. Nothing else is written.
 *
 * @throws OperatorError for an unknown account or subject.
 */
export async function planErasure(
  database: Database,
  { dataDir, scheduledBackups }: PlanSettings,
  email: string,
  named: readonly NamedSubject[],
  now: Date,
  report: Report,
): Promise<Plan> {
  const account = await database.read((sql) => findAccountByEmail(sql, email));
  if (account === null) throw new OperatorError("No account has this email");
  const { account_id: accountId } = account;
  const { scan, subjects, bytes } = await database.snapshot(async (sql) => {
    const subjects = await findSubjects(sql, accountId, named);
    const scan = new ErasureScan(accountId, subjects);
    await scanTables(sql, scan, report);
    return { scan, subjects, bytes: await countBytes(sql) };
  });
  const backups = await listBackups(dataDir, scan.oldest);
  const plan = {
    digest: digestOf(accountId, subjects, scan),
    accountId,
    subjects,
    counts: scan.counts,
    attachments: scan.attachments,
    objects: scan.objects,
    references: scan.references,
    backups,
    backupsPassAt: removalTimeOf(backups, scheduledBackups, now),
    seconds: Math.max(1, Math.ceil(2 * bytes / BYTES_PER_SECOND)),
    bytesNeeded: Math.ceil(DISK_FACTOR * bytes),
    freeBytes: diskSpaceOf(dataDir)()?.free ?? 0,
    notes: NOTES,
  };
  await storePlan(dataDir, plan);
  return plan;
}

/** The digest of the subjects and of every row; sealing alone does not change it. */
export function digestOf(
  accountId: string,
  subjects: readonly Subject[],
  scan: ErasureScan,
): string {
  const { audit_seals: _, audit_late_entries: __, ...tables } = scan.tables;
  return sha256Hex(JSON.stringify({
    accountId,
    subjects,
    tables: Object.entries(tables).map(([name, { rows, sha256 }]) => [name, rows, sha256]).sort(),
  }));
}

/** The bytes of the database and of all attachments. */
async function countBytes(sql: Sql): Promise<number> {
  const [size] = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::double precision as bytes`;
  return (size?.bytes ?? 0) + await countObjectBytes(sql);
}

async function countObjectBytes(sql: Sql): Promise<number> {
  return (await listObjects(sql)).reduce((sum, { size }) => sum + size, 0);
}

/** Estimates the disk space that a run needs in its folder. */
export async function bytesNeeded(sql: Sql, hasOwnDatabase: boolean): Promise<number> {
  return DISK_FACTOR * (hasOwnDatabase ? await countBytes(sql) : await countObjectBytes(sql));
}

/**
 * Finds the subjects, each once and in a fixed order.
 *
 * @throws OperatorError for an unknown one.
 */
async function findSubjects(
  sql: Sql,
  accountId: string,
  named: readonly NamedSubject[],
): Promise<readonly Subject[]> {
  const found = new Map<string, Subject>();
  for (const each of named) {
    const subject = await findSubject(sql, accountId, each);
    if (subject === null) throw new OperatorError("The account has no such subject");
    found.set(`${subject.kind} ${subject.id}`, subject);
  }
  return [...found].sort(([one], [other]) => one < other ? -1 : 1).map(([, subject]) => subject);
}

async function findSubject(
  sql: Sql,
  owner: string,
  { option, id }: NamedSubject,
): Promise<Subject | null> {
  switch (option) {
    case "account":
      return { kind: "ACCOUNT", id: owner, moduleCode: null };
    case "attachment": {
      const exists = await hasRow(sql, "attachments", "attachment_id", owner, id);
      return exists ? { kind: "ATTACHMENT", id, moduleCode: null } : null;
    }
    case "memory":
      return await findRoot(sql, owner, id, "MEMORY") ?? await findDraft(sql, owner, id);
    case "person":
      return await findRoot(sql, owner, id, "PERSON");
    case "record":
      return await findRoot(sql, owner, id, "RECORD");
  }
}

/** The modules whose roots have an option of their own. */
const OWN_KINDS: Readonly<Record<string, SubjectKind>> = {
  memory: "MEMORY",
  relationship: "PERSON",
};

async function findRoot(
  sql: Sql,
  owner: string,
  id: string,
  kind: SubjectKind,
): Promise<Subject | null> {
  const [row] = await sql<{ module_code: string }>`
    select module_code from ${identifier(sql, "records")}
     where owner_id = ${owner} and record_id = ${id}`;
  if (row === undefined || (OWN_KINDS[row.module_code] ?? "RECORD") !== kind) return null;
  return { kind, id, moduleCode: row.module_code };
}

async function findDraft(sql: Sql, owner: string, id: string): Promise<Subject | null> {
  const exists = await hasRow(sql, "memory_drafts", "draft_id", owner, id);
  return exists ? { kind: "DRAFT", id, moduleCode: "memory" } : null;
}

async function hasRow(
  sql: Sql,
  table: string,
  column: string,
  owner: string,
  id: string,
): Promise<boolean> {
  const found = await sql`
    select 1 from ${identifier(sql, table)}
     where owner_id = ${owner} and ${identifier(sql, column)} = ${id}`;
  return found.length > 0;
}

async function listBackups(dataDir: string, oldest: Date | null): Promise<PlannedBackup[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(`${dataDir}/backups`)) names.push(name);
  } catch (error) {
    ignoreNotFound(error);
  }
  return names.filter((name) => BACKUP_NAME.test(name)).sort().map((name) => {
    const createdAt = momentOfBackup(name);
    const holds = oldest !== null && createdAt >= oldest.toISOString();
    return { name, createdAt, holds, byHand: !name.includes(".scheduled.") };
  });
}

/** The time at which the schedule has removed every backup with an erased row, or null. */
function removalTimeOf(
  backups: readonly PlannedBackup[],
  schedule: Config["scheduledBackups"],
  now: Date,
): string | null {
  if (schedule === null || schedule.keep === null) return null;
  if (backups.some(({ holds, byHand }) => holds && byHand)) return null;
  const hours = schedule.keep * schedule.everyHours;
  return new Date(now.getTime() + hours * 60 * 60 * 1000).toISOString();
}

function planPath(dataDir: string, digest: string): string {
  return `${dataDir}/erasure-plans/${digest}.json`;
}

/** Stores identifiers and counts only. */
async function storePlan(
  dataDir: string,
  { digest, accountId, subjects, counts, attachments, objects, references }: Plan,
): Promise<void> {
  const plan = { digest, accountId, subjects, counts, attachments, objects, references };
  await makeSyncedFolder(`${dataDir}/erasure-plans`);
  const path = planPath(dataDir, digest);
  await writeSynced(`${path}.new`, new TextEncoder().encode(`${JSON.stringify(plan)}\n`));
  await moveSynced(`${path}.new`, path);
}

/** @throws OperatorError if the plan does not exist. */
export async function readPlan(dataDir: string, digest: string): Promise<StoredPlan> {
  const text = await Deno.readTextFile(planPath(dataDir, digest)).catch(ignoreNotFound);
  if (text === undefined) throw new OperatorError("There is no such plan: plan again");
  return JSON.parse(text);
}

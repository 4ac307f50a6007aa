/**
 * A run of an erasure: copies the installation into an empty one, without the planned rows.
 *
 *   1. Check all conditions, and change nothing.
 *   2. Mark the folder as unfinished.
 *   3. In one transaction of the new database: copy the rows and the attachments, add the audit
 *      entry, seal it, compare every table, store the certificate. The files of the folder are
 *      written before the commit.
 *   4. Verify the new installation, and remove the mark.
 *
 * If it is killed, the old installation is unchanged, and the same plan can be run again.
 */

import { readStoredSecret, storeSecret } from "../../access/server_secret.ts";
import { openObjectStore, readStoredObjects } from "../../attachments/object_store.ts";
import { verifyTrails } from "../../audit/verify.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { systemClock } from "../../core/clock.ts";
import { diskSpaceOf } from "../../core/disk_space.ts";
import { ignoreNotFound } from "../../core/files.ts";
import { newId } from "../../core/ids.ts";
import type { Report } from "../../core/report.ts";
import type { Database } from "../../database/database.ts";
import { schemaVersion } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migration_files.ts";
import { identifier, type Sql } from "../../database/sql.ts";
import { readErasures } from "../../erasure/erased_store.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { prepareSchema } from "../backup/restore.ts";
import { openDatabase } from "../open_database.ts";
import { type Certificate, readCertificate, writeCertificates } from "./certificate.ts";
import { copyInstallation, type ReportLost } from "./copy.ts";
import { mergeErasures, readErasureList, writeErasureList } from "./erasure_list.ts";
import { assertFillable, beginFolder, finishFolder, readMark } from "./folder.ts";
import { bytesNeeded, digestOf, readPlan, type StoredPlan } from "./plan.ts";
import { ErasureScan, scanTables } from "./scan.ts";
import { verifyErasures } from "./verify.ts";

/** A session of a process that has ended may be listed a little longer. */
const SESSION_MS = 2_000;

export interface ErasureRequest {
  /** The digest of the plan. */
  readonly digest: string;
  readonly folder: string;
  readonly reason: string;
}

/**
 * Runs a plan.
 *
 * @param reportLost As in `copyInstallation`; called again if the transaction is tried again.
 * @returns the certificate.
 * @throws ConfigError; OperatorError and BackupError if it is refused, or fails.
 */
export async function runErasure(
  config: Config,
  request: ErasureRequest,
  report: Report,
  reportLost: ReportLost = () => {},
): Promise<Certificate> {
  assertDatabases(config);
  const plan = await readPlan(config.dataDir, request.digest);
  await assertFillable(request.folder, config.dataDir);
  await using opened = new AsyncDisposableStack();
  const old = opened.adopt(
    await openDatabase({ ...config, databasePoolSize: 2 }),
    (database) => database.close(),
  );
  const run = new ErasureRun(config, request, plan, { report, reportLost });
  const { fresh, certificate } = await old.snapshot((sql) => run.copy(sql, opened));
  await run.finish(old, fresh, certificate);
  return certificate;
}

function assertDatabases({ databaseUrl, eraseDatabaseUrl }: Config): void {
  if (databaseUrl !== null && eraseDatabaseUrl === null) {
    throw new ConfigError(["ERASE_DATABASE_URL: required with DATABASE_URL"]);
  }
}

/** A new installation before it is verified. */
interface Copied {
  readonly fresh: Database;
  readonly certificate: Certificate;
}

class ErasureRun {
  readonly #config: Config;
  readonly #request: ErasureRequest;
  readonly #plan: StoredPlan;
  readonly #report: Report;
  readonly #reportLost: ReportLost;

  constructor(
    config: Config,
    request: ErasureRequest,
    plan: StoredPlan,
    { report, reportLost }: { readonly report: Report; readonly reportLost: ReportLost },
  ) {
    this.#config = config;
    this.#request = request;
    this.#plan = plan;
    this.#report = report;
    this.#reportLost = reportLost;
  }

  /**
   * @param sql A snapshot of the old installation.
   * @param opened Closes the new database.
   */
  async copy(sql: Sql, opened: AsyncDisposableStack): Promise<Copied> {
    const { folder } = this.#request;
    await this.#assertStopped(sql);
    await assertSchema(sql);
    const scan = await this.#scan(sql);
    await this.#assertRoom(await bytesNeeded(sql, this.#config.databaseUrl === null));
    const mark = await readMark(folder);
    const id = newId(systemClock());
    // The built-in database is inside the folder, which is emptied first.
    if (this.#config.databaseUrl === null) await beginFolder(folder, id);
    const fresh = opened.adopt(await this.#openFresh(), (database) => database.close());
    if (mark !== null && await hasCertificate(fresh, mark)) {
      const certificate = await readCertificate(folder, mark);
      if (certificate.plan === this.#request.digest) return { fresh, certificate };
    }
    await assertUnused(fresh);
    if (this.#config.databaseUrl !== null) await beginFolder(folder, id);
    await prepareSchema(fresh, MIGRATIONS.length);
    return { fresh, certificate: await this.#copy(sql, fresh, id, scan) };
  }

  /** @throws OperatorError if anybody has written since the plan. */
  async #scan(sql: Sql): Promise<ErasureScan> {
    const { accountId, subjects } = this.#plan;
    const scan = new ErasureScan(accountId, subjects);
    await scanTables(sql, scan, this.#report);
    if (digestOf(accountId, subjects, scan) !== this.#request.digest) {
      throw new OperatorError("Something was written since the plan: plan again");
    }
    return scan;
  }

  /** The lock of the data directory excludes the service; a server shows its sessions. */
  async #assertStopped(sql: Sql): Promise<void> {
    if (this.#config.databaseUrl === null) return;
    const end = performance.now() + SESSION_MS;
    while (await hasOtherSessions(sql)) {
      if (performance.now() > end) {
        throw new OperatorError("The database has other sessions: stop the service first");
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #assertRoom(needed: number): Promise<void> {
    const { folder } = this.#request;
    const isNew = await Deno.stat(folder).catch(ignoreNotFound) === undefined;
    if (isNew) await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const space = diskSpaceOf(folder)();
    if (isNew) await Deno.remove(folder);
    if (space === null || space.free >= needed) return;
    throw new OperatorError("--into: the disk has too little room");
  }

  async #openFresh(): Promise<Database> {
    const { eraseDatabaseUrl: databaseUrl } = this.#config;
    return await openDatabase({
      ...this.#config,
      databaseUrl,
      dataDir: this.#request.folder,
      databasePoolSize: 2,
    });
  }

  async #copy(
    sql: Sql,
    fresh: Database,
    id: string,
    scan: ErasureScan,
  ): Promise<Certificate> {
    const { dataDir, attachments } = this.#config;
    const { folder, digest, reason } = this.#request;
    const { accountId, subjects } = this.#plan;
    await using opened = new AsyncDisposableStack();
    const objects = opened.adopt(
      await openObjectStore(`${folder}/objects`, fresh, attachments),
      (store) => store.close(),
    );
    const named = new Set(subjects.map((subject) => subject.id));
    const attached = subjects.some(({ kind }) => kind === "ACCOUNT")
      ? []
      : scan.attachments.filter((attachment) => !named.has(attachment))
        .map((id) => ({ kind: "ATTACHMENT", id, moduleCode: null }) as const);
    const at = systemClock().toISOString();
    const scope = [...subjects, ...attached];
    const head = { id, at, reason, accountId, plan: digest, scope };
    const source = { sql, objects: readStoredObjects(`${dataDir}/objects`, sql), scan };
    return await fresh.transaction(async (tx) => {
      const target = { tx, objects };
      const [report, reportLost] = [this.#report, this.#reportLost];
      const certificate = await copyInstallation(source, target, head, report, reportLost);
      await this.#assertStopped(sql);
      const earlier = mergeErasures(await readErasureList(dataDir), await readErasures(sql));
      await writeCertificates({ from: dataDir, to: folder }, certificate, earlier);
      await writeErasureList(folder, mergeErasures(earlier, [certificate]));
      const secret = await readStoredSecret(dataDir);
      if (secret !== null) await storeSecret(folder, secret);
      return certificate;
    });
  }

  /** Verifies the new installation; an interrupted run may have committed it. */
  async finish(old: Database, fresh: Database, certificate: Certificate): Promise<void> {
    const { folder } = this.#request;
    const { found } = await verifyErasures(fresh, folder, this.#report);
    if (found.length > 0) throw new OperatorError("Something of the subjects is left");
    await assertTrails(old, fresh, certificate, this.#report);
    await finishFolder(folder);
  }
}

async function hasOtherSessions(sql: Sql): Promise<boolean> {
  await sql`select pg_stat_clear_snapshot()`;
  const found = await sql`
    select 1 from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and backend_type = 'client backend' limit 1`;
  return found.length > 0;
}

async function assertSchema(sql: Sql): Promise<void> {
  if (await schemaVersion(sql) === MIGRATIONS.length) return;
  throw new OperatorError("The database has the schema of another release: start this one once");
}

async function hasCertificate(fresh: Database, id: string): Promise<boolean> {
  return (await fresh.read(readErasures)).some((erasure) => erasure.id === id);
}

/** A database without our schema must not have tables; the copy checks those of the schema. */
async function assertUnused(fresh: Database): Promise<void> {
  const isUnused = await fresh.read(async (sql) => {
    if (await schemaVersion(sql) > 0) return !await hasRows(sql);
    const found = await sql`
      select 1 from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`;
    return found.length === 0;
  });
  if (!isUnused) throw new OperatorError("The new database is not empty");
}

/** True if the installation has or had an account. */
async function hasRows(sql: Sql): Promise<boolean> {
  // A run that is killed can leave the first steps of the schema alone.
  const [accounts] = await sql<{ missing: boolean }>`
    select to_regclass('accounts') is null as missing`;
  if (accounts?.missing) return false;
  const found = await sql`
    select 1 where exists (select from ${identifier(sql, "accounts")})
                or exists (select from ${identifier(sql, "access_events")})`;
  return found.length > 0;
}

/** Checks that the old seals hold in the new database, unless they did not hold in the old one. */
async function assertTrails(
  old: Database,
  fresh: Database,
  { seals, scope }: Certificate,
  report: Report,
): Promise<void> {
  const erased = new Set(scope.map(({ id }) => id));
  const anchors = Object.entries(seals)
    .filter(([trail]) => !erased.has(trail.split("/")[0] ?? ""))
    .map(([, digest]) => digest);
  const { broken, missingAnchors } = await verifyTrails(fresh, anchors, report);
  if (broken.length === 0 && missingAnchors.length === 0) return;
  const before = await verifyTrails(old, anchors, report);
  const isSame = JSON.stringify([before.broken, before.missingAnchors]) ===
    JSON.stringify([broken, missingAnchors]);
  if (!isSame) throw new OperatorError("The seals of the audit trail do not hold");
}

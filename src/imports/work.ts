/** One import at work: its services, its commands, and the writes of its state. */

import { findAccountRow, isEnabledAccount, toAccount } from "../access/account_row.ts";
import { systemCaller } from "../access/identity.ts";
import type { StepUp } from "../access/step_up.ts";
import type { ObjectStore } from "../attachments/import_port.ts";
import type { KeylessCommand } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { SpoolShares } from "../core/spool_shares.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { WorkEndedError } from "./failures.ts";
import type { ImportFolder, KeptFolder } from "./folder.ts";
import type { Comparing, ImportPatch, ImportRow } from "./import.ts";
import { findIfIn, lockImport, updateImport } from "./import_store.ts";
import type { DecisionContext } from "./decision.ts";
import type { Targets } from "./targets.ts";
import { Writing } from "./writing.ts";

export interface WorkServices {
  readonly database: Database;
  readonly commands: CommandRunner;
  readonly objects: ObjectStore;
  readonly folder: ImportFolder;
  readonly spools: SpoolShares;
  readonly maximumItems: number;
  readonly targets: Targets;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ImportServices extends WorkServices {
  readonly serverSecret: Uint8Array;
  /** Null if the application has no step-up proofs: then nothing can be withdrawn. */
  readonly stepUp: StepUp | null;
  readonly maximumBytes: number;
  readonly worker: { wake(): void; discard(folder: KeptFolder): Promise<void> };
}

export class ImportWork {
  readonly services: WorkServices;
  readonly owner: string;
  readonly importId: string;
  /** Aborted when the process is to end, or the owner stops the import. */
  readonly signal: AbortSignal;
  /** The place of the item that is read; 0 before the first. */
  place = 0;

  constructor(services: WorkServices, row: ImportRow, signal: AbortSignal) {
    this.services = services;
    this.owner = row.owner_id;
    this.importId = row.import_id;
    this.signal = signal;
  }

  /** True for the error that ends the work because the import was stopped, or the process ends. */
  hasEnded(error: unknown): boolean {
    return error instanceof WorkEndedError || (this.signal.aborted && error === this.signal.reason);
  }

  get now(): Date {
    return this.services.clock();
  }

  decisionContext({ source, mapping, reads }: ImportRow, now = this.now): DecisionContext {
    const { owner, importId, services: { targets } } = this;
    const parsed = mapping === null ? null : JSON.parse(mapping);
    const comparing = new Set<Comparing>(reads === null ? [] : JSON.parse(reads));
    return {
      owner,
      importId,
      source: source ?? "",
      now,
      targets,
      mapping: parsed,
      reads: comparing,
    };
  }

  /**
   * Creates the command of a write by the service.
   *
   * @throws WorkEndedError while the owner's account is disabled.
   */
  async command(operation: string, frozen: boolean): Promise<KeylessCommand> {
    const { database, commands } = this.services;
    const [[account], [state]] = await database.read((sql) =>
      Promise.all([
        findAccountRow(sql, this.owner),
        sql<{ readonly enabled: boolean }>`
          select ${isEnabledAccount(sql, sql`${this.owner}`)} as enabled`,
      ])
    );
    if (account === undefined) throw new Error("An import belongs to no account");
    if (!state?.enabled) throw new WorkEndedError();
    const now = this.now;
    const caller = systemCaller(toAccount(account), commands.processId, now);
    const about = { operation, scope: operation, moduleCode: null, target: this.importId };
    const policy = "import";
    return { ...about, policy, frozen, caller, requestId: this.importId, now, key: null };
  }

  /**
   * Runs a transaction that locks the import's row. `decide` returns the changed columns, or null
   * for none.
   *
   * @returns The new row.
   */
  async write(
    command: KeylessCommand,
    decide: (sql: Sql, row: ImportRow) => Promise<ImportPatch | null>,
  ): Promise<ImportRow> {
    this.signal.throwIfAborted();
    return await this.services.commands.runMany(command, async ({ sql }) => {
      const [row] = await lockImport(sql, this.owner, this.importId);
      if (row === undefined) throw new Error("An import does not exist");
      const patch = await decide(sql, row);
      if (patch === null) return row;
      const next = { ...row, ...patch, updated_at: command.now };
      await updateImport(sql, next);
      return next;
    });
  }

  /** Runs a transaction that writes records, unless the import is in another state. */
  async writeItems(
    state: ImportRow["state"],
    decide: (writing: Writing, row: ImportRow) => Promise<ImportPatch>,
  ): Promise<ImportRow> {
    const command = await this.command("import.item", true);
    return await this.write(command, async (sql, row) => {
      if (row.state !== state) return null;
      const planned = this.decisionContext(row, command.now);
      // A run joins stored tags and files, even if its plan did not compare them.
      const reads = new Set([...planned.reads, "taxonomy.read", "attachment.read"] as const);
      const context = { ...planned, reads, command };
      const writing = new Writing(sql, context);
      const patch = await decide(writing, row);
      await writing.end();
      return patch;
    });
  }

  /** Changes the state, unless it is not `from`; also if the account or the disk is full. */
  async move(
    from: ImportRow["state"],
    patch: ImportPatch | ((row: ImportRow) => ImportPatch),
  ): Promise<ImportRow> {
    const command = { ...await this.command("import.move", true), continuesWhenFull: true };
    return await this.write(command, (_sql, row) => {
      if (row.state !== from) return Promise.resolve(null);
      return Promise.resolve(typeof patch === "function" ? patch(row) : patch);
    });
  }

  /** @throws WorkEndedError if the import is no longer being read. */
  async assertReading(sql: Sql): Promise<void> {
    const found = await findIfIn(sql, this.owner, this.importId, "READING");
    if (found.length === 0) throw new WorkEndedError();
  }
}

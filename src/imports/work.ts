/** Dependencies of the work on an import, and the writes of its state. */

import { findAccountRow, toAccount } from "../access/account_row.ts";
import { systemCaller } from "../access/identity.ts";
import type { StepUp } from "../access/step_up.ts";
import type { ObjectStore } from "../attachments/object_store.ts";
import type { Command } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import type { ImportFolder } from "./folder.ts";
import type { ImportRow } from "./import.ts";
import { type ImportPatch, lockImport, updateImport } from "./import_store.ts";
import type { JudgeContext } from "./judged.ts";
import type { Targets } from "./targets.ts";
import { Writing } from "./writing.ts";

export interface WorkServices {
  readonly database: Database;
  readonly commands: CommandRunner;
  readonly objects: ObjectStore;
  readonly folder: ImportFolder;
  readonly maximumItems: number;
  readonly targets: Targets;
  readonly clock: Clock;
}

export interface ImportServices extends WorkServices {
  readonly serverSecret: Uint8Array;
  /** Null if the application has no step-up proofs: then nothing can be withdrawn. */
  readonly stepUp: StepUp | null;
  readonly maximumBytes: number;
  readonly worker: { wake(): void };
}

type WorkCommand = Command & { readonly key: null };

/** One import, while this process works on it. */
export class ImportWork {
  readonly services: WorkServices;
  readonly owner: string;
  readonly importId: string;
  /** Aborted when the process is to end; another one resumes the work. */
  readonly signal: AbortSignal;

  constructor(services: WorkServices, row: ImportRow, signal: AbortSignal) {
    this.services = services;
    this.owner = row.owner_id;
    this.importId = row.import_id;
    this.signal = signal;
  }

  get now(): Date {
    return this.services.clock();
  }

  /** The context in which items are compared with what is stored. */
  judging({ source, mapping }: ImportRow, now = this.now): JudgeContext {
    const { owner, services: { targets } } = this;
    const parsed = mapping === null ? null : JSON.parse(mapping);
    return { owner, source: source ?? "", now, targets, mapping: parsed };
  }

  /** The command of what the service writes for the import. */
  async command(operation: string, frozen: boolean): Promise<WorkCommand> {
    const { database, commands } = this.services;
    const [account] = await database.read((sql) => findAccountRow(sql, this.owner));
    if (account === undefined) throw new Error("An import belongs to no account");
    const now = this.now;
    const caller = systemCaller(toAccount(account), commands.processId, now);
    const about = { operation, scope: operation, moduleCode: null, target: this.importId };
    const policy = "import";
    return { ...about, policy, frozen, caller, requestId: this.importId, now, key: null };
  }

  /**
   * Runs a transaction that holds the import's row. `decide` returns its next state, or null to leave it.
   *
   * @returns the row as it then is.
   */
  async write(
    command: WorkCommand,
    decide: (sql: Sql, row: ImportRow) => Promise<ImportPatch | null>,
  ): Promise<ImportRow> {
    this.signal.throwIfAborted();
    return await this.services.commands.runMany(command, async ({ sql }) => {
      const [row] = await lockImport(sql, this.owner, this.importId);
      if (row === undefined) throw new Error("An import is not there");
      const patch = await decide(sql, row);
      if (patch === null) return row;
      const next = { ...row, ...patch, updated_at: command.now };
      await updateImport(sql, next);
      return next;
    });
  }

  /** Runs a transaction that writes records, unless the import is in another state by then. */
  async writeItems(
    state: ImportRow["state"],
    decide: (writing: Writing, row: ImportRow) => Promise<ImportPatch>,
  ): Promise<ImportRow> {
    const { importId } = this;
    const command = await this.command("import.item", true);
    return await this.write(command, async (sql, row) => {
      if (row.state !== state) return null;
      const context = { ...this.judging(row, command.now), importId, command };
      const writing = new Writing(sql, context);
      const patch = await decide(writing, row);
      await writing.end();
      return patch;
    });
  }

  /** Moves the import on, unless someone else did. */
  async move(from: ImportRow["state"], patch: ImportPatch): Promise<ImportRow> {
    const command = await this.command("import.move", true);
    return await this.write(
      command,
      (_sql, row) => Promise.resolve(row.state === from ? patch : null),
    );
  }
}

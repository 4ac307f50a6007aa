/** The records that a transaction of an import locks and writes, with their origins and audit entries. */

import type { Command } from "../command/command.ts";
import { auditEntries } from "../command/statements.ts";
import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import type { DecisionContext } from "./decision.ts";
import type { LockedObject, ObjectChange, WrittenRevision } from "./locked_object.ts";
import { insertOrigins, type Origin } from "./origin_store.ts";
import { type Creation, lockObject, writeNew } from "./row_writer.ts";

export interface WriteContext extends DecisionContext {
  readonly importId: string;
  readonly command: Command;
}

export class Writing {
  readonly sql: Sql;
  readonly context: WriteContext;
  readonly #objects = new Map<string, LockedObject>();
  readonly #origins: Origin[] = [];
  readonly #written: WrittenRevision[] = [];

  constructor(sql: Sql, context: WriteContext) {
    this.sql = sql;
    this.context = context;
  }

  /** Locks the record of a target until the end; null if it is not there. */
  async lock(target: string, id: string): Promise<LockedObject | null> {
    const { owner, targets, now } = this.context;
    const object = this.#objects.get(id) ??
      await lockObject({ sql: this.sql, owner, now }, targets.get(target), id);
    if (object !== null) this.#objects.set(id, object);
    return object;
  }

  /** Writes new records. Returns the last revision of each. */
  async create(creations: readonly Creation[]): Promise<ReadonlyMap<string, number>> {
    const { owner, now } = this.context;
    const written = await writeNew({ sql: this.sql, owner, now }, creations);
    this.#written.push(...written);
    return new Map(written.map(({ subjectId, revision }) => [subjectId, revision]));
  }

  /** Changes a locked record. False if there was nothing to change. */
  async change(object: LockedObject, change: ObjectChange): Promise<boolean> {
    const revisions = await object.write(change);
    this.#written.push(...revisions);
    return revisions.length > 0;
  }

  /** @param before The newest origin of the same key, which the new one sorts after. */
  addOrigin(origin: Omit<Origin, "origin_id" | "import_id" | "source">, before?: Origin): void {
    const { importId, source, now } = this.context;
    const origin_id = idAfter(before?.origin_id ?? null, now);
    this.#origins.push({ ...origin, origin_id, import_id: importId, source });
  }

  /** Writes the origins and the audit entries. */
  async end(): Promise<void> {
    const { owner, now, command } = this.context;
    await insertOrigins(this.sql, owner, this.#origins, now);
    const modules = Map.groupBy(this.#written, ({ moduleCode }) => moduleCode);
    for (const [moduleCode, subjects] of modules) {
      await auditEntries(this.sql, { ...command, moduleCode }, subjects);
    }
  }
}

/** A transaction of an import: locks and writes records, with their origins and audit entries. */

import type { Command } from "../command/command.ts";
import { auditEntries } from "../command/statements.ts";
import { idAfter, nextId } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import type {
  ImportTarget,
  InsertedObject,
  LockedObject,
  NewObject,
  OwnerWrite,
} from "../kit/import_target.ts";
import type { DecisionContext } from "./decision.ts";
import { insertOrigins, type Origin } from "./origin_store.ts";

interface WriteContext extends DecisionContext {
  readonly command: Command;
}

/** An object with the revision that it had before the transaction; 0 for a new one. */
interface AuditedObject {
  readonly moduleCode: string;
  readonly id: string;
  readonly before: number;
  readonly now: { readonly revision: number };
}

export class Writing {
  readonly sql: Sql;
  readonly context: WriteContext;
  readonly #locked = new Map<string, LockedObject>();
  readonly #audited: AuditedObject[] = [];
  readonly #origins: Origin[] = [];

  constructor(sql: Sql, context: WriteContext) {
    this.sql = sql;
    this.context = context;
  }

  /** Locks an object of a target until the end; null if there is none. */
  async lock(target: string, id: string): Promise<LockedObject | null> {
    const known = this.#locked.get(id);
    if (known !== undefined) return known;
    const { moduleCode, lock } = this.context.targets.get(target);
    const object = await lock(this.#at, id);
    if (object === null) return null;
    this.#locked.set(id, object);
    this.#audited.push({ moduleCode, id, before: object.revision, now: object });
    return object;
  }

  /** Inserts new objects whose targets have the same `insert`; returns them in the same order. */
  async insert(
    insert: ImportTarget["insert"],
    objects: readonly NewObject[],
  ): Promise<readonly InsertedObject[]> {
    if (objects.length === 0) return [];
    const inserted = await insert(this.#at, objects);
    for (const [index, object] of inserted.entries()) {
      const { moduleCode } = this.context.targets.get(objects[index]?.target ?? "");
      this.#audited.push({ moduleCode, id: object.id, before: 0, now: object });
    }
    return inserted;
  }

  /**
   * Adds an origin, which sorts after those that were added before it.
   *
   * @param before The newest origin of the same key, which the new one sorts after, too.
   */
  addOrigin(origin: Omit<Origin, "origin_id" | "import_id" | "source">, before?: Origin): Origin {
    const { importId: import_id, source, now } = this.context;
    const id = idAfter(before?.origin_id ?? null, now);
    const last = this.#origins.at(-1)?.origin_id ?? "";
    const origin_id = id > last ? id : nextId(last, now);
    const added = { ...origin, origin_id, import_id, source };
    this.#origins.push(added);
    return added;
  }

  /** Writes the origins and the audit entries. */
  async end(): Promise<void> {
    const { owner, now, command } = this.context;
    await insertOrigins(this.sql, owner, this.#origins, now);
    const modules = Map.groupBy(this.#audited, ({ moduleCode }) => moduleCode);
    for (const [moduleCode, objects] of modules) {
      const revisions = objects.flatMap(newRevisions);
      if (revisions.length > 0) await auditEntries(this.sql, { ...command, moduleCode }, revisions);
    }
  }

  get #at(): OwnerWrite {
    const { owner, now } = this.context;
    return { sql: this.sql, owner, now };
  }
}

function newRevisions({ id: subjectId, before, now }: AuditedObject) {
  return Array.from({ length: now.revision - before }, (_, index) => {
    return { subjectId, revision: before + index + 1 };
  });
}

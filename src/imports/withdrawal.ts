/**
 * The withdrawal of an import: archives the unchanged records that it made, and counts the others. After a
 * crash it starts again; records that it withdrew before are counted again as such.
 */

import { auditEntries } from "../command/statements.ts";
import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { listCarriers } from "../families/taxonomy/imported_tags.ts";
import { BATCH_ITEMS } from "./batch.ts";
import type { ImportRow, RuleCount } from "./import.ts";
import {
  findOrigins,
  findWithdrawn,
  insertOrigins,
  listMade,
  type Origin,
} from "./origin_store.ts";
import type { WrittenRevision } from "./locked_object.ts";
import { lockObject } from "./row_writer.ts";
import { roomOf } from "./targets.ts";
import type { ImportWork } from "./work.ts";

const CARRIERS_AT_ONCE = 500;

/** Withdraws an import. */
export async function withdrawImport(work: ImportWork, row: ImportRow): Promise<void> {
  const totals = new WithdrawalTotals();
  // Tags last: by then the records that the import made carry them no more.
  for (const isTags of [false, true]) {
    for await (const origins of madeBatches(work)) {
      const part = origins.filter((origin) => isTag(origin) === isTags);
      if (part.length > 0) await withdrawBatch(work, row.source ?? "", part, totals);
    }
  }
  await work.move("WITHDRAWING", {
    state: "WITHDRAWN",
    withdrawn: JSON.stringify({ archived: totals.archived, left: totals.left }),
  });
  await work.services.folder.remove(work.importId);
}

function isTag({ kind, target }: Origin): boolean {
  return kind === "TAG" || target === "tag";
}

async function* madeBatches(work: ImportWork): AsyncGenerator<readonly Origin[]> {
  const { services: { database }, owner, importId } = work;
  let after = "";
  while (true) {
    work.assertGoing();
    const origins = await database.read((sql) =>
      listMade(sql, owner, importId, { after, limit: BATCH_ITEMS })
    );
    const last = origins.at(-1);
    if (last === undefined) return;
    yield origins;
    after = last.origin_id;
  }
}

/** Counts what came of a withdrawal. */
class WithdrawalTotals {
  archived = 0;
  readonly #left = new Map<string, number>();

  leave(rule: string): void {
    this.#left.set(rule, (this.#left.get(rule) ?? 0) + 1);
  }

  get left(): RuleCount[] {
    return Array.from(this.#left, ([rule, count]) => ({ rule, count }))
      .toSorted((one, other) => one.rule < other.rule ? -1 : 1);
  }
}

/** The result for one origin. */
type Fate = { readonly left: string } | { readonly isCounted: boolean };

async function withdrawBatch(
  work: ImportWork,
  source: string,
  origins: readonly Origin[],
  totals: WithdrawalTotals,
): Promise<void> {
  const command = await work.command("import.item", true);
  let fates: readonly Fate[] = [];
  await work.write(command, async (sql, row) => {
    if (row.state !== "WITHDRAWING") return null;
    const batch = new WithdrawalBatch(sql, work, source, command.now);
    fates = await batch.withdraw(origins);
    await insertOrigins(sql, work.owner, batch.origins, command.now);
    const modules = Map.groupBy(batch.written, ({ moduleCode }) => moduleCode);
    for (const [moduleCode, subjects] of modules) {
      await auditEntries(sql, { ...command, moduleCode }, subjects);
    }
    return {};
  });
  for (const fate of fates) {
    if ("left" in fate) totals.leave(fate.left);
    else if (fate.isCounted) totals.archived++;
  }
}

class WithdrawalBatch {
  readonly origins: Origin[] = [];
  readonly written: WrittenRevision[] = [];
  readonly #sql: Sql;
  readonly #work: ImportWork;
  readonly #source: string;
  readonly #now: Date;

  constructor(sql: Sql, work: ImportWork, source: string, now: Date) {
    this.#sql = sql;
    this.#work = work;
    this.#source = source;
    this.#now = now;
  }

  async withdraw(origins: readonly Origin[]): Promise<readonly Fate[]> {
    const keysOf = (kind: Origin["kind"]) =>
      origins.filter((origin) => origin.kind === kind).map(({ key }) => key);
    const { owner } = this.#work;
    const newest = {
      ITEM: await findOrigins(this.#sql, owner, this.#source, keysOf("ITEM")),
      TAG: await findOrigins(this.#sql, owner, this.#source, keysOf("TAG"), "TAG"),
    };
    const ordered = origins.toSorted((one, other) => one.record_id < other.record_id ? -1 : 1);
    const fates: Fate[] = [];
    for (const origin of ordered) {
      if (origin.kind === "FILE") fates.push({ left: "attachment.kept" });
      else fates.push(await this.#withdrawOne(origin, newest[origin.kind].get(origin.key)));
    }
    return fates;
  }

  async #withdrawOne(origin: Origin, newest: Origin = origin): Promise<Fate> {
    const isItem = origin.kind === "ITEM";
    // A tag that it only used again is not its own.
    if (origin.change !== "NEW") return isItem ? { left: "import.made_before" } : NOT_COUNTED;
    const { services: { catalog, targets }, owner, importId } = this.#work;
    const { moduleCode } = targets.get(origin.target);
    const name = { room: roomOf(moduleCode), id: origin.record_id };
    const moduleOf = (code: string) => {
      const module = catalog.module(code);
      if (module === undefined) throw new Error("A record is of an unknown module");
      return module;
    };
    const object = await lockObject(this.#sql, owner, moduleOf, name);
    if (object === null) return NOT_COUNTED;
    const isOurs = newest.change === "WITHDRAWN" && newest.import_id === importId;
    if (isOurs && newest.revision === object.revision) return { isCounted: isItem };
    if (object.isArchived) return isItem ? { left: "import.archived_here" } : NOT_COUNTED;
    if (newest.revision !== object.revision) return { left: "import.changed_since" };
    if (isTag(origin) && await this.#isInUse(origin.record_id)) return { left: "tag.in_use" };
    const revisions = await object.write({ content: null, isArchived: true }, this.#now);
    this.written.push(...revisions);
    this.origins.push({
      ...newest,
      origin_id: idAfter(newest.origin_id, this.#now),
      import_id: importId,
      change: "WITHDRAWN",
      revision: revisions.at(-1)?.revision ?? object.revision,
    });
    return { isCounted: isItem };
  }

  /** Whether a record carries the tag that this import has not withdrawn. */
  async #isInUse(termId: string): Promise<boolean> {
    const { owner, importId } = this.#work;
    let after = "";
    while (true) {
      const page = { after, limit: CARRIERS_AT_ONCE };
      const carriers = await listCarriers(this.#sql, owner, termId, page);
      const last = carriers.at(-1);
      if (last === undefined) return false;
      const ids = carriers.map(({ record_id }) => record_id);
      const withdrawn = await findWithdrawn(this.#sql, owner, importId, ids);
      if (ids.some((id) => !withdrawn.has(id))) return true;
      after = last.assignment_id;
    }
  }
}

const NOT_COUNTED: Fate = { isCounted: false };

/**
 * The withdrawal of an import: archives the unchanged records that it made, and counts the others. After a
 * crash it starts again; records that it withdrew before are counted again as such.
 */

import { idAfter } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { listCarriers } from "../families/taxonomy/imported_tags.ts";
import { BATCH_ITEMS } from "./line_reader.ts";
import { Counts } from "./counts.ts";
import type { ImportRow } from "./import.ts";
import {
  findOrigins,
  findWithdrawn,
  insertOrigins,
  listMade,
  type Origin,
} from "./origin_store.ts";
import type { WrittenRevision } from "./locked_object.ts";
import { auditWritten, lockObject, moduleIn } from "./row_writer.ts";
import { roomOf } from "./targets.ts";
import type { ImportWork } from "./work.ts";

const CARRIERS_AT_ONCE = 500;

export async function withdrawImport(work: ImportWork, row: ImportRow): Promise<void> {
  const totals: WithdrawalTotals = { archived: 0, left: new Counts() };
  // Tags last: by then the records that the import made carry them no more.
  for (const isTags of [false, true]) {
    for await (const origins of madeBatches(work)) {
      const part = origins.filter((origin) => isTag(origin) === isTags);
      if (part.length > 0) await withdrawBatch(work, row.source ?? "", part, totals);
    }
  }
  await work.move("WITHDRAWING", {
    state: "WITHDRAWN",
    withdrawn: JSON.stringify({ archived: totals.archived, left: totals.left.rules() }),
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

interface WithdrawalTotals {
  archived: number;
  readonly left: Counts;
}

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
    const batch: WithdrawnBatch = { sql, work, now: command.now, origins: [], written: [] };
    fates = await withdrawAll(batch, source, origins);
    await insertOrigins(sql, work.owner, batch.origins, command.now);
    await auditWritten(sql, command, batch.written);
    return {};
  });
  for (const fate of fates) {
    if ("left" in fate) totals.left.add(fate.left);
    else if (fate.isCounted) totals.archived++;
  }
}

/** A transaction, and what it writes. */
interface WithdrawnBatch {
  readonly sql: Sql;
  readonly work: ImportWork;
  readonly now: Date;
  readonly origins: Origin[];
  readonly written: WrittenRevision[];
}

async function withdrawAll(
  batch: WithdrawnBatch,
  source: string,
  origins: readonly Origin[],
): Promise<readonly Fate[]> {
  const { sql, work: { owner } } = batch;
  const find = (kind: "ITEM" | "TAG") => {
    const keys = origins.filter((origin) => origin.kind === kind).map(({ key }) => key);
    return findOrigins(sql, owner, source, keys, kind);
  };
  const newest = { ITEM: await find("ITEM"), TAG: await find("TAG") };
  const fates: Fate[] = [];
  for (const origin of origins.toSorted((one, other) => one.record_id < other.record_id ? -1 : 1)) {
    if (origin.kind === "FILE") fates.push({ left: "attachment.kept" });
    else fates.push(await withdrawOne(batch, origin, newest[origin.kind].get(origin.key)));
  }
  return fates;
}

async function withdrawOne(
  { sql, work, now, origins, written }: WithdrawnBatch,
  origin: Origin,
  newest: Origin = origin,
): Promise<Fate> {
  const isItem = origin.kind === "ITEM";
  // A tag that it only used again is not its own.
  if (origin.change !== "NEW") return isItem ? { left: "import.made_before" } : NOT_COUNTED;
  const { services: { catalog, targets }, owner, importId } = work;
  const name = { room: roomOf(targets.get(origin.target).moduleCode), id: origin.record_id };
  const object = await lockObject(sql, owner, moduleIn(catalog), name);
  if (object === null) return NOT_COUNTED;
  const isOurs = newest.change === "WITHDRAWN" && newest.import_id === importId;
  if (isOurs && newest.revision === object.revision) return { isCounted: isItem };
  if (object.isArchived) return isItem ? { left: "import.archived_here" } : NOT_COUNTED;
  if (newest.revision !== object.revision) return { left: "import.changed_since" };
  if (isTag(origin) && await isInUse(sql, work, origin.record_id)) return { left: "tag.in_use" };
  const revisions = await object.write({ content: null, isArchived: true }, now);
  written.push(...revisions);
  origins.push({
    ...newest,
    origin_id: idAfter(newest.origin_id, now),
    import_id: importId,
    change: "WITHDRAWN",
    revision: revisions.at(-1)?.revision ?? object.revision,
  });
  return { isCounted: isItem };
}

/** Whether a record carries the tag that this import has not withdrawn. */
async function isInUse(
  sql: Sql,
  { owner, importId }: ImportWork,
  termId: string,
): Promise<boolean> {
  for (let after = "";;) {
    const carriers = await listCarriers(sql, owner, termId, { after, limit: CARRIERS_AT_ONCE });
    const last = carriers.at(-1);
    if (last === undefined) return false;
    const ids = carriers.map(({ record_id }) => record_id);
    const withdrawn = await findWithdrawn(sql, owner, importId, ids);
    if (ids.some((id) => !withdrawn.has(id))) return true;
    after = last.assignment_id;
  }
}

const NOT_COUNTED: Fate = { isCounted: false };

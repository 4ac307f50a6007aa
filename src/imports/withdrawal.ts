/**
 * The withdrawal of an import: archives the unchanged records that it made, and counts the others.
 * After a crash it starts again and counts the records that it has already archived.
 */

import { listCarriers } from "../families/taxonomy/import_port.ts";
import { BATCH_ITEMS } from "./folder.ts";
import { Counts } from "./counts.ts";
import {
  findOrigins,
  findWithdrawn,
  listMade,
  type MadeOrigin,
  type Origin,
} from "./origin_store.ts";
import type { ImportWork } from "./work.ts";
import type { Writing } from "./writing.ts";

const CARRIERS_AT_ONCE = 500;

/** `archived`, or the rule by which a record was kept; null if it is not counted. */
type WithdrawalOutcome = string | null;
const ARCHIVED = "archived";

export async function withdrawImport(work: ImportWork): Promise<void> {
  const totals = new Counts();
  // Tags last, when the records that the import made are archived.
  for (const isTags of [false, true]) {
    for await (const origins of madeBatches(work)) {
      const part = origins.filter((origin) => isTag(origin) === isTags);
      let outcomes: readonly WithdrawalOutcome[] = [];
      if (part.length === 0) continue;
      await work.writeItems("WITHDRAWING", async (writing) => {
        outcomes = await withdrawAll(writing, part);
        return {};
      });
      for (const outcome of outcomes) if (outcome !== null) totals.add(outcome);
    }
  }
  await work.move("WITHDRAWING", {
    state: "WITHDRAWN",
    withdrawn: JSON.stringify({
      archived: totals.of(ARCHIVED),
      left: totals.rules().filter(({ rule }) => rule !== ARCHIVED),
    }),
  });
}

function isTag({ kind, target }: Origin): boolean {
  return kind === "TAG" || target === "tag";
}

async function* madeBatches(work: ImportWork): AsyncGenerator<readonly MadeOrigin[]> {
  const { services: { database }, owner, importId } = work;
  let after = "";
  while (true) {
    work.signal.throwIfAborted();
    const origins = await database.read((sql) =>
      listMade(sql, owner, importId, { after, limit: BATCH_ITEMS })
    );
    const last = origins.at(-1);
    if (last === undefined) return;
    yield origins;
    after = last.origin_id;
  }
}

async function withdrawAll(
  writing: Writing,
  origins: readonly MadeOrigin[],
): Promise<readonly WithdrawalOutcome[]> {
  const { sql, context: { owner, source } } = writing;
  const find = (kind: "ITEM" | "TAG") => {
    const keys = origins.filter((origin) => origin.kind === kind).map(({ key }) => key);
    return findOrigins(sql, owner, source, keys, kind);
  };
  const newest = { ITEM: await find("ITEM"), TAG: await find("TAG") };
  const outcomes: WithdrawalOutcome[] = [];
  for (const origin of origins.toSorted((one, other) => one.record_id < other.record_id ? -1 : 1)) {
    if (origin.kind === "FILE") outcomes.push("attachment.kept");
    else {
      const last = newest[origin.kind].get(origin.key);
      const isSame = last?.record_id === origin.record_id;
      outcomes.push(await withdrawOne(writing, origin, isSame ? last : origin));
    }
  }
  return outcomes;
}

async function withdrawOne(
  writing: Writing,
  origin: Origin,
  newest: Origin,
): Promise<WithdrawalOutcome> {
  /** Only items are counted, not the tags that they named. */
  const forItem = (outcome: string): WithdrawalOutcome => origin.kind === "ITEM" ? outcome : null;
  // The import restored this tag, but did not make it.
  if (origin.change !== "NEW") return forItem("import.made_before");
  const object = await writing.lock(origin.target, origin.record_id);
  if (object === null) return null;
  const isOurs = newest.change === "WITHDRAWN" && newest.import_id === writing.context.importId;
  if (isOurs && newest.revision === object.revision) return forItem(ARCHIVED);
  if (object.isArchived) return forItem("import.archived_here");
  if (newest.revision !== object.revision) return "import.changed_since";
  if (isTag(origin) && await isInUse(writing, origin.record_id)) return "tag.in_use";
  await object.write({ content: null, isArchived: true });
  writing.addOrigin({ ...newest, change: "WITHDRAWN", revision: object.revision }, newest);
  return forItem(ARCHIVED);
}

/** True if the tag is on a record that this import has not withdrawn. */
async function isInUse(
  { sql, context: { owner, importId } }: Writing,
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

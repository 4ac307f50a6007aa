/**
 * Compares a batch of items with what is stored: what is to come of each, and why. The plan asks it while
 * nothing is locked, and the run again within the transaction that writes.
 */

import { findByDigest, findPresentAttachments } from "../attachments/known.ts";
import { MAX_ATTACHMENT_BYTES } from "../attachments/attachment.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { findPeople, linkedPeople } from "../families/relationship/imported_people.ts";
import { findRecordStates, type RecordState } from "../records/heads.ts";
import { type Item, type ItemFile, withAttachments } from "./item.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import { decideOutcome } from "./outcome.ts";
import type { JudgeContext, Judged } from "./judged.ts";
import { type ComparedPeople, comparePeople, EarlierPeople } from "./people_judge.ts";
import { withTags } from "./tag_names.ts";
import {
  type ItemContent,
  type NewRow,
  referencesOf,
  type Target,
  type Targets,
} from "./targets.ts";

/** A batch of items with what is stored about them. */
export interface JudgedBatch {
  readonly items: readonly Judged[];
  /** The identifiers of files that are there already, by digest. */
  readonly known: ReadonlyMap<string, string>;
}

/** Tags and people of earlier items of a plan; each batch adds its own. */
export interface Coming {
  readonly names: Set<string>;
  readonly people: EarlierPeople;
}

export function nothingComing(): Coming {
  return { names: new Set(), people: new EarlierPeople() };
}

export async function judge(
  sql: Sql,
  context: JudgeContext,
  items: readonly Item[],
  coming: Coming,
): Promise<JudgedBatch> {
  const { owner, source } = context;
  const origins = await findOrigins(sql, owner, source, items.map(({ key }) => key));
  const people = await comparePeople(sql, context, items, coming.people);
  const ids = [...Array.from(origins.values(), ({ record_id }) => record_id), ...people.ids];
  const digests = new Set(items.flatMap(({ files }) => files.flatMap(({ sha256 = [] }) => sha256)));
  const [states, known] = await Promise.all([
    ids.length === 0 ? [] : findRecordStates(sql, owner, ids),
    findByDigest(sql, owner, [...digests]),
  ]);
  const stateOf = new Map(states.map((state) => [state.record_id, state]));
  const first = items.map((item) => {
    const origin = origins.get(item.key);
    return decide(context, item, origin, origin && stateOf.get(origin.record_id), people, stateOf);
  });
  const withFiles = await refuseUnknown(
    first,
    "attachment.exists",
    (row) =>
      referencesOf(row).map(({ attachmentId }) => attachmentId)
        .filter((id) => !PLACEHOLDER.test(id)),
    (named) => findPresentAttachments(sql, owner, named),
  );
  const checked = await refuseUnknown(
    withFiles,
    "detail.person",
    (row) => row.room === "people" ? linkedPeople(row.person) : [],
    (named) => findPeople(sql, owner, named, false),
  );
  const judged = checked.map(({ judged }) => judged);
  return { items: await withTags(sql, context, judged, coming.names), known };
}

/** An item with the row that it would become; null if it becomes none. */
interface Checked {
  readonly judged: Judged;
  readonly row: NewRow | null;
}

function decide(
  { targets, now }: JudgeContext,
  item: Item,
  origin: Origin | undefined,
  known: RecordState | undefined,
  people: ComparedPeople,
  states: ReadonlyMap<string, RecordState>,
): Checked {
  const isNew = origin === undefined || known === undefined;
  const stored = { item, origin, state: known, recordId: known?.record_id ?? null };
  if (item.refused.length > 0 || item.target === null) {
    const alone = { matches: [], shared: [], joinedKey: null, tags: [] };
    return refused({ ...stored, ...alone }, [...item.rules, ...item.refused]);
  }
  const self = isNew ? undefined : known.record_id;
  const { joined, joinedKey = null, matches, shared, ...compared } = people.decide(
    item,
    self,
    states,
  );
  const about = {
    ...joined === undefined && joinedKey === null
      ? stored
      : { item, origin: undefined, state: joined, recordId: joined?.record_id ?? null },
    ...{ matches, shared, joinedKey, tags: [] },
  };
  const rules = [...new Set([...item.rules, ...fileRules(item.files)])];
  const { outcome, rule } = isNew ? compared : decideOutcome(item, origin, known);
  if (rule !== undefined) return refused(about, [...rules, rule]);
  if (outcome === "UNCHANGED" || outcome === "POSSIBLE_DUPLICATE") {
    return { judged: { ...about, outcome, rules }, row: null };
  }
  try {
    const row = targets.get(item.target).create(plannedContent(item, targets, now), now);
    return { judged: { ...about, outcome, rules }, row };
  } catch (error) {
    return refused(about, [...rules, ...rulesOf(error)]);
  }
}

function refused(about: Omit<Judged, "outcome" | "rules">, rules: readonly string[]): Checked {
  const judged = { ...about, outcome: "REFUSED" as const, rules: [...new Set(rules)] };
  return { judged, row: null };
}

/** The rules of a refusal by a module. */
export function rulesOf(error: unknown): readonly string[] {
  const rules = error instanceof ServiceError ? error.details.rules : undefined;
  if (!Array.isArray(rules)) throw error;
  return rules.map(String);
}

/** Whether a file comes in. */
export function isUsable({ sha256, size = 0 }: ItemFile): boolean {
  return sha256 !== undefined && size <= MAX_ATTACHMENT_BYTES;
}

function fileRules(files: readonly ItemFile[]): string[] {
  const rules = files.flatMap((file) => {
    if (isUsable(file)) return [];
    return file.sha256 === undefined ? "attachment.missing" : "attachment.size";
  });
  return [...new Set(rules)];
}

/** The content with identifiers in place of the files that are not there yet: as long, and distinct. */
function plannedContent(item: Item, targets: Targets, now: Date): ItemContent {
  const ids = new Map(
    item.files.filter(isUsable).map(({ name }, index) => [name, placeholder(index)]),
  );
  return contentOf(item, targets.get(item.target ?? ""), ids, now);
}

const PLACEHOLDER = /^0{21}[0-9]{5}$/;

function placeholder(index: number): string {
  return String(index).padStart(26, "0");
}

/** The content of an item whose files have these identifiers. */
export function contentOf(
  item: Item,
  { fileField }: Target,
  ids: ReadonlyMap<string, string>,
  now: Date,
): ItemContent {
  const payload = { ...withAttachments(item.payload, ids) };
  if (item.runTimeField !== null) payload[item.runTimeField] = now.toISOString();
  const [first] = ids.values();
  if (fileField?.isList && first !== undefined) {
    const before = payload[fileField.name];
    payload[fileField.name] = [...Array.isArray(before) ? before : [], ...ids.values()];
  } else if (fileField !== null && first !== undefined) {
    payload[fileField.name] = first;
  }
  return { title: item.title, summary: item.summary, payload };
}

/** Refuses items that name an attachment or a person that the owner does not have. */
async function refuseUnknown(
  checked: readonly Checked[],
  rule: string,
  named: (row: NewRow) => readonly string[],
  find: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly Checked[]> {
  const namedBy = ({ row }: Checked) => row === null ? [] : named(row);
  const present = await find(checked.flatMap(namedBy));
  return checked.map((each) =>
    namedBy(each).every((id) => present.has(id))
      ? each
      : refused(each.judged, [...each.judged.rules, rule])
  );
}

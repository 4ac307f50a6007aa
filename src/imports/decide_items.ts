/**
 * Decides the outcome of each item of a batch by comparing it with stored rows. The plan decides
 * without locks, and the run again within the transaction that writes.
 */

import { findByDigest, findPresentAttachments } from "../attachments/import_port.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { findPeople } from "../families/relationship/import_port.ts";
import { type ItemReferences, NO_REFERENCES } from "../kit/import_target.ts";
import { findRecordStates, type RecordState } from "../records/import_port.ts";
import type { Item } from "./item.ts";
import { isPlaceholder, plannedContent } from "./item_content.ts";
import { isUsable, type ItemFile } from "./item_files.ts";
import { findOrigins, type Origin } from "./origin_store.ts";
import { decideOutcome, type DecisionContext, type ItemDecision, UID_KNOWN } from "./decision.ts";
import { EarlierPeople } from "./earlier_people.ts";
import { type ComparedPeople, comparePeople } from "./people_matches.ts";
import { findUidPeople, type UidPeople } from "./people_uids.ts";
import { withPersonChanges } from "./person_changes.ts";
import { withTags } from "./tags.ts";

/** Tags and people of earlier items of a plan; each batch adds its own. */
export class EarlierItems {
  readonly tags = new Set<string>();
  readonly people = new EarlierPeople();
}

/** @returns The decisions, and the identifiers of stored files by digest. */
export async function decideItems(
  sql: Sql,
  context: DecisionContext,
  sent: readonly Item[],
  earlier = new EarlierItems(),
): Promise<{ readonly items: ItemDecision[]; readonly known: ReadonlyMap<string, string> }> {
  const { owner, source } = context;
  const uidPeople = await findUidPeople(sql, context, sent);
  const keys = sent.flatMap(keysOf).flatMap(uidPeople.ownKeys);
  const origins = await findOrigins(sql, owner, source, keys);
  const items = sent.filter(({ key, isKnownOnly }) => !isKnownOnly || isKnown(origins.get(key)))
    .map((item) => withoutFormerRecords(item, origins));
  const people = await comparePeople(sql, context, items, {
    ofUids: uidPeople.of,
    ofKey: (key) => {
      const origin = originOfKey(key, origins, uidPeople);
      return origin?.target === "person" ? origin.record_id : undefined;
    },
  }, earlier.people);
  const ids = [...Array.from(origins.values(), ({ record_id }) => record_id), ...people.ids];
  const digests = new Set(items.flatMap(({ files }) => files.flatMap(({ sha256 = [] }) => sha256)));
  const [states, joinable, known] = await Promise.all([
    ids.length === 0 ? [] : findRecordStates(sql, owner, ids),
    items.some(({ target }) => target === "person")
      ? findPeople(sql, owner, ids, "UNSEALED")
      : null,
    context.reads.has("attachment.read")
      ? findByDigest(sql, owner, [...digests])
      : new Map<string, string>(),
  ]);
  const stateOf = new Map(states.map((state) => [state.record_id, state]));
  const joinableOf = new Map([...stateOf].filter(([id]) => joinable?.has(id)));
  const first = items.map((item) =>
    decide(context, item, originOf(item, origins, uidPeople), people, stateOf, joinableOf)
  );
  const withFiles = await refuseUnknown(
    first,
    "attachment.exists",
    ({ attachments }) => attachments.filter((id) => !isPlaceholder(id)),
    (named) => findPresentAttachments(sql, owner, named),
  );
  const checked = await refuseUnknown(
    withFiles,
    "detail.person",
    ({ people }) => people,
    (named) => findPeople(sql, owner, named, "ANY"),
  );
  const tagged = await withTags(sql, context, checked, earlier.tags);
  return { items: await withPersonChanges(sql, context, tagged, known), known };
}

/** The keys of the origins that decide about an item. */
function keysOf({ key, former, people }: Item): string[] {
  const others = [
    ...former === null ? [] : [former.key],
    ...people?.repeats ? [people.repeats] : [],
  ];
  return [key, ...others, ...people?.formerRecords?.map((record) => record.key) ?? []];
}

function isKnown(origin: Origin | undefined): boolean {
  return origin !== undefined && origin.change !== "WITHDRAWN";
}

/** A person without the details that are records here. */
function withoutFormerRecords(item: Item, origins: ReadonlyMap<string, Origin>): Item {
  const { details } = item.payload;
  const former = item.people?.formerRecords?.filter(({ key }) => isKnown(origins.get(key))) ?? [];
  if (item.people === null || former.length === 0 || !Array.isArray(details)) return item;
  const places = new Set(former.map(({ detail }) => detail));
  const left = details.filter((_, place) => !places.has(place));
  const people = { ...item.people, formerRecords: [] };
  return { ...item, people, payload: { ...item.payload, details: left } };
}

/** An origin, and the key under which the item is noted. */
interface KeyedOrigin {
  readonly key: string;
  readonly origin: Origin | undefined;
}

/** The origin of a key, or of one that is equal in compared form. */
function originOfKey(
  key: string,
  origins: ReadonlyMap<string, Origin>,
  { ownKeys }: UidPeople,
): Origin | undefined {
  return ownKeys(key).flatMap((each) => origins.get(each) ?? [])[0];
}

/** Its own origin, or that of its former key. */
function originOf(
  { key, digest, target, people, former }: Item,
  origins: ReadonlyMap<string, Origin>,
  uidPeople: UidPeople,
): KeyedOrigin {
  const own = originOfKey(key, origins, uidPeople);
  if (own !== undefined && people !== null && isTurned(target, own.target)) {
    return { key, origin: undefined };
  }
  if (own !== undefined || former === null) return { key: own?.key ?? key, origin: own };
  const earlier = origins.get(former.key);
  const isSame = earlier === undefined || former.digest === null ||
    [former.digest, digest].includes(earlier.digest ?? "") && earlier.target === target;
  return isSame
    ? { key: former.isKept ? former.key : key, origin: earlier }
    : { key, origin: undefined };
}

/** True if a group became a person, or the other way round: then the card is a new record. */
function isTurned(target: string | null, before: string): boolean {
  return ["community person", "person community"].includes(`${before} ${target}`);
}

/** The item for the target of its record, if an earlier release chose another one. */
function itemOf(item: Item, origin: Origin | undefined, known: RecordState | undefined): Item {
  const isEarlier = known !== undefined && origin?.target === item.earlier?.target;
  return isEarlier ? item.earlier ?? item : item;
}

function decide(
  { targets, now }: DecisionContext,
  sent: Item,
  { key, origin }: KeyedOrigin,
  people: ComparedPeople,
  states: ReadonlyMap<string, RecordState>,
  joinable: ReadonlyMap<string, RecordState>,
): ItemDecision {
  const known = states.get(origin?.record_id ?? "");
  const item = itemOf(sent, origin, known);
  const alone = { ...withoutPeople(item, origin, known), key };
  if (item.refused.length > 0 || item.target === null) return refuse(alone, item.refused);
  const isNew = origin === undefined || known === undefined;
  const self = isNew ? undefined : known.record_id;
  const person = people.decide(item, self, joinable);
  const { joined, joinedKey = null, matches, shared, isUidKnown = false } = person;
  const isJoining = joined !== undefined || joinedKey !== null;
  const about = {
    ...alone,
    matches,
    shared,
    joinedKey,
    ...(isJoining && { origin: undefined, state: joined, recordId: joined?.record_id ?? null }),
    rules: [
      ...new Set([...item.rules, ...isUidKnown ? [UID_KNOWN] : [], ...fileRules(item.files)]),
    ],
  };
  const { outcome, rule } = isNew ? person : decideOutcome(item, origin, known);
  if (rule !== undefined) return refuse(about, [rule]);
  if (outcome === "UNCHANGED" || outcome === "POSSIBLE_DUPLICATE") return { ...about, outcome };
  try {
    const target = targets.get(item.target);
    const references = target.check(plannedContent(item, target, new Map(), now), now);
    return { ...about, outcome, references };
  } catch (error) {
    return refuse(about, rulesOf(error));
  }
}

/** A decision without outcome, tags and people. */
function withoutPeople(
  item: Item,
  origin: Origin | undefined,
  state: RecordState | undefined,
): Omit<ItemDecision, "outcome" | "key"> {
  return {
    item,
    references: NO_REFERENCES,
    origin,
    state,
    recordId: state?.record_id ?? null,
    rules: item.rules,
    tags: [],
    matches: [],
    shared: [],
    joinedKey: null,
    comparison: null,
    uids: [],
    leftOut: [],
  };
}

function refuse(decision: Omit<ItemDecision, "outcome">, rules: readonly string[]): ItemDecision {
  return {
    ...decision,
    outcome: "REFUSED",
    references: NO_REFERENCES,
    rules: [...new Set([...decision.rules, ...rules])],
  };
}

/** The rules by which a target refuses content. */
function rulesOf(error: unknown): readonly string[] {
  const rules = error instanceof ServiceError ? error.details.rules : undefined;
  if (!Array.isArray(rules)) throw error;
  return rules.map(String);
}

function fileRules(files: readonly ItemFile[]): string[] {
  const rules = files.flatMap((file) => {
    if (isUsable(file)) return [];
    return file.sha256 === undefined ? "attachment.missing" : "attachment.size";
  });
  return [...new Set(rules)];
}

/** Refuses items that name an attachment or a person that the owner does not have. */
async function refuseUnknown(
  batch: readonly ItemDecision[],
  rule: string,
  named: (references: ItemReferences) => readonly string[],
  find: (ids: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<readonly ItemDecision[]> {
  const present = await find(batch.flatMap(({ references }) => named(references)));
  return batch.map((decision) =>
    named(decision.references).every((id) => present.has(id)) ? decision : refuse(decision, [rule])
  );
}

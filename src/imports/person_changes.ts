/** Compares items with stored people: an item without a difference is UNCHANGED. */

import { isJsonObject, type JsonObject } from "../core/json.ts";
import type { Sql } from "../database/sql.ts";
import {
  decideImported,
  findEntries,
  findPeople,
  isNoDifference,
  personDifference,
} from "../families/relationship/import_port.ts";
import { findAssigned } from "../families/taxonomy/import_port.ts";
import type { PersonComparison } from "../kit/import_target.ts";
import {
  type DecisionContext,
  isAnswered,
  isComparedPerson,
  type ItemDecision,
  willBeWritten,
} from "./decision.ts";
import type { Item } from "./item.ts";
import { plannedContent } from "./item_content.ts";
import { findOriginsOf, NO_ORIGINS, type PersonOrigins } from "./people_origins.ts";
import { type FindNamed, findNamed, newUids } from "./people_uids.ts";

/** The decisions of a batch, with the comparison and the new UIDs of each person. */
export async function withPersonChanges(
  sql: Sql,
  context: DecisionContext,
  batch: readonly ItemDecision[],
  files: ReadonlyMap<string, string>,
): Promise<ItemDecision[]> {
  const { owner } = context;
  const isWritten = (each: ItemDecision) => each.item.target === "person" && willBeWritten(each);
  const ids = batch.filter(isWritten).flatMap(({ recordId }) => recordId ?? []);
  const originsOf = await findOriginsOf(sql, owner, ids);
  const decided = batch.map((each) =>
    isWritten(each) ? withComparison(each, context, originsOf) : each
  );
  const compared = decided.filter(({ comparison, recordId }) =>
    comparison !== null && recordId !== null
  );
  if (compared.length === 0 || !context.reads.has("relationship.ledger.read")) return decided;
  const comparer = await createComparer(sql, context, compared, files);
  return decided.map((each) => compared.includes(each) ? comparer(each, originsOf) : each);
}

/** Adds how a stored person is compared, and the UIDs that the person gets. */
function withComparison(
  decision: ItemDecision,
  { source }: DecisionContext,
  originsOf: (personId: string) => PersonOrigins,
): ItemDecision {
  const { item, key, origin, recordId, joinedKey, rules } = decision;
  const origins = recordId === null ? NO_ORIGINS : originsOf(recordId);
  const { uids, leftOut } = newUids(item, origins);
  const isKnown = recordId !== null || joinedKey !== null;
  const isJoining = origin === undefined;
  const isOwnCard = item.people?.isOwnCard === true;
  const comparison: PersonComparison = {
    own: isJoining ? () => false : origins.own(source, key),
    // The owner's answer adds all missing details.
    imported: isAnswered({ origin, rules }) ? null : origins.imported(),
    takes: !isJoining && !isOwnCard,
    isOwnCard,
    isWhole: isComparedPerson(item),
  };
  return { ...decision, comparison: isKnown ? comparison : null, uids, leftOut };
}

type Comparer = (
  decision: ItemDecision,
  originsOf: (personId: string) => PersonOrigins,
) => ItemDecision;

/** Reads the stored people of decisions, and the people whom these name. */
async function createComparer(
  sql: Sql,
  context: DecisionContext,
  compared: readonly ItemDecision[],
  files: ReadonlyMap<string, string>,
): Promise<Comparer> {
  const { owner, importId, targets, now } = context;
  const ids = compared.flatMap(({ recordId }) => recordId ?? []);
  const keys = compared.flatMap(({ item }) => linkedKeys(item));
  const find = await findNamed(sql, context, keys);
  const madeNow = await findOriginsOf(sql, owner, keys.flatMap((key) => find([key]) ?? []));
  // The plan does not know the people whom the run makes.
  const findKnown: FindNamed = (named) => {
    const id = find(named);
    return id === undefined || madeNow(id).isMadeBy(importId) ? undefined : id;
  };
  const withContacts = compared.some(({ item: { payload: { contacts } } }) =>
    Array.isArray(contacts) && contacts.length > 0
  );
  const [entries, open, assigned] = await Promise.all([
    findEntries(sql, owner, ids, withContacts),
    findPeople(sql, owner, ids, "OPEN"),
    findAssigned(sql, owner, ids),
  ]);
  return (decision, originsOf) => {
    const { item, origin, state, recordId, comparison, tags } = decision;
    const stored = entries.get(recordId ?? "");
    if (stored === undefined || comparison === null) return decision;
    const isAsLeft = origin !== undefined && origin.revision === state?.revision;
    const isOpen = open.has(recordId ?? "");
    if (item.people !== null && origin !== undefined && !isOpen && !isAsLeft) {
      return unchanged(decision, ["import.edited_here"]);
    }
    const content = plannedContent(item, targets.get("person"), files, now);
    const details = [...detailsOf(content.payload), ...linkDetails(item, recordId, findKnown)];
    const wanted = decideImported({ ...content, payload: { ...content.payload, details } }, now);
    const difference = personDifference(wanted, stored, comparison);
    const rules = [...new Set([...decision.rules, ...difference.rules])];
    const leftOut = [...decision.leftOut, ...new Set(difference.unmapped)];
    const isAsked = isAnswered({ origin, rules });
    const isMade = originsOf(recordId ?? "").isMadeBy(importId);
    const isRestored = origin?.change === "WITHDRAWN" && isAsLeft;
    const isMoved = isAsLeft && item.archived === isOpen;
    const hasNewTags = tags.some((tag) => !assigned(recordId ?? "").has(tag));
    const isChanged = item.people === null || isAsked || isMade || isRestored || isMoved ||
      hasNewTags || !isNoDifference(difference);
    const told = { ...decision, leftOut };
    return isChanged ? { ...told, rules } : unchanged(told, rules);
  };
}

function unchanged(decision: ItemDecision, rules: readonly string[]): ItemDecision {
  return { ...decision, outcome: "UNCHANGED", rules: [...new Set([...decision.rules, ...rules])] };
}

export function detailsOf({ details }: JsonObject): JsonObject[] {
  return Array.isArray(details) ? details.filter(isJsonObject) : [];
}

/** Possible keys of the people that an item is linked to. */
export function linkedKeys({ people }: Item): readonly string[] {
  return (people?.links ?? []).flatMap(({ keys }) => keys);
}

/** The details of an item's links. A person who is not known is a name, or the line of the card. */
export function linkDetails(
  { people }: Item,
  self: string | null,
  find: FindNamed,
): readonly JsonObject[] {
  return (people?.links ?? []).flatMap(({ keys, relation, name, line, detail }) => {
    const personId = find(keys);
    if (personId === self && self !== null) return [];
    if (personId !== undefined) return { kind: "LINK", value: { personId, relation }, ...detail };
    if (line === undefined) return { kind: "LINK", value: { name, relation }, ...detail };
    const { lines } = detail;
    const kept = { kind: "OTHER", value: { property: "RELATED", value: line } };
    return lines === undefined ? kept : { ...kept, lines };
  });
}

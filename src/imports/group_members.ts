/** Members of groups: by the UIDs and addresses of cards of the file, then of people here. */

import { FIELD_LIMITS } from "../catalog/field_types.ts";
import type { Sql } from "../database/sql.ts";
import { comparedForms, comparedUid, findSharing } from "../families/relationship/import_port.ts";
import type { DecisionContext } from "./decision.ts";
import { uidsOf } from "./earlier_people.ts";
import type { ImportFolder } from "./folder.ts";
import type { Item } from "./item.ts";
import { findNamed } from "./people_uids.ts";
import { isLeftOut } from "./reports.ts";

/** True for an item that names members. */
export function isGroup({ people }: Item): boolean {
  return (people?.members.length ?? 0) > 0;
}

/** The possible keys of a member. */
type Member = readonly string[];

/** The address of a member in compared form; null for a UID. */
function addressOf(member: Member): string | null {
  const [, address] = member.map((key) => /^mailto:([^?]+)/i.exec(key)).find((each) => each) ?? [];
  return address === undefined
    ? null
    : comparedForms([{ kind: "EMAIL", value: { value: address } }])[0] ?? null;
}

/** The texts by which cards of the file are looked up. */
function textsOf(member: Member): readonly string[] {
  const address = addressOf(member);
  return address === null ? member.map((key) => `uid:${comparedUid(key)}`) : [address];
}

/** The cards of a file that groups name as members. */
export class FileMembers {
  static readonly none = new FileMembers(new Map());
  /** The key of a card that comes in, and null for several cards or one that is left out. */
  readonly #cards: ReadonlyMap<string, string | null>;

  private constructor(cards: ReadonlyMap<string, string | null>) {
    this.#cards = cards;
  }

  /**
   * Reads a planned file.
   *
   * @param hold Counts the memory of each text that is looked up.
   */
  static async read(
    folder: ImportFolder,
    importId: string,
    hold: (text: string, place: number) => void = () => {},
  ): Promise<FileMembers> {
    const named = new Set<string>();
    for await (const { place, people } of folder.items(importId)) {
      for (const text of (people?.members ?? []).flatMap(textsOf)) {
        if (!named.has(text)) hold(text, place);
        named.add(text);
      }
    }
    const cards = new Map<string, string | null>();
    if (named.size === 0) return new FileMembers(cards);
    for await (const { item, planned } of folder.plan(importId)) {
      if (item.target !== "person") continue;
      const uids = uidsOf(item).map((uid) => `uid:${uid}`);
      for (const text of new Set([...uids, ...item.people?.compared ?? []])) {
        if (!named.has(text)) continue;
        cards.set(text, cards.has(text) || isLeftOut(planned) ? null : item.key);
      }
    }
    return new FileMembers(cards);
  }

  /** The key of the only card with the UID or address of a member; null without one. */
  keyOf(member: Member): string | null {
    return textsOf(member).map((text) => this.#cards.get(text)).find((key) => key) ?? null;
  }
}

/** The person of a member; undefined without one. */
type FindMember = (member: Member) => string | undefined;

/** Finds the people whom groups name. */
export async function findMembers(
  sql: Sql,
  context: Pick<DecisionContext, "owner" | "source">,
  groups: readonly Item[],
  cards: FileMembers,
): Promise<FindMember> {
  const members = groups.flatMap(({ people }) => people?.members ?? []);
  const addresses = members.flatMap((member) => addressOf(member) ?? []);
  const sharing = await findSharing(sql, context.owner, addresses, MAX_SHARING);
  const keys = members.flatMap((member) => [...member, cards.keyOf(member) ?? []].flat());
  const find = await findNamed(sql, context, keys);
  return (member) => {
    const key = cards.keyOf(member);
    const ofCard = key === null ? undefined : find([key]);
    if (ofCard !== undefined) return ofCard;
    const address = addressOf(member);
    if (address === null) return find(member);
    const people = sharing(address);
    return people.length === 1 ? people[0] : undefined;
  };
}

/** The first ones that are found; the others are counted. */
export const MAX_MEMBERS = FIELD_LIMITS.tags;

/** Only one person can be the member of an address. */
const MAX_SHARING = 2;

/** The number of planned groups with a member who is not found or does not fit. */
export async function countIncomplete(
  read: <T>(query: (sql: Sql) => Promise<T>) => Promise<T>,
  folder: ImportFolder,
  context: Pick<DecisionContext, "owner" | "source" | "importId">,
  hold: (text: string, place: number) => void,
): Promise<number> {
  const cards = await FileMembers.read(folder, context.importId, hold);
  let count = 0;
  for await (const item of folder.items(context.importId)) {
    if (!isGroup(item)) continue;
    const find = await read((sql) => findMembers(sql, context, [item], cards));
    const found = item.people?.members.map((member) => cards.keyOf(member) ?? find(member)) ?? [];
    if (found.includes(undefined) || new Set(found).size > MAX_MEMBERS) count++;
  }
  return count;
}

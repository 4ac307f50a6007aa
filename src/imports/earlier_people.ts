/** Compares the items of a file with earlier ones of the same file. */

import { comparedUid, foundUnder, lookedUpBy } from "../families/relationship/import_port.ts";
import type { Item } from "./item.ts";

/** A stored person, or the item of the file that becomes one. */
export type Candidate = { readonly personId: string } | { readonly key: string };

/** Maximum listed people that share an email or number. */
export const MAX_MATCHES = 100;

export interface PersonMatches {
  /** Stored people. */
  readonly matches: readonly string[];
  /** Keys of earlier items. */
  readonly shared: readonly string[];
  /** The earlier cards that become new people. */
  readonly keys: readonly string[];
}

export const NO_MATCHES: PersonMatches = { matches: [], shared: [], keys: [] };

/** Earlier items of a file by their emails, numbers and UIDs. */
export class EarlierPeople {
  /** Most forms have one key, and a set costs much more than a text. */
  readonly #keys = new Map<string, string | Set<string>>();
  /** The first key with each UID; a key counts as its own. */
  readonly #uids = new Map<string, string>();
  /** Candidates of items that do not become people of their own. */
  readonly #becomes = new Map<string, Candidate | null>();
  /** Stored people that items joined without an answer. */
  readonly #joined = new Set<string>();

  /** @param becomes Null for an item that is left out. */
  add(item: Item, becomes: Candidate | null): void {
    const { key } = item;
    const isItself = becomes !== null && "key" in becomes && becomes.key === key;
    if (!isItself) this.#becomes.set(key, becomes);
    for (const text of textsOf(item)) {
      const keys = this.#keys.get(text);
      if (keys === undefined) this.#keys.set(text, key);
      else if (typeof keys === "string") this.#keys.set(text, new Set([keys, key]));
      else if (keys.size <= MAX_MATCHES) keys.add(key);
    }
    for (const uid of [comparedUid(key), ...uidsOf(item)]) {
      if (!this.#uids.has(uid)) this.#uids.set(uid, key);
    }
  }

  addJoined(personId: string): void {
    this.#joined.add(personId);
  }

  /** True for a stored person whom an earlier item of the file joins without an answer. */
  hasJoined(personId: string): boolean {
    return this.#joined.has(personId);
  }

  /** Finds the candidate of an earlier item with one of the UIDs; null without one. */
  ofUid(item: Item): Candidate | null {
    for (const uid of uidsOf(item)) {
      const key = this.#uids.get(uid);
      if (key !== undefined) return this.#candidateOf(key);
    }
    return null;
  }

  /**
   * Finds the people with whom an item shares an email or number: stored people, and earlier items.
   * A card with a UID only shares with the one whose key it repeats.
   *
   * @param stored The stored people among them.
   */
  compare({ people }: Item, stored: readonly string[], self = ""): PersonMatches {
    const { repeats = null, isIdentified = true, compared = [] } = people ?? {};
    const texts = isIdentified ? [] : compared.flatMap(lookedUpBy);
    const shared = new Set(texts.flatMap((text) => this.#keysOf(text)));
    const repeated = repeats === null ? undefined : this.#uids.get(comparedUid(repeats));
    if (repeated !== undefined) shared.add(repeated);
    const candidates = [...shared].flatMap((key) => this.#candidateOf(key) ?? []);
    const matches = new Set([
      ...stored,
      ...candidates.flatMap((each) => "personId" in each ? [each.personId] : []),
    ]);
    matches.delete(self);
    const keys = new Set(candidates.flatMap((each) => "key" in each ? [each.key] : []));
    return {
      matches: [...matches].slice(0, MAX_MATCHES),
      shared: [...shared].slice(0, MAX_MATCHES),
      keys: [...keys],
    };
  }

  #candidateOf(key: string): Candidate | null {
    return this.#becomes.has(key) ? this.#becomes.get(key) ?? null : { key };
  }

  #keysOf(text: string): readonly string[] {
    const keys = this.#keys.get(text) ?? [];
    return typeof keys === "string" ? [keys] : [...keys];
  }
}

/** The texts under which an item is found; each is held in memory. */
export function textsOf({ people }: Item): readonly string[] {
  return [...new Set((people?.compared ?? []).flatMap(foundUnder))];
}

/** The UIDs of a card in compared form. */
export function uidsOf({ people }: Item): readonly string[] {
  return [...new Set((people?.uids ?? []).map(comparedUid))].filter((uid) => uid !== "");
}

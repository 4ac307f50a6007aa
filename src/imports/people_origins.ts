/** The origins of people: their UIDs, their sources, and the revisions that imports wrote. */

import type { Sql } from "../database/sql.ts";
import { comparedUid } from "../families/relationship/import_port.ts";
import { isStorableText } from "../validate/text.ts";
import { hasUids } from "./converters/people.ts";
import type { Origin } from "./origin_store.ts";

export type PersonOrigin = Pick<
  Origin,
  "import_id" | "kind" | "source" | "key" | "record_id" | "revision" | "change"
>;

/** True for the key of an item without a UID, and for the digest of a long one. */
export function isMadeKey(key: string): boolean {
  return /^(?:digest|sha256|place):/.test(key);
}

/** The origins of one person, oldest first. */
export class PersonOrigins {
  readonly #origins: readonly PersonOrigin[];

  constructor(origins: readonly PersonOrigin[]) {
    this.#origins = origins;
  }

  /** Distinct UIDs in compared form. */
  get uids(): ReadonlySet<string> {
    const keys = this.#origins.filter(({ kind, source, key }) =>
      kind === "UID" || kind === "ITEM" && hasUids(source) && !isMadeKey(key)
    );
    return new Set(keys.map(({ key }) => comparedUid(key)));
  }

  /** True if an item of the source made or joined the person. @param isLeftOut For some of them. */
  isOf(source: string, isLeftOut: (origin: PersonOrigin) => boolean): boolean {
    return this.#origins.some((origin) =>
      origin.kind === "ITEM" && origin.source === source && !isLeftOut(origin)
    );
  }

  isMadeBy(importId: string): boolean {
    return this.#origins.some(({ import_id, change }) =>
      import_id === importId && change === "NEW"
    );
  }

  /** True if an import wrote or joined the person. */
  isWrittenBy(importId: string): boolean {
    return this.#origins.some(({ import_id }) => import_id === importId);
  }

  /** Returns a test for revisions that the items of a key wrote. */
  own(source: string, key: string): (revision: number) => boolean {
    const isOwn = (origin: PersonOrigin) =>
      origin.kind === "ITEM" && origin.source === source && origin.key === key;
    const written = new Set<number | null>();
    const others = new Set<number | null>();
    for (const origin of this.#origins) {
      // An item that wrote nothing has a revision of another one in earlier releases.
      if (!isOwn(origin)) others.add(origin.revision);
      else if (!others.has(origin.revision)) written.add(origin.revision);
    }
    const made = this.#origins.find((origin) => isOwn(origin) && origin.change === "NEW");
    return (revision) => revision <= (made?.revision ?? 0) || written.has(revision);
  }

  /** Returns a test for revisions that any import wrote. */
  imported(): (revision: number) => boolean {
    const written = new Set(this.#origins.map(({ revision }) => revision));
    const made = this.#origins.find(({ change }) => change === "NEW")?.revision ?? 0;
    return (revision) => revision <= made || written.has(revision);
  }
}

export const NO_ORIGINS = new PersonOrigins([]);

/** The origins of people, by their identifiers. */
export async function findOriginsOf(
  sql: Sql,
  owner: string,
  personIds: readonly string[],
): Promise<(personId: string) => PersonOrigins> {
  if (personIds.length === 0) return () => NO_ORIGINS;
  const rows = await sql<PersonOrigin>`
    select o.* from unnest(string_to_array(${
    [...new Set(personIds)].join(" ")
  }, ' ')) as wanted (id)
     cross join lateral (
       select import_id, kind, source, key, record_id, revision, change from import_origins
        where owner_id = ${owner} and record_id = wanted.id and kind in ('ITEM', 'UID')
        order by origin_id offset 0) o`;
  const origins = new Map(
    Array.from(
      Map.groupBy(rows, ({ record_id }) => record_id),
      ([id, of]) => [id, new PersonOrigins(of)],
    ),
  );
  return (personId) => origins.get(personId) ?? NO_ORIGINS;
}

/** A person or group of a UID, and the key of an item of one source. */
interface UidOrigin {
  readonly uid: string;
  readonly target: string;
  readonly record_id: string;
  readonly source: string;
  readonly kind: Origin["kind"];
  readonly key: string;
}

/** The origins of people and groups whose UIDs are equal to some, in compared form. */
export async function findByUid(
  sql: Sql,
  owner: string,
  uids: readonly string[],
): Promise<readonly UidOrigin[]> {
  const wanted = uids.filter((uid) => uid !== "" && isStorableText(uid));
  if (wanted.length === 0) return [];
  const rows = await sql<UidOrigin>`
    select distinct wanted.uid, o.target, o.record_id, o.source, o.kind, o.key
      from json_array_elements_text(${JSON.stringify(wanted)}::text::json) as wanted (uid)
     cross join lateral (
       select target, record_id, source, kind, key from import_origins
        where compared_uid(key) = compared_uid(wanted.uid) and owner_id = ${owner}
          and target in ('person', 'community') and kind in ('ITEM', 'UID')
          and (source = 'vcard' or source like 'vcard:%') offset 0) o
     order by o.record_id, o.key`;
  return rows.filter(({ kind, key }) => kind === "UID" || !isMadeKey(key));
}

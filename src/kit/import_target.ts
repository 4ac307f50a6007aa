/** The contract of `import_port.ts`, by which imports write the objects of a room. */

import type { Permission } from "../access/permissions.ts";
import type { Field } from "../catalog/module.ts";
import type { ClaimRow } from "../command/ledger.ts";
import type { JsonObject } from "../core/json.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { NextRow, RootRow } from "./root.ts";

/** A kind of object that items become. Imports see content and revisions, but no rows. */
export interface ImportTarget {
  readonly name: string;
  readonly moduleCode: string;
  /** Permissions that a token needs to write it. */
  readonly permissions: readonly Permission[];
  /** Fields that a mapping can name. */
  readonly fields: readonly Field[];
  /** The field for the identifiers of an item's files; null if it has none. */
  readonly fileField: { readonly name: string; readonly isList: boolean } | null;
  /** The field whose text gets a line for each further file of an item; null if it has none. */
  readonly textField: string | null;
  /**
   * Checks content by the schemas and policies of the create route.
   *
   * @throws ServiceError `PAYLOAD_INVALID`.
   */
  readonly check: (content: ItemContent, now: Date) => ItemReferences;
  /**
   * Inserts new objects of checked content; returns them in the same order. Targets with the same
   * function insert their objects together.
   */
  readonly insert: (
    at: OwnerWrite,
    objects: readonly NewObject[],
  ) => Promise<readonly InsertedObject[]>;
  /** Locks an object until the transaction ends; null if the owner has none with the identifier. */
  readonly lock: (at: OwnerWrite, id: string) => Promise<LockedObject | null>;
}

/** The content of an item, in the form of its target's create route. */
export interface ItemContent {
  readonly title: string;
  readonly summary: string;
  readonly payload: JsonObject;
}

/** Identifiers of stored objects that an item's content names. */
export interface ItemReferences {
  readonly attachments: readonly string[];
  readonly people: readonly string[];
}

export const NO_REFERENCES: ItemReferences = { attachments: [], people: [] };

/** A transaction of an owner's rows. */
export interface OwnerWrite {
  readonly sql: Sql;
  readonly owner: string;
  readonly now: Date;
}

export interface NewObject {
  /** The name of its target. */
  readonly target: string;
  readonly content: ItemContent;
  /** When the source recorded it. */
  readonly recordedAt: Date;
}

export interface InsertedObject {
  readonly id: string;
  /** Number of its newest revision; all from 1 on are new. */
  readonly revision: number;
}

export interface ObjectChange {
  /** Null to keep the stored content. */
  readonly content: ItemContent | null;
  readonly isArchived: boolean;
  /** How the content of a person is compared; required for the content of a person. */
  readonly comparison?: PersonComparison;
}

/** How the content of an item is compared with a stored person. */
export interface PersonComparison {
  /** Tests whether an import of the item wrote a revision of the person. */
  readonly own: (revision: number) => boolean;
  /**
   * Tests whether any import wrote a revision: details that ended at another one are not added
   * again. Null to add them.
   */
  readonly imported: ((revision: number) => boolean) | null;
  /** True to retract details that the item has lost, and to follow its name. */
  readonly takes: boolean;
  /** True for a card that this service wrote: it shows the details of a person in part. */
  readonly isOwnCard: boolean;
  /** True to compare name, experiences and contacts as well. */
  readonly isWhole: boolean;
  /** The details that are compared; default: all. Links of some formats come last. */
  readonly part?: "links" | "others";
}

/** Parts that a change leaves out because of stored rows. */
export interface LeftOut {
  readonly rules: readonly string[];
  /** Names of the parts that were left out. */
  readonly unmapped: readonly string[];
}

export interface LockedObject {
  readonly revision: number;
  readonly isArchived: boolean;
  /** Appends the revisions of a change; none if nothing changes. */
  readonly write: (change: ObjectChange) => Promise<LeftOut | void>;
}

/** Runs the CTEs of a write whose transaction was claimed. */
export function claimed(sql: Sql, entries: Query<object>): Query<ClaimRow> {
  return sql<ClaimRow>`
    with claim as materialized (
      select 0 as number, 'GO'::text as verdict, null::text as envelope
    ), ${entries}
    select verdict, envelope from claim`;
}

/** A target whose objects are roots. */
interface RootTarget<Row extends RootRow, Change extends string>
  extends Omit<ImportTarget, "check" | "lock"> {
  /** Decides a new row. @throws ServiceError `PAYLOAD_INVALID`. */
  readonly decide: (content: ItemContent, now: Date) => Row;
  readonly find: (sql: Sql, owner: string, id: string) => Query<Row>;
  readonly isArchived: (row: Row) => boolean;
  /** The next revision of a stored row with the content of a decided one. */
  readonly revise: (row: Row, decided: Row, now: Date) => NextRow<Row, Change>;
  readonly archive: (row: Row, now: Date) => NextRow<Row, Change>;
  readonly restore: (row: Row, now: Date) => NextRow<Row, Change>;
  /** Writes the next revision of a row. */
  readonly write: (
    at: OwnerWrite,
    next: Row,
    change: NonNullable<NextRow<Row, Change>["change"]>,
    before: Row,
  ) => PromiseLike<unknown>;
}

/** Inserts new rows by one statement with the CTEs `entries`. */
export function insertRoots<Row extends RootRow>({ decide, idOf, entries }: {
  readonly decide: (object: NewObject, now: Date) => Row;
  readonly idOf: (row: Row) => string;
  readonly entries: (
    sql: Sql,
    owner: string,
    rows: readonly (NewObject & { readonly row: Row })[],
  ) => Query<object>;
}): ImportTarget["insert"] {
  return async ({ sql, owner, now }, objects) => {
    const rows = objects.map((object) => ({ ...object, row: decide(object, now) }));
    await claimed(sql, entries(sql, owner, rows));
    return rows.map(({ row }) => ({ id: idOf(row), revision: row.revision }));
  };
}

export function rootTarget<Row extends RootRow, Change extends string>(
  target: RootTarget<Row, Change>,
): ImportTarget {
  return {
    ...target,
    check(content, now) {
      target.decide(content, now);
      return NO_REFERENCES;
    },
    async lock(at, id) {
      const [row] = await target.find(at.sql, at.owner, id);
      return row === undefined ? null : lockedRoot(at, row, target);
    },
  };
}

/** A change is up to three revisions: restored, revised, archived. */
function lockedRoot<Row extends RootRow, Change extends string>(
  at: OwnerWrite,
  locked: Row,
  { decide, isArchived, revise, archive, restore, write }: RootTarget<Row, Change>,
): LockedObject {
  const { now } = at;
  let row = locked;
  const append = async ({ row: next, change }: NextRow<Row, Change>) => {
    if (change === null) return;
    await write(at, next, change, row);
    row = next;
  };
  return {
    get revision() {
      return row.revision;
    },
    get isArchived() {
      return isArchived(row);
    },
    async write({ content, isArchived: toArchive }) {
      if (isArchived(row) && !toArchive) await append(restore(row, now));
      if (content !== null) await append(revise(row, decide(content, now), now));
      if (!isArchived(row) && toArchive) await append(archive(row, now));
    },
  };
}

/** The body of a create route, with an undeclared member if the payload repeats a name. */
export function withItemNames(payload: JsonObject, names: JsonObject): JsonObject {
  const repeats = Object.keys(names).some((name) => Object.hasOwn(payload, name));
  return repeats ? { ...payload, ...names, "undeclared field": true } : { ...payload, ...names };
}

/**
 * Roots of the families written past the application: a description of each kind of root, the statements
 * that write it, and what the constraints that the procedure `make_revisions` adds must refuse.
 */

import { ulid } from "@std/ulid";
import {
  AT,
  insertInto,
  insertRecord,
  newAccount,
  newRoot,
  nextRoot,
  type Offences,
  revisionOf,
  type Row,
  updateRoot,
  updateRow,
} from "./rows.ts";

/** A kind of root: its tables, and rows of them that the database accepts. */
export interface RootKind {
  readonly root: string;
  readonly ledger: string;
  /** The column of the root's own identifier. */
  readonly id: string;
  /** The columns that never change besides owner, identifier and creation; no revision has them. */
  readonly fixed: readonly string[];
  /** The columns that change by a rule of their own, which tests of their own attack; none unless given. */
  readonly restricted?: readonly string[];
  /** The columns that not every root has, with values of a first revision; identifiers are new ones. */
  readonly sample: () => Row;
  /** Another value of each column that a revision can change; together they make a next revision. */
  readonly others: Row;
  /** What a later revision's ledger row says that it did; MODIFIED unless given. */
  readonly change?: string;
  /** Makes the rows that a root refers to. */
  readonly parents?: (row: Row) => string;
  /** Puts the rows that follow from a root in the place of its former ones; none unless given. */
  readonly derived?: (row: Row) => string;
  /** The module of the records that show the roots; none unless given. */
  readonly module?: string;
  /** The columns of such a record that follow from its root. */
  readonly projected?: (row: Row) => Row;
  /** The constraint that keeps a root at its first revision, where one does. */
  readonly onlyRevision?: string;
  /** The names of the constraints between the tables where `make_revisions` did not give them. */
  readonly constraints?: RevisionConstraints;
}

/** The constraints between a root and its ledger, by name. */
export interface RevisionConstraints {
  readonly timesOrdered: string;
  readonly hasRevision: string;
  readonly revisionPositive: string;
  readonly hasRoot: string;
  readonly follows: string;
  readonly revisionIdUnique: string;
}

/** The constraints between a kind's tables, by name. */
export function constraintsOf({ root, ledger, constraints }: RootKind): RevisionConstraints {
  return constraints ?? {
    timesOrdered: `${root}_times_ordered`,
    hasRevision: `${root}_have_revision`,
    revisionPositive: `${ledger}_revision_positive`,
    hasRoot: `${ledger}_have_root`,
    follows: `${ledger}_follow`,
    revisionIdUnique: `${ledger}_revision_id_unique`,
  };
}

/** A root at its first revision. */
export function newRow({ id, sample }: RootKind, owner: string, columns: Row = {}): Row {
  return {
    owner_id: owner,
    [id]: ulid(),
    revision: 1,
    revision_id: ulid(),
    created_at: AT,
    updated_at: AT,
    ...sample(),
    ...columns,
  };
}

/** The ledger row that a root must have. */
export function ledgerRow({ fixed, change = "MODIFIED" }: RootKind, row: Row): Row {
  const { updated_at = null, ...columns } = row;
  const shared = Object.entries(columns).filter(([column]) => !fixed.includes(column));
  return {
    ...Object.fromEntries(shared),
    change: row.revision === 1 ? "CREATED" : change,
    created_at: updated_at,
  };
}

/** A statement that inserts a root's ledger row; `forged` makes it another one. */
export function insertLedgerRow(kind: RootKind, row: Row, forged: Row = {}): string {
  return insertInto(kind.ledger, { ...ledgerRow(kind, row), ...forged });
}

/** A root with all that it needs, which the database accepts; `forged` makes its ledger row another one. */
export function insertRow(kind: RootKind, row: Row, forged: Row = {}): string {
  return insertWithoutRevision(kind, row) + insertLedgerRow(kind, row, forged);
}

/** The same without its ledger row. */
export function insertWithoutRevision(kind: RootKind, row: Row): string {
  return insertContext(kind, row) + insertInto(kind.root, row) + (kind.derived?.(row) ?? "");
}

/** What a root needs beside its own tables: what it refers to, and its projection. */
export function insertContext(kind: RootKind, row: Row): string {
  const projection = kind.module === undefined ? "" : insertRecord(projectionOf(kind, row));
  return (kind.parents?.(row) ?? "") + projection;
}

/** A root of a new owner, which the database accepts. */
export function insertOwned(kind: RootKind, row: Row): string {
  return insertInto("accounts", newAccount({ account_id: row.owner_id ?? null })) +
    insertRow(kind, row);
}

/** A whole step from a root to its next state; `forged` makes its ledger row another one. */
export function stepRow(kind: RootKind, row: Row, next: Row, forged: Row = {}): string {
  return projectStep(kind, row, next) + changeRow(kind, row, next) +
    insertLedgerRow(kind, next, forged);
}

/** The change of a root alone, with what follows from it. */
export function changeRow({ root, id, derived }: RootKind, row: Row, next: Row): string {
  return updateRow(root, id, row, next) + (derived?.(next) ?? "");
}

/** The step of a root's projection; nothing where it has none. */
export function projectStep(kind: RootKind, row: Row, next: Row = nextRoot(row)): string {
  if (kind.module === undefined) return "";
  const after = projectionOf(kind, next);
  return insertInto("record_revisions", revisionOf(after)) +
    updateRoot(projectionOf(kind, row), after);
}

/** The record that shows a root. */
export function projectionOf({ id, module = "", projected }: RootKind, row: Row): Row {
  const { owner_id, revision, revision_id } = row;
  const columns = { record_id: row[id], revision, revision_id, module_code: module } as Row;
  return newRoot(String(owner_id), { ...columns, ...projected?.(row) });
}

/** Statements that offend in columns of a new root. */
export function wrongRows(kind: RootKind, ...columns: readonly Row[]): Offences {
  return ({ accountId }) => columns.map((wrong) => insertRow(kind, newRow(kind, accountId, wrong)));
}

/** Statements that offend in the ledger row of a first revision. */
export function wrongFirsts(kind: RootKind, ...forged: readonly Row[]): Offences {
  return ({ accountId }) => forged.map((wrong) => insertRow(kind, newRow(kind, accountId), wrong));
}

/** Statements that offend in the ledger row of a second revision. */
export function wrongSteps(kind: RootKind, ...forged: readonly Row[]): Offences {
  return ({ accountId }) =>
    forged.map((wrong) => {
      const row = newRow(kind, accountId);
      return insertRow(kind, row) + stepRow(kind, row, nextRoot(row, kind.others), wrong);
    });
}

/** First and second revisions that their root's projection does not have. */
export function unprojected(kind: RootKind): Offences {
  const { module: _, ...alone } = kind;
  return ({ accountId }) => {
    const row = newRow(kind, accountId);
    return [insertRow(alone, row), insertRow(kind, row) + stepRow(alone, row, nextRoot(row))];
  };
}

/** What the constraints between a kind's tables must refuse. */
export function revisionOffences(kind: RootKind): Readonly<Record<string, Offences>> {
  const { change = "MODIFIED" } = kind;
  const names = constraintsOf(kind);
  /** Statements about a root that is there, and the one that would follow it. */
  const afterOne = (offend: (row: Row, next: Row) => string): Offences => ({ accountId }) => {
    const row = newRow(kind, accountId);
    return [insertRow(kind, row) + offend(row, nextRoot(row))];
  };
  return {
    [names.timesOrdered]: wrongRows(kind, { updated_at: "2026-11-20T11:59:59.999Z" }),
    [names.hasRevision]: ({ accountId }) => [insertWithoutRevision(kind, newRow(kind, accountId))],
    [names.revisionPositive]: wrongFirsts(kind, { revision: 0, change }, { revision: -1, change }),
    [names.hasRoot]: ({ accountId }) => {
      const row = newRow(kind, accountId);
      return [insertContext(kind, row) + insertLedgerRow(kind, row)];
    },
    [names.follows]: afterOne((row, next) =>
      projectStep(kind, row) + projectStep(kind, next) + insertLedgerRow(kind, nextRoot(next))
    ),
    [names.revisionIdUnique]: afterOne((row, next) =>
      projectStep(kind, row) +
      insertLedgerRow(kind, next, { revision_id: row.revision_id ?? null })
    ),
  };
}

/**
 * Roots written past the application: descriptions of each kind, the statements that write it, and
 * rows that the constraints of `make_revisions` must reject.
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

/** Its tables, and valid rows. */
export interface RootKind {
  readonly root: string;
  readonly ledger: string;
  readonly id: string;
  /** Immutable columns besides owner, identifier and creation; revisions lack them. */
  readonly fixed: readonly string[];
  /** Columns with their own rule of change, tested elsewhere; default none. */
  readonly restricted?: readonly string[];
  /** Values of the kind's other columns at the first revision; new identifiers. */
  readonly sample: () => Row;
  /** Other values of the mutable columns, together a valid next revision. */
  readonly others: Row;
  /** The change in a later revision's ledger row; default MODIFIED. */
  readonly change?: string;
  /** Inserts rows that a root refers to. */
  readonly parents?: (row: Row) => string;
  /** Replaces rows derived from a root; default none. */
  readonly derived?: (row: Row) => string;
  /** The module of records that project the roots; default none. */
  readonly module?: string;
  /** Columns of the record that follow from its root. */
  readonly projected?: (row: Row) => Row;
  /** The constraint that limits the root to one revision, if any. */
  readonly onlyRevision?: string;
  /** Constraint names that `make_revisions` did not give. */
  readonly constraints?: RevisionConstraints;
}

export interface RevisionConstraints {
  readonly timesOrdered: string;
  readonly hasRevision: string;
  readonly revisionPositive: string;
  readonly hasRoot: string;
  readonly follows: string;
  readonly revisionIdUnique: string;
}

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

/** Required for a root. */
export function ledgerRow({ fixed, change = "MODIFIED" }: RootKind, row: Row): Row {
  const { updated_at = null, ...columns } = row;
  const shared = Object.entries(columns).filter(([column]) => !fixed.includes(column));
  return {
    ...Object.fromEntries(shared),
    change: row.revision === 1 ? "CREATED" : change,
    created_at: updated_at,
  };
}

/** `forged` changes it. */
export function insertLedgerRow(kind: RootKind, row: Row, forged: Row = {}): string {
  return insertInto(kind.ledger, { ...ledgerRow(kind, row), ...forged });
}

/** A valid root with everything it needs; `forged` changes its ledger row. */
export function insertRow(kind: RootKind, row: Row, forged: Row = {}): string {
  return insertWithoutRevision(kind, row) + insertLedgerRow(kind, row, forged);
}

export function insertWithoutRevision(kind: RootKind, row: Row): string {
  return insertContext(kind, row) + insertInto(kind.root, row) + (kind.derived?.(row) ?? "");
}

/** Parents and projection. */
export function insertContext(kind: RootKind, row: Row): string {
  const projection = kind.module === undefined ? "" : insertRecord(projectionOf(kind, row));
  return (kind.parents?.(row) ?? "") + projection;
}

/** Valid, of a new owner. */
export function insertOwned(kind: RootKind, row: Row): string {
  return insertInto("accounts", newAccount({ account_id: row.owner_id ?? null })) +
    insertRow(kind, row);
}

/** A whole step to the next state; `forged` changes its ledger row. */
export function stepRow(kind: RootKind, row: Row, next: Row, forged: Row = {}): string {
  return projectStep(kind, row, next) + changeRow(kind, row, next) +
    insertLedgerRow(kind, next, forged);
}

/** The root's change, with derived rows. */
export function changeRow({ root, id, derived }: RootKind, row: Row, next: Row): string {
  const ofClocks = "clocks" in next ? { clocks_revision: next.revision ?? null } : {};
  return updateRow(root, id, row, { ...next, ...ofClocks }) + (derived?.(next) ?? "");
}

/** The projection's step; empty without a projection. */
export function projectStep(kind: RootKind, row: Row, next: Row = nextRoot(row)): string {
  if (kind.module === undefined) return "";
  const after = projectionOf(kind, next);
  return insertInto("record_revisions", revisionOf(after)) +
    updateRoot(projectionOf(kind, row), after);
}

export function projectionOf({ id, module = "", projected }: RootKind, row: Row): Row {
  const { owner_id, revision, revision_id } = row;
  const columns = { record_id: row[id], revision, revision_id, module_code: module } as Row;
  return newRoot(String(owner_id), { ...columns, ...projected?.(row) });
}

export function wrongRows(kind: RootKind, ...columns: readonly Row[]): Offences {
  return ({ accountId }) => columns.map((wrong) => insertRow(kind, newRow(kind, accountId, wrong)));
}

/** Offences in the ledger row of a first revision. */
export function wrongFirsts(kind: RootKind, ...forged: readonly Row[]): Offences {
  return ({ accountId }) => forged.map((wrong) => insertRow(kind, newRow(kind, accountId), wrong));
}

/** Offences in the ledger row of a second revision. */
export function wrongSteps(kind: RootKind, ...forged: readonly Row[]): Offences {
  return ({ accountId }) =>
    forged.map((wrong) => {
      const row = newRow(kind, accountId);
      return insertRow(kind, row) + stepRow(kind, row, nextRoot(row, kind.others), wrong);
    });
}

/** First and second revisions without their projection. */
export function unprojected(kind: RootKind): Offences {
  const { module: _, ...alone } = kind;
  return ({ accountId }) => {
    const row = newRow(kind, accountId);
    return [insertRow(alone, row), insertRow(kind, row) + stepRow(alone, row, nextRoot(row))];
  };
}

/** Offences by constraint between a kind's tables. */
export function revisionOffences(kind: RootKind): Readonly<Record<string, Offences>> {
  const { change = "MODIFIED", ledger } = kind;
  const names = constraintsOf(kind);
  /** About an existing root and its next state. */
  const afterOne = (offend: (row: Row, next: Row) => string): Offences => ({ accountId }) => {
    const row = newRow(kind, accountId);
    return [insertRow(kind, row) + offend(row, nextRoot(row))];
  };
  return {
    ...("clocks" in kind.sample() && {
      [`${ledger}_clocks`]: wrongFirsts(kind, { clocks: `{"other":"+01:00"}` }),
    }),
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

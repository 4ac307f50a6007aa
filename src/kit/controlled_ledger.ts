/**
 * Ledgers whose entries have controls. A control is a row of a second ledger and names one entry:
 *
 *   RETRACTED             ends the entry
 *   SUPERSEDED            ends it in favour of another live entry
 *   PRIVACY_RECLASSIFIED  raises its privacy
 *
 * No row of either ledger ever changes: reads combine an entry with its controls. An entry ends at
 * most once, and its privacy never falls. Guards of the tables enforce the same rules.
 */

import { newId } from "../core/ids.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { identifier as ulid, type InferObject, oneOf, optional } from "../validate/schema.ts";
import { type Columns, orNull, type RowOf } from "./columns.ts";
import { choice, id, stamp } from "./kinds.ts";
import {
  addedRow,
  isEntry,
  type LedgerDeclaration,
  PRIVACY_LEVELS,
  type PrivacyLevel,
  type StoredLedger,
  storedLedger,
  wholeEntry,
} from "./stored_ledger.ts";
import type { RootPath } from "./write.ts";

const KINDS = ["SUPERSEDED", "RETRACTED", "PRIVACY_RECLASSIFIED"] as const;

/** Columns that reads compute from an entry and its controls. */
export const CONTROLLED = {
  state: choice(["LIVE", "SUPERSEDED", "RETRACTED"]),
  superseded_by: orNull(id),
  /** Highest level of entry and controls. */
  effective_privacy: choice(PRIVACY_LEVELS),
};

export interface ControlledRow extends RowOf<typeof CONTROLLED> {
  readonly privacy: PrivacyLevel;
  /** Effective privacy today, also in a row of an earlier moment; it determines who may read it. */
  readonly privacy_today: PrivacyLevel;
}

/**
 * Columns of every ledger of controls; each adds the identifiers of entry and root, and its order.
 */
export const CONTROL = {
  control_id: id,
  kind: choice(KINDS),
  superseded_by: orNull(id),
  privacy: orNull(choice(PRIVACY_LEVELS)),
  recorded_at: stamp,
};
export type ControlRow = RowOf<typeof CONTROL>;

export const CONTROL_BODY = {
  kind: oneOf(...KINDS),
  supersededBy: optional(ulid),
  privacy: optional(oneOf(...PRIVACY_LEVELS)),
};
export type ControlBody = InferObject<typeof CONTROL_BODY>;

/** @throws ServiceError `PAYLOAD_INVALID` unless each member matches its kind. */
export function checkControl({ kind, supersededBy, privacy }: ControlBody): void {
  const misplaced = [
    ...((kind === "SUPERSEDED") === (supersededBy !== undefined) ? [] : ["supersededBy"]),
    ...((kind === "PRIVACY_RECLASSIFIED") === (privacy !== undefined) ? [] : ["privacy"]),
  ];
  if (misplaced.length > 0) throw payloadInvalid(["control.parts"], ["kind", ...misplaced]);
}

export function newControl(
  { kind, supersededBy, privacy }: ControlBody,
  now: Date,
): ControlRow {
  return {
    control_id: newId(now),
    kind,
    superseded_by: supersededBy ?? null,
    privacy: privacy ?? null,
    recorded_at: now,
  };
}

/** The entry before any control, except for `privacy_today`. */
export function withoutControls<Row extends { readonly privacy: PrivacyLevel }>(
  row: Row,
): Row & RowOf<typeof CONTROLLED> {
  return { ...row, state: "LIVE", superseded_by: null, effective_privacy: row.privacy };
}

interface ControlledDeclaration<Row, Item, Control>
  extends Omit<LedgerDeclaration<Row, Item>, "from" | "derived" | "level" | "asMade"> {
  readonly controls: {
    readonly table: string;
    readonly columns: Columns;
    /** Column by which the controls of an entry are in order. */
    readonly order: keyof Control & string;
  };
  /** Columns in which an entry equals the one that supersedes it. */
  readonly alike: readonly (keyof Row & string)[];
  /** Error code of a control that the state of an entry forbids. */
  readonly conflict: ErrorCode;
}

export interface ControlledLedger<Row, Item, Control> extends StoredLedger<Row, Item> {
  /** CTE of a new control, conditional on the claim. */
  readonly addedControl: (sql: Sql, owner: string, control: Control) => Query<object>;
  /** Entries as they are now, with all columns of `Row`, to select from. */
  readonly entries: (sql: Sql) => Query<object>;
  /** Select list of a `Row`. */
  readonly whole: (sql: Sql) => Query<object>;
  /** Finds an entry of any root. */
  readonly findAny: (sql: Sql, owner: string, id: string) => Query<Row>;
  /**
   * Finds an entry as after one of its controls, or as created if `controlId` names another row.
   */
  readonly findAfter: (
    sql: Sql,
    owner: string,
    key: RootPath,
    id: string,
    controlId: string,
  ) => Query<Row>;
  readonly findLastControl: (
    sql: Sql,
    owner: string,
    key: RootPath,
    id: string,
  ) => Query<Pick<ControlRow, "control_id">>;
  /**
   * Applies a control; returns the same row if it changes nothing.
   *
   * @param superseding The owner's entry that `supersededBy` names; null if there is none.
   * @throws ServiceError `conflict` or `PRIVACY_DOWNGRADE_FORBIDDEN`.
   */
  readonly decide: (before: Row, body: ControlBody, superseding: Row | null) => Row;
}

export function controlledLedger<Row extends ControlledRow, Item, Control extends ControlRow>(
  declared: ControlledDeclaration<Row, Item, Control>,
): ControlledLedger<Row, Item, Control> {
  const { table, columns, order } = declared.controls;
  const entries = (sql: Sql) => entriesAfter(sql, declared, sql`true`);
  const combined: LedgerDeclaration<Row, Item> = {
    ...declared,
    from: entries,
    derived: { ...CONTROLLED, privacy_today: CONTROLLED.effective_privacy },
    level: "privacy_today",
    asMade: withoutControls,
  };
  const whole = (sql: Sql) => wholeEntry(sql, combined);
  return {
    ...storedLedger(combined),
    entries,
    whole,
    addedControl: (sql, owner, control) =>
      addedRow(sql, table, columns, owner, control as RowOf<Columns>),
    findAny: (sql, owner, entryId) =>
      sql<Row>`
        select ${whole(sql)} from ${entries(sql)}
         where owner_id = ${owner} and ${identifier(sql, declared.id)} = ${entryId}`,
    findAfter(sql, owner, key, entryId, controlId) {
      const number = identifier(sql, order);
      const isDone = sql`c.${number} <= coalesce((
        select ${number} from ${identifier(sql, table)}
         where ${isEntry(sql, { ...declared, id: "control_id" }, owner, key, controlId)}), 0)`;
      return sql<Row>`
        select ${whole(sql)} from ${entriesAfter(sql, declared, isDone)}
         where ${isEntry(sql, declared, owner, key, entryId)}`;
    },
    findLastControl: (sql, owner, key, entryId) =>
      sql<Pick<ControlRow, "control_id">>`
        select control_id from ${identifier(sql, table)}
         where ${isEntry(sql, declared, owner, key, entryId)}
         order by ${identifier(sql, order)} desc limit 1`,
    decide: (before, body, superseding) => decideControl(declared, before, body, superseding),
  };
}

interface Tables {
  readonly table: string;
  readonly id: string;
  readonly root: string;
  readonly controls: { readonly table: string };
}

/**
 * Entries after those of their controls `c` that are done; `privacy_today` is after all of them.
 */
function entriesAfter(
  sql: Sql,
  { table, id, root, controls }: Tables,
  isDone: Query<object>,
): Query<object> {
  const [ofRoot, ofEntry] = [identifier(sql, root), identifier(sql, id)];
  // The names of the levels rise in byte order.
  return sql`(
    select e.*, coalesce(k.ended, 'LIVE') as state, k.superseded_by,
           greatest(e.privacy, k.privacy) as effective_privacy,
           greatest(e.privacy, k.privacy_today) as privacy_today
      from ${identifier(sql, table)} e cross join lateral (
        select max(c.kind) filter (where ${isDone} and c.kind <> 'PRIVACY_RECLASSIFIED') as ended,
               max(c.superseded_by) filter (where ${isDone}) as superseded_by,
               max(c.privacy) filter (where ${isDone}) as privacy,
               max(c.privacy) as privacy_today
          from ${identifier(sql, controls.table)} c
         where c.owner_id = e.owner_id and c.${ofRoot} = e.${ofRoot}
           and c.${ofEntry} = e.${ofEntry}) k) entry`;
}

function decideControl<Row extends ControlledRow>(
  { id, alike, conflict }: Pick<
    ControlledDeclaration<Row, unknown, never>,
    "id" | "alike" | "conflict"
  >,
  before: Row,
  { kind, supersededBy, privacy = before.effective_privacy }: ControlBody,
  superseding: Row | null,
): Row {
  if (kind === "PRIVACY_RECLASSIFIED") {
    if (isLower(privacy, before.effective_privacy)) {
      throw new ServiceError("PRIVACY_DOWNGRADE_FORBIDDEN");
    }
    return privacy === before.effective_privacy
      ? before
      : { ...before, effective_privacy: privacy, privacy_today: privacy };
  }
  const isFit = superseding === null || (
    superseding.state === "LIVE" && superseding[id] !== before[id] &&
    alike.every((name) => superseding[name] === before[name])
  );
  if (before.state !== "LIVE" || !isFit) throw new ServiceError(conflict);
  return { ...before, state: kind, superseded_by: supersededBy ?? null };
}

function isLower(level: PrivacyLevel, other: PrivacyLevel): boolean {
  return PRIVACY_LEVELS.indexOf(level) < PRIVACY_LEVELS.indexOf(other);
}

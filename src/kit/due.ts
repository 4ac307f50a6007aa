/** Contributions of a room to the list of due items (`src/due/`). */

/** A part of the list of one kind, in the order of times, then of identifiers. */
export interface DuePart {
  /** The earliest time; null for none. */
  readonly from: Date | null;
  /** The first time after the part. */
  readonly until: Date;
  /** If set, items that are due at `from` itself begin after these identifiers. */
  readonly after: { readonly recordId: string; readonly sourceId: string | null } | null;
  readonly limit: number;
}

/** A due item. */
export interface DueRow {
  readonly record_id: string;
  /** The detail or proposal; null if the record itself is due. */
  readonly source_id: string | null;
  readonly title: string;
  /** The yearly event of the day; null for others. */
  readonly what: string | null;
  /** The label of a date; null for others. */
  readonly label: string | null;
  /** Years since the year of a date; null without one, and for others. */
  readonly years: number | null;
  /** The time, as the records' payloads state it; a day is `YYYY-MM-DD`. */
  readonly due: string | Date;
  /**
   * Rises whenever the item is shown in another way: one less than the record's revision. For a
   * detail or proposal, the revision that gave the person the current name.
   */
  readonly sequence: number;
  /** The time since which it is shown in this way. */
  readonly changed_at: Date;
  readonly is_secret: boolean;
}

export interface DueRows<Row extends DueRow = DueRow> {
  readonly rows: readonly Row[];
  /** The last row examined, if the part ends there before its limit; null if it is complete. */
  readonly end: Pick<DueRow, "due" | "record_id" | "source_id"> | null;
}

/** The overdue items of one kind. */
export interface OverdueCount {
  readonly overdue: number;
  /** Items that were examined, up to a limit. */
  readonly examined: number;
  /** The earliest due time; null without one. */
  readonly oldest: string | Date | null;
}

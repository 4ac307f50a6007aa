/**
 * A scan of all rows of a backup's tables. Finds the rows and attachments that are erased with the
 * subjects and the references to them, and computes the digest of every table.
 */

import { CATALOG } from "../../catalog/catalog.ts";
import { ErasedIds, type Row, type Subject } from "../../erasure/erased_ids.ts";
import { erasableRows } from "../../erasure/rules.ts";
import { mappingWithout, subjectOfEnvelope } from "../../erasure/filter.ts";
import type { Sql } from "../../database/sql.ts";
import { type TableSum, TableTally } from "../backup/format.ts";
import { readRows } from "../backup/table_rows.ts";
import { BACKED_UP_TABLES } from "../backup/tables.ts";

/** A retained root that contains the identifier of a subject. */
export interface Reference {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly subjectId: string;
}

/** The fields of each module that name attachments. */
const FILE_FIELDS = new Map(
  CATALOG.modules.map(({ code, fields }) => [
    code,
    fields.filter((field) => field.edit === "file" || field.attachment === true)
      .map(({ name }) => name),
  ]),
);

/** Matches every identifier in a text, also one that begins within another. */
const IDENTIFIERS = /(?=([0-7][0-9A-HJKMNP-TV-Z]{25}))/g;

const ATTACHMENT = /\battachment:([0-7][0-9A-HJKMNP-TV-Z]{25})/g;

export class ErasureScan {
  readonly erased: ErasedIds;
  /** Erased rows, by table. */
  readonly counts: Record<string, number> = {};
  /** Hex, of the newest seal of each trail, by account and kind. */
  readonly seals: Record<string, string> = {};
  /** The tables that have rows of a subject. */
  readonly found = new Map<string, { readonly table: string; readonly subjectId: string }>();
  readonly #owner: string;
  readonly #subjects: ReadonlySet<string>;
  readonly #sums = new Map<string, TableTally>();
  readonly #modules = new Map<string, string>();
  readonly #roots = new Map<string, string>();
  readonly #references = new Map<string, Reference>();
  /** Attachments that rows of the account name. */
  readonly #named = { erased: new Set<string>(), retained: new Set<string>() };
  /** The original of each import that has one. */
  readonly #originals = new Map<string, string>();
  readonly #attachments: string[] = [];
  readonly #objects = { erased: new Map<string, number>(), retained: new Set<string>() };
  #oldest: number | null = null;

  /**
   * @param owner The account of the subjects.
   * @param subjects Empty if `erased` has those of any accounts.
   */
  constructor(owner: string, subjects: readonly Subject[], erased: ErasedIds = new ErasedIds()) {
    this.erased = erased;
    this.#owner = owner;
    this.#subjects = new Set(subjects.map(({ id }) => id));
    for (const subject of subjects) erased.add(owner, subject);
  }

  add(table: string, line: string): void {
    const row: Row = JSON.parse(line);
    this.#sum(table, line);
    this.#readRow(table, row);
    const subject = this.erased.subjectOf(table, row);
    if (subject !== null) this.#exclude(table, row, subject, line);
    else if (table === "idempotency_envelopes") {
      this.#addFound(table, subjectOfEnvelope(this.erased, row));
    } else if (ownerOf(table, row) === this.#owner) this.#retain(table, row, line);
    if (table === "imports") this.#addFound(table, mappingWithout(this.erased, row).subject);
    if (table === "attachments") this.#countObject(row, subject !== null);
  }

  /** The digests of all tables. */
  get tables(): Readonly<Record<string, TableSum>> {
    return Object.fromEntries(Array.from(this.#sums, ([name, tally]) => [name, tally.sum()]));
  }

  /** All erased attachments. */
  get attachments(): readonly string[] {
    return this.#attachments.toSorted();
  }

  /** The number and bytes of the erased files. */
  get objects(): { readonly count: number; readonly bytes: number } {
    const { erased, retained } = this.#objects;
    const sizes = [...erased].filter(([key]) => !retained.has(key)).map(([, size]) => size);
    return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  get references(): readonly Reference[] {
    return [...this.#references].sort(([one], [other]) => one < other ? -1 : 1)
      .map(([, reference]) => reference);
  }

  /** The creation time of the oldest erased row, or null. */
  get oldest(): Date | null {
    return this.#oldest === null ? null : new Date(this.#oldest);
  }

  /** Begins the sum of a table, which may have no rows. */
  begin(table: string): void {
    this.#sums.set(table, new TableTally());
    if (table === "attachments") this.#eraseUnshared();
  }

  #sum(table: string, line: string): void {
    this.#sums.get(table)?.add(sealedLine(table, line));
  }

  #readRow(table: string, row: Row): void {
    if (table === "audit_seals") {
      this.seals[`${row.account_id}/${row.kind}`] = String(row.digest).replace("\\x", "");
    }
    if (table === "records" && row.owner_id === this.#owner) {
      this.#modules.set(String(row.record_id), String(row.module_code));
    }
    if (table === "imports" && typeof row.original_attachment_id === "string") {
      this.#originals.set(String(row.import_id), row.original_attachment_id);
    }
  }

  #exclude(table: string, row: Row, subject: string, line: string): void {
    this.counts[table] = (this.counts[table] ?? 0) + 1;
    this.#addFound(table, subject);
    const written = Date.parse(String(row.created_at));
    if (Number.isFinite(written)) this.#oldest = Math.min(this.#oldest ?? written, written);
    addAll(this.#named.erased, namedFiles(table, row, line));
    // The file that a subject was imported from contains its words.
    const original = this.#originals.get(String(row.import_id));
    if (original !== undefined) this.#named.erased.add(original);
    if (table === "attachments") this.#attachments.push(String(row.attachment_id));
  }

  #retain(table: string, row: Row, line: string): void {
    addAll(this.#named.retained, namedFiles(table, row, line));
    const root = this.#rootOf(table, row);
    if (root === null) return;
    for (const [, id = ""] of line.matchAll(IDENTIFIERS)) {
      if (this.#subjects.has(id)) this.#addReference(table, root, id);
    }
  }

  /** Also called for retained rows of which a part is erased. */
  #addFound(table: string, subjectId: string | null): void {
    if (subjectId !== null) this.found.set(`${table} ${subjectId}`, { table, subjectId });
  }

  #addReference(table: string, recordId: string, subjectId: string): void {
    const moduleCode = this.#modules.get(recordId) ?? erasableRows(table)?.module;
    if (moduleCode === undefined) return;
    const key = `${moduleCode} ${recordId} ${subjectId}`;
    this.#references.set(key, { moduleCode, recordId, subjectId });
  }

  /** The root that a row belongs to, or null. */
  #rootOf(table: string, row: Row): string | null {
    const { belongsTo = {}, own: [own = ""] = [], module } = erasableRows(table) ?? {};
    if (module !== undefined) return String(row[own]);
    for (const [column, space] of Object.entries(belongsTo)) {
      const id = row[column];
      if (typeof id !== "string") continue;
      if (space === "part") return this.#roots.get(id) ?? null;
      if (space !== "root") continue;
      if (own !== "") this.#roots.set(String(row[own]), id);
      return id;
    }
    return null;
  }

  /** Adds the attachments that only erased rows name to the erased ones. */
  #eraseUnshared(): void {
    for (const id of this.#named.erased) {
      if (!this.#named.retained.has(id)) this.erased.add(this.#owner, { kind: "ATTACHMENT", id });
    }
  }

  #countObject({ owner_id, sha256, size }: Row, isErased: boolean): void {
    const key = `${owner_id}/${sha256}`;
    if (isErased) this.#objects.erased.set(key, Number(size));
    else this.#objects.retained.add(key);
  }
}

/** Scans all rows of a snapshot. */
export async function scanTables(
  sql: Sql,
  scan: ErasureScan,
  report: (progress: string) => void,
): Promise<void> {
  for (const table of BACKED_UP_TABLES) {
    scan.begin(table.name);
    for await (const lines of readRows(sql, table, null)) {
      for (const line of lines) scan.add(table.name, line);
    }
    report(`${table.name}: read`);
  }
}

const SEALED: ReadonlySet<string> = new Set(
  BACKED_UP_TABLES.filter((table) => table.isSealed).map(({ name }) => name),
);

/** Returns a row in the form of a backup after all entries of trails were sealed. */
export function sealedLine(table: string, line: string): string {
  if (!SEALED.has(table)) return line;
  return line.replace(/(?<=,)"transaction_id":0(?=[,}])/, '"transaction_id":null');
}

function ownerOf(table: string, row: Row): unknown {
  const rule = erasableRows(table);
  return rule === null ? null : row[rule.account];
}

/** The attachments that a row names, in its fields or as `attachment:<identifier>` in its texts. */
function namedFiles(table: string, row: Row, line: string): string[] {
  if (table === "attachments" || table === "imports") return [];
  const inTexts = Array.from(line.matchAll(ATTACHMENT), ([, id = ""]) => id);
  return table === "record_revisions" ? [...inTexts, ...filesOf(row)] : inTexts;
}

/** The attachments that a revision names. */
function filesOf({ module_code, payload }: Row): string[] {
  const fields = FILE_FIELDS.get(String(module_code)) ?? [];
  if (fields.length === 0) return [];
  const values = JSON.parse(String(payload));
  return fields.flatMap((name) => values[name] ?? []);
}

function addAll(set: Set<string>, values: readonly string[]): void {
  for (const value of values) set.add(value);
}

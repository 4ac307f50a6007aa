/**
 * One walk over all rows of a backup's tables: what goes with the subjects, what refers to them, and the digest
 * of every table.
 */

import { CATALOG } from "../../catalog/catalog.ts";
import { Gone, type Row, type Subject } from "../../erasure/gone.ts";
import { goingRows } from "../../erasure/rules.ts";
import { mappingWithout, subjectOfEnvelope } from "../../erasure/sieve.ts";
import type { Sql } from "../../database/sql.ts";
import { type TableSum, TableTally } from "../backup/format.ts";
import { readRows } from "../backup/table_rows.ts";
import { BACKED_UP_TABLES } from "../backup/tables.ts";

/** A root that stays, and holds the identifier of a subject. */
export interface Reference {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly subjectId: string;
}

/** The fields of each module that name attachments, and whether they are lists. */
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

export class Survey {
  readonly gone: Gone;
  /** Rows that go, by table. */
  readonly counts: Record<string, number> = {};
  /** Hex, of the newest seal of each trail, by account and kind. */
  readonly seals: Record<string, string> = {};
  /** The rows that go, each as its table and the subject that takes it. */
  readonly found = new Map<string, { readonly table: string; readonly subjectId: string }>();
  readonly #owner: string;
  readonly #subjects: ReadonlySet<string>;
  readonly #sums = new Map<string, TableTally>();
  readonly #modules = new Map<string, string>();
  readonly #roots = new Map<string, string>();
  readonly #references = new Map<string, Reference>();
  /** Attachments that rows of the account name: those that go, and those that stay. */
  readonly #named = { gone: new Set<string>(), staying: new Set<string>() };
  /** The originals of imports that have them. */
  readonly #originals = new Map<string, string>();
  readonly #attachments: string[] = [];
  readonly #objects = { gone: new Map<string, number>(), staying: new Set<string>() };
  #oldest: number | null = null;

  /**
   * @param owner The account whose subjects go.
   * @param subjects None if `gone` names those of any accounts.
   */
  constructor(owner: string, subjects: readonly Subject[], gone: Gone = new Gone()) {
    this.gone = gone;
    this.#owner = owner;
    this.#subjects = new Set(subjects.map(({ id }) => id));
    for (const subject of subjects) gone.add(owner, subject);
  }

  add(table: string, line: string): void {
    const row: Row = JSON.parse(line);
    this.#sum(table, line);
    this.#readRow(table, row);
    const subject = this.gone.subjectOf(table, row);
    if (subject !== null) this.#leave(table, row, subject, line);
    else if (table === "idempotency_envelopes") {
      this.#find(table, subjectOfEnvelope(this.gone, row));
    } else if (ownerOf(table, row) === this.#owner) this.#stay(table, row, line);
    if (table === "imports") this.#find(table, mappingWithout(this.gone, row).subject);
    if (table === "attachments") this.#countObject(row, subject !== null);
  }

  /** The digests of all tables. */
  get tables(): Readonly<Record<string, TableSum>> {
    return Object.fromEntries(Array.from(this.#sums, ([name, tally]) => [name, tally.sum()]));
  }

  /** All attachments that go. */
  get attachments(): readonly string[] {
    return this.#attachments.toSorted();
  }

  /** The bytes that go. */
  get objects(): { readonly count: number; readonly bytes: number } {
    const going = [...this.#objects.gone].filter(([key]) => !this.#objects.staying.has(key));
    return { count: going.length, bytes: going.reduce((sum, [, size]) => sum + size, 0) };
  }

  get references(): readonly Reference[] {
    return [...this.#references].sort(([one], [other]) => one < other ? -1 : 1)
      .map(([, reference]) => reference);
  }

  /** When the oldest row that goes was written; null if none goes. */
  get oldest(): Date | null {
    return this.#oldest === null ? null : new Date(this.#oldest);
  }

  /** Begins the sum of a table, which may have no rows. */
  begin(table: string): void {
    this.#sums.set(table, new TableTally());
    if (table === "attachments") this.#takeAlong();
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

  #leave(table: string, row: Row, subject: string, line: string): void {
    this.counts[table] = (this.counts[table] ?? 0) + 1;
    this.#find(table, subject);
    const written = Date.parse(String(row.created_at));
    if (Number.isFinite(written)) this.#oldest = Math.min(this.#oldest ?? written, written);
    addAll(this.#named.gone, namedFiles(table, row, line));
    // The file that a subject came in holds its words.
    const original = this.#originals.get(String(row.import_id));
    if (original !== undefined) this.#named.gone.add(original);
    if (table === "attachments") this.#attachments.push(String(row.attachment_id));
  }

  #stay(table: string, row: Row, line: string): void {
    addAll(this.#named.staying, namedFiles(table, row, line));
    const root = this.#rootOf(table, row);
    if (root === null) return;
    for (const [, id = ""] of line.matchAll(IDENTIFIERS)) {
      if (this.#subjects.has(id)) this.#refer(table, root, id);
    }
  }

  /** Also of rows that stay, but say less. */
  #find(table: string, subjectId: string | null): void {
    if (subjectId !== null) this.found.set(`${table} ${subjectId}`, { table, subjectId });
  }

  #refer(table: string, recordId: string, subjectId: string): void {
    const moduleCode = this.#modules.get(recordId) ?? goingRows(table)?.module;
    if (moduleCode === undefined) return;
    const key = `${moduleCode} ${recordId} ${subjectId}`;
    this.#references.set(key, { moduleCode, recordId, subjectId });
  }

  /** The root that a row belongs to; null if it belongs to none. */
  #rootOf(table: string, row: Row): string | null {
    const { belongsTo = {}, own: [own = ""] = [], module } = goingRows(table) ?? {};
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

  /** Attachments that only erased roots name go along. */
  #takeAlong(): void {
    for (const id of this.#named.gone) {
      if (!this.#named.staying.has(id)) this.gone.add(this.#owner, { kind: "ATTACHMENT", id });
    }
  }

  #countObject({ owner_id, sha256, size }: Row, isGone: boolean): void {
    const key = `${owner_id}/${sha256}`;
    if (isGone) this.#objects.gone.set(key, Number(size));
    else this.#objects.staying.add(key);
  }
}

/** Shows a survey all rows of a snapshot. */
export async function surveyTables(
  sql: Sql,
  survey: Survey,
  report: (progress: string) => void,
): Promise<void> {
  for (const table of BACKED_UP_TABLES) {
    survey.begin(table.name);
    for await (const lines of readRows(sql, table, null)) {
      for (const line of lines) survey.add(table.name, line);
    }
    report(`${table.name}: read`);
  }
}

const SEALED: ReadonlySet<string> = new Set(
  BACKED_UP_TABLES.filter((table) => table.isSealed).map(({ name }) => name),
);

/** A row, an entry of a trail as a backup has it after all entries were sealed. */
export function sealedLine(table: string, line: string): string {
  if (!SEALED.has(table)) return line;
  return line.replace(/(?<=,)"transaction_id":0(?=[,}])/, '"transaction_id":null');
}

function ownerOf(table: string, row: Row): unknown {
  const rule = goingRows(table);
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

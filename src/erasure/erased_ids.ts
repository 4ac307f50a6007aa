import { type ErasableRows, erasableRows, type Space } from "./rules.ts";

/** The values of a row by column. */
export type Row = Readonly<Record<string, unknown>>;

/** The kinds of subjects that an operator can name. */
export const SUBJECT_KINDS = [
  "RECORD",
  "PERSON",
  "MEMORY",
  "DRAFT",
  "ATTACHMENT",
  "ACCOUNT",
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
  /** Null for an attachment and for an account. */
  readonly moduleCode: string | null;
}

const SPACES: Readonly<Record<Exclude<SubjectKind, "ACCOUNT">, Space>> = {
  RECORD: "root",
  PERSON: "root",
  MEMORY: "root",
  DRAFT: "draft",
  ATTACHMENT: "attachment",
};

/**
 * The erased identifiers, each with the subject that it is erased with. Expects rows in the order
 * of a backup: those that others belong to first.
 */
export class ErasedIds {
  readonly #accounts = new Set<string>();
  readonly #subjects = new Map<string, string>();

  add(owner: string, { kind, id }: Pick<Subject, "kind" | "id">): void {
    if (kind === "ACCOUNT") this.#accounts.add(id);
    else this.#subjects.set(keyOf(owner, SPACES[kind], id), id);
  }

  get isEmpty(): boolean {
    return this.#accounts.size === 0 && this.#subjects.size === 0;
  }

  hasAccount(account: string): boolean {
    return this.#accounts.has(account);
  }

  /**
   * Returns the subject that a row is erased with, or null for a retained row. Remembers the
   * identifier of an erased row, for the rows that belong to it.
   */
  subjectOf(table: string, row: Row): string | null {
    const rule = erasableRows(table);
    if (rule === null) return null;
    const owner = String(row[rule.account]);
    const subject = this.#accounts.has(owner)
      ? owner
      : this.#findAny(owner, rule.belongsTo, row) ?? this.#findListed(owner, rule.lists, row);
    if (subject === null || rule.own === undefined) return subject;
    const [column, space] = rule.own;
    this.#subjects.set(keyOf(owner, space, String(row[column])), subject);
    return subject;
  }

  /** The subject that an item of an import is erased with, or null. */
  findItem(owner: string, key: string): string | null {
    return this.#subjects.get(keyOf(owner, "key", key)) ?? null;
  }

  /** The subject that an owner's identifier of any kind is erased with, or null. */
  find(owner: string, id: string): string | null {
    for (const space of ["root", "draft", "attachment", "part"] as const) {
      const subject = this.#subjects.get(keyOf(owner, space, id));
      if (subject !== undefined) return subject;
    }
    return null;
  }

  #findListed(owner: string, lists: ErasableRows["lists"], row: Row): string | null {
    if (lists === undefined || (row[lists.without] ?? null) !== null) return null;
    const ids = listOf(row[lists.column] ?? null);
    return ids.flatMap((id) => this.#subjects.get(keyOf(owner, "root", String(id))) ?? [])[0] ??
      null;
  }

  #findAny(
    owner: string,
    belongsTo: Readonly<Record<string, Space>> = {},
    row: Row,
  ): string | null {
    for (const [column, space] of Object.entries(belongsTo)) {
      const id = String(row[column]);
      const subject = space === "any"
        ? this.find(owner, id)
        : this.#subjects.get(keyOf(owner, space, id)) ?? null;
      if (subject !== null) return subject;
    }
    return null;
  }
}

/** A list, or its text in a backup; empty for null. */
function listOf(value: unknown): readonly unknown[] {
  const list = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : [];
}

function keyOf(owner: string, space: Space, id: string): string {
  return `${space} ${owner} ${id}`;
}

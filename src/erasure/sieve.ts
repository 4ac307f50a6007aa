/** Leaves out, line by line, what is gone. Lines are rows in the form of a backup. */

import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import type { Gone, Row } from "./gone.ts";

/** The form of an idempotency key's envelope after its subject was erased. */
export function erasedEnvelope(subjectId: string): string {
  return JSON.stringify({ v: 1, recordId: subjectId });
}

export class Sieve {
  readonly #gone: Gone;
  /** Bytes of the attachments that were left out, by owner. */
  readonly #bytes = new Map<string, number>();
  readonly #objects = new Set<string>();

  constructor(gone: Gone) {
    this.#gone = gone;
  }

  /** The line as it comes over; null if it is left out. */
  pass(table: string, line: string): string | null {
    const row: Row = JSON.parse(line);
    const isGone = this.#gone.subjectOf(table, row) !== null;
    switch (table) {
      case "idempotency_envelopes":
        return isGone ? null : this.#passEnvelope(line, row);
      case "attachments":
        this.#countAttachment(row, isGone);
        break;
      case "attachment_usage":
        return isGone ? null : this.#passUsage(line, row);
      case "imports":
        return isGone ? null : this.#passImport(line, row);
    }
    return isGone ? null : line;
  }

  /** True if an attachment that stays has these bytes. */
  keepsObject(owner: string, sha256: string): boolean {
    return this.#objects.has(`${owner}/${sha256}`);
  }

  #passEnvelope(line: string, row: Row): string {
    const subject = subjectOfEnvelope(this.#gone, row);
    return subject === null ? line : JSON.stringify({ ...row, envelope: erasedEnvelope(subject) });
  }

  #passImport(line: string, row: Row): string {
    const { mapping, subject } = mappingWithout(this.#gone, row);
    return subject === null ? line : JSON.stringify({ ...row, mapping: JSON.stringify(mapping) });
  }

  #countAttachment({ owner_id, sha256, size }: Row, isGone: boolean): void {
    const owner = String(owner_id);
    if (!isGone) this.#objects.add(`${owner}/${String(sha256).replace("\\x", "")}`);
    else this.#bytes.set(owner, (this.#bytes.get(owner) ?? 0) + Number(size));
  }

  #passUsage(line: string, row: Row): string {
    const bytes = this.#bytes.get(String(row.owner_id)) ?? 0;
    return bytes === 0 ? line : JSON.stringify({ ...row, bytes: Number(row.bytes) - bytes });
  }
}

/**
 * An import's mapping without the answers about possible duplicates that name something erased.
 *
 * @param row A row of `imports`, whose mapping may be text, as a backup has it.
 * @returns The subject that an answer names; null if all of them stay.
 */
export function mappingWithout(
  gone: Gone,
  row: Row,
): { readonly mapping: JsonObject; readonly subject: string | null } {
  const owner = String(row.owner_id);
  const stored = typeof row.mapping === "string" ? JSON.parse(row.mapping) : row.mapping;
  const mapping: JsonObject = isJsonObject(stored ?? null) ? stored : {};
  const answers: JsonValue = mapping.duplicates ?? {};
  if (!isJsonObject(answers)) return { mapping, subject: null };
  const subjectOf = ([key, answer]: readonly [string, JsonValue]) =>
    gone.findItem(owner, key) ?? gone.find(owner, String(answer).replace(/^join:/, ""));
  const entries = Object.entries(answers);
  const subject = entries.flatMap((entry) => subjectOf(entry) ?? [])[0] ?? null;
  const staying = entries.filter((entry) => subjectOf(entry) === null);
  return { mapping: { ...mapping, duplicates: Object.fromEntries(staying) }, subject };
}

/** The erased subject that an envelope still tells more about than its identifier; null for none. */
export function subjectOfEnvelope(gone: Gone, row: Row): string | null {
  const owner = String(row.owner_id);
  const { policy, recordId, executionId } = JSON.parse(String(row.envelope));
  if (policy === undefined) return null;
  for (const id of [recordId, executionId, row.target]) {
    const subject = typeof id === "string" ? gone.find(owner, id) : null;
    if (subject !== null) return subject;
  }
  return null;
}

/** Excludes erased rows. Lines are rows in the form of a backup. */

import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import type { ErasedIds, Row } from "./erased_ids.ts";

/** The form of an idempotency key's envelope after its subject was erased. */
function erasedEnvelope(subjectId: string): string {
  return JSON.stringify({ v: 1, recordId: subjectId });
}

export class ErasureFilter {
  readonly #erased: ErasedIds;
  /** Bytes of the excluded attachments, by owner. */
  readonly #bytes = new Map<string, number>();
  readonly #objects = new Set<string>();

  constructor(erased: ErasedIds) {
    this.#erased = erased;
  }

  /** Returns the line without erased parts, or null if it is excluded. */
  apply(table: string, line: string): string | null {
    const row: Row = JSON.parse(line);
    const isErased = this.#erased.subjectOf(table, row) !== null;
    switch (table) {
      case "idempotency_envelopes":
        return isErased ? null : this.#filterEnvelope(line, row);
      case "attachments":
        this.#countAttachment(row, isErased);
        break;
      case "attachment_usage":
        return isErased ? null : this.#filterUsage(line, row);
      case "imports":
        return isErased ? null : this.#filterImport(line, row);
    }
    return isErased ? null : line;
  }

  /** True if a retained attachment has these bytes. */
  retainsObject(owner: string, sha256: string): boolean {
    return this.#objects.has(`${owner}/${sha256}`);
  }

  #filterEnvelope(line: string, row: Row): string {
    const subject = subjectOfEnvelope(this.#erased, row);
    return subject === null ? line : JSON.stringify({ ...row, envelope: erasedEnvelope(subject) });
  }

  #filterImport(line: string, row: Row): string {
    const { mapping, subject } = mappingWithout(this.#erased, row);
    return subject === null ? line : JSON.stringify({ ...row, mapping: JSON.stringify(mapping) });
  }

  #countAttachment({ owner_id, sha256, size }: Row, isErased: boolean): void {
    const owner = String(owner_id);
    if (!isErased) this.#objects.add(`${owner}/${String(sha256).replace("\\x", "")}`);
    else this.#bytes.set(owner, (this.#bytes.get(owner) ?? 0) + Number(size));
  }

  #filterUsage(line: string, row: Row): string {
    const bytes = this.#bytes.get(String(row.owner_id)) ?? 0;
    return bytes === 0 ? line : JSON.stringify({ ...row, bytes: Number(row.bytes) - bytes });
  }
}

/**
 * Returns an import's mapping without the answers about possible duplicates that name something
 * erased.
 *
 * @param row A row of `imports`; in a backup its mapping is text.
 * @returns also the subject that an answer names, or null if all answers are retained.
 */
export function mappingWithout(
  erased: ErasedIds,
  row: Row,
): { readonly mapping: JsonObject; readonly subject: string | null } {
  const owner = String(row.owner_id);
  const stored = typeof row.mapping === "string" ? JSON.parse(row.mapping) : row.mapping;
  const mapping: JsonObject = isJsonObject(stored ?? null) ? stored : {};
  const answers: JsonValue = mapping.duplicates ?? {};
  if (!isJsonObject(answers)) return { mapping, subject: null };
  const subjectOf = ([key, answer]: readonly [string, JsonValue]) =>
    erased.findItem(owner, key) ?? erased.find(owner, String(answer).replace(/^join:/, ""));
  const entries = Object.entries(answers);
  const subject = entries.flatMap((entry) => subjectOf(entry) ?? [])[0] ?? null;
  const retained = entries.filter((entry) => subjectOf(entry) === null);
  return { mapping: { ...mapping, duplicates: Object.fromEntries(retained) }, subject };
}

/** The erased subject of an envelope that has more than its identifier, or null. */
export function subjectOfEnvelope(erased: ErasedIds, row: Row): string | null {
  const owner = String(row.owner_id);
  const { policy, recordId, executionId } = JSON.parse(String(row.envelope));
  if (policy === undefined) return null;
  for (const id of [recordId, executionId, row.target]) {
    const subject = typeof id === "string" ? erased.find(owner, id) : null;
    if (subject !== null) return subject;
  }
  return null;
}

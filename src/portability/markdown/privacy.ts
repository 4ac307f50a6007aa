/** Finds which entries are SECRET or have ended, by their controls. */

import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import type { LineType } from "../description.ts";
import { DRAFT_LINES, MEMORY_LINES } from "../lines/memory.ts";
import {
  CONTACT_CONTROL_LINES,
  CONTACT_LINES,
  DETAIL_CONTROL_ROWS,
  DETAIL_LINES,
  EVALUATION_LINES,
  EVIDENCE_CONTROL_LINES,
  EVIDENCE_LINES,
} from "../lines/relationship.ts";
import { readRows } from "./rows.ts";

/** Combined effect of an entry's controls. */
type Controls = Readonly<Partial<Record<"state" | "supersededBy" | "privacy", JsonValue>>>;

export class EntryStates {
  readonly #controls: ReadonlyMap<JsonValue, Controls>;
  readonly #secretMemories = new Set<JsonValue>();

  private constructor(controls: ReadonlyMap<JsonValue, Controls>) {
    this.#controls = controls;
  }

  static async read(sql: Sql, owner: string): Promise<EntryStates> {
    const controls = new Map<JsonValue, Controls>();
    for await (
      const { contactId = null, kind = null } of readRows(sql, owner, CONTACT_CONTROL_LINES)
    ) {
      controls.set(contactId, { state: kind });
    }
    for (const type of [EVIDENCE_CONTROL_LINES, DETAIL_CONTROL_ROWS]) {
      for await (const row of readRows(sql, owner, type)) {
        const { kind = null, supersededBy = null, privacy = null } = row;
        const entryId = row.evidenceId ?? row.detailId ?? null;
        const before = controls.get(entryId);
        const more = kind === "PRIVACY_RECLASSIFIED"
          ? { privacy: higher(privacy, before?.privacy) }
          : { state: kind, supersededBy };
        controls.set(entryId, { ...before, ...more });
      }
    }
    return new EntryStates(controls);
  }

  /** Members that controls add to a row. */
  membersOf({ type }: LineType, row: JsonObject): [name: string, value: JsonValue][] {
    const { state = null, supersededBy = null } = this.#controlsOf(type, row) ?? {};
    const members: [string, JsonValue][] = [["state", state], ["supersededBy", supersededBy]];
    if (type === EVIDENCE_LINES.type || type === DETAIL_LINES.type) {
      members.push(["effectivePrivacy", this.#privacyOf(type, row)]);
    }
    return members;
  }

  /**
   * True if reading the row requires the right to read secrets. Call it for memories before drafts.
   */
  isSecret({ type }: LineType, row: JsonObject): boolean {
    const isSecret = this.#privacyOf(type, row) === "SECRET";
    if (type === MEMORY_LINES.type && isSecret) this.#secretMemories.add(row.memoryId ?? null);
    if (type !== DRAFT_LINES.type) return isSecret;
    const { memoryId = null, committedMemoryId = null } = row;
    return isSecret || [memoryId, committedMemoryId].some((id) => this.#secretMemories.has(id));
  }

  #privacyOf(type: string, row: JsonObject): JsonValue {
    // An evaluation may be based on SECRET evidence.
    if (type === EVALUATION_LINES.type) return "SECRET";
    if (type === DRAFT_LINES.type) return (row.content as JsonObject).privacyLevel ?? null;
    const own = row.privacyLevel ?? row.privacy ?? null;
    return higher(own, this.#controlsOf(type, row)?.privacy);
  }

  #controlsOf(type: string, row: JsonObject): Controls | undefined {
    if (type === CONTACT_LINES.type) return this.#controls.get(row.contactId ?? null);
    if (type === DETAIL_LINES.type) return this.#controls.get(row.detailId ?? null);
    return type === EVIDENCE_LINES.type ? this.#controls.get(row.evidenceId ?? null) : undefined;
  }
}

/** Returns the higher level, whose name is the later one in alphabetical order. */
function higher(one: JsonValue, other: JsonValue | undefined): JsonValue {
  return other === undefined || other === null || String(one) > String(other) ? one : other;
}

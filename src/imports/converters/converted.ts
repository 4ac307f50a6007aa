/** Items of another product's file. Each converter is an async generator over its bytes. No SQL, no HTTP. */

import type { JsonObject } from "../../core/json.ts";

/** Counts content that no item shows, by name. */
export class UnmappedCounts {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Sorted by name. */
  list(): { readonly name: string; readonly count: number }[] {
    return Array.from(this.#counts, ([name, count]) => ({ name, count }))
      .sort((one, other) => one.name < other.name ? -1 : 1);
  }
}

/** Named by items as `attachment:<name>`. */
export interface ConvertedFile {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** A link to another item's person. */
export interface ConvertedLink {
  /** Possible keys of the other item, in order of preference. */
  readonly keys: readonly string[];
  /** Returns a `LINK` with `personId`, or with the name if the person is unknown. */
  readonly detail: { readonly label?: string; readonly preferred?: boolean };
  readonly relation: string;
  readonly name: string;
  /** Number of details before it. */
  readonly at: number;
}

/** An item in the general form of imports, with everything needed to write it. */
export interface ConvertedItem {
  /** From 1. */
  readonly place: number;
  readonly key: string;
  readonly target: "person" | "community" | "commitment" | "timeline" | "memory";
  readonly title: string;
  readonly payload: JsonObject;
  readonly recordedAt?: string;
  readonly tags: readonly string[];
  /** Names of referenced files; `files` has those inside its own text. */
  readonly attachments: readonly string[];
  readonly files: readonly ConvertedFile[];
  /** Distinct names of content that the item does not show. */
  readonly unmapped: readonly string[];
  /** Emails and numbers in compared form: `email:ana@example.org`, `tel:493012345`. */
  readonly compared: readonly string[];
  /** True if the key identifies the person, so equal numbers do not matter. */
  readonly isIdentified: boolean;
  readonly links: readonly ConvertedLink[];
  /** Possible keys of each member. */
  readonly members: readonly (readonly string[])[];
}

export type Converted =
  | { readonly item: ConvertedItem }
  | {
    readonly refused: { readonly place: number; readonly key: string; readonly rules: string[] };
  };

/** The file has another format or cannot be read; nothing of it is imported. */
export class ConversionError extends Error {
  override readonly name = "ConversionError";
  /** For example `import.format`. */
  readonly rule: string;
  /** Number of the line, card or entry. */
  readonly place: number;

  constructor(rule: string, place: number) {
    super(`The file is refused: ${rule}`);
    this.rule = rule;
    this.place = place;
  }
}

/** In compared form; null if it is too short to compare. */
export function comparedEmail(value: string): string {
  return `email:${value.trim().toLowerCase()}`;
}

/** Digits only; null for fewer than six. */
export function comparedNumber(value: string): string | null {
  const digits = value.replaceAll(/\D/g, "");
  return digits.length < 6 ? null : `tel:${digits}`;
}

/** Distinct emails and numbers in compared form. */
export function comparedForms(details: readonly JsonObject[]): string[] {
  const forms = details.flatMap(({ kind, value }) => {
    const text = String((value as JsonObject).value ?? "");
    if (kind === "EMAIL") return [comparedEmail(text)];
    return kind === "PHONE" ? comparedNumber(text) ?? [] : [];
  });
  return [...new Set(forms)];
}

/** Lines of a vCard (RFC 6350, RFC 2426). No SQL, no HTTP. */

export const VCARD_VERSIONS = ["4.0", "3.0"] as const;
export type VcardVersion = (typeof VCARD_VERSIONS)[number];

export interface CardDetail {
  readonly value: Readonly<Record<string, unknown>>;
  readonly label: string | null;
  readonly preferred: boolean;
}

export interface VcardLine {
  readonly name: string;
  /** A value is a word or a list of words. */
  readonly parameters?: readonly (readonly [name: string, value: string])[];
  /** Escaped. */
  readonly value: string;
  /** The `X-ABLabel` of its group; null without a group. */
  readonly label: string | null;
}

/** The parameter of a preferred line; empty for other lines. */
export function preference(
  preferred: boolean,
  version: VcardVersion,
): readonly (readonly [name: string, value: string])[] {
  if (!preferred) return [];
  return [version === "4.0" ? ["PREF", "1"] : ["TYPE", "pref"]];
}

/** Not folded. */
export function toContentLine({ name, parameters = [], value }: VcardLine): string {
  const stated = parameters.map(([name, value]) => `;${name}=${value}`).join("");
  return `${name}${stated}:${value}`;
}

/**
 * True for a line of the property, with or without a group. Only the first 64 characters of its
 * name count.
 */
export function isContentLineOf(property: string, line: string): boolean {
  const [, name = ""] = CONTENT_LINE.exec(line) ?? [];
  return name.slice(0, 64).toUpperCase() === property.toUpperCase();
}

const CONTENT_LINE =
  /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)(?:;[A-Za-z0-9-]+(?:=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)?)*:/;

/** In lower case; null without a group. */
export function groupOf(line: string): string | null {
  return /^([A-Za-z0-9-]+)\./.exec(line)?.[1]?.toLowerCase() ?? null;
}

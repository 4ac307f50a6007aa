/** Lines of a vCard (RFC 6350, RFC 2426). No SQL, no HTTP. */

export const VCARD_VERSIONS = ["4.0", "3.0"] as const;
export type VcardVersion = (typeof VCARD_VERSIONS)[number];

export interface CardDetail {
  readonly value: Readonly<Record<string, unknown>>;
  readonly label: string | null;
  readonly preferred: boolean;
}

/** Octets, without the line end. */
const MAX_LINE_OCTETS = 75;

const ENCODER = new TextEncoder();

/**
 * Escapes backslash, comma, semicolon and line feed. Addresses are escaped too, because some readers end
 * them at a comma.
 */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\,;]/g, "\\$&").replaceAll("\n", "\\n");
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

/** Not folded. */
export function toContentLine({ name, parameters = [], value }: VcardLine): string {
  const stated = parameters.map(([name, value]) => `;${name}=${value}`).join("");
  return `${name}${stated}:${value}`;
}

/** Folds between code points at 75 octets, and adds the line end. */
export function foldLine(line: string): string {
  if (line.length * 3 <= MAX_LINE_OCTETS) return `${line}\r\n`;
  const bytes = ENCODER.encode(line);
  let [folded, start] = ["", 0];
  // The leading space counts.
  for (let room = MAX_LINE_OCTETS; start < bytes.length; room = MAX_LINE_OCTETS - 1) {
    let end = Math.min(start + room, bytes.length);
    while (end < bytes.length && isContinuation(bytes[end])) end--;
    folded += `${start === 0 ? "" : " "}${DECODER.decode(bytes.subarray(start, end))}\r\n`;
    start = end;
  }
  return folded;
}

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Accepts a group. */
export function isContentLineOf(property: string, line: string): boolean {
  const [, name = ""] = CONTENT_LINE.exec(line) ?? [];
  return name.toUpperCase() === property.toUpperCase();
}

const CONTENT_LINE =
  /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)(?:;[A-Za-z0-9-]+(?:=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)?)*:/;

/** In lower case; null without a group. */
export function groupOf(line: string): string | null {
  return /^([A-Za-z0-9-]+)\./.exec(line)?.[1]?.toLowerCase() ?? null;
}

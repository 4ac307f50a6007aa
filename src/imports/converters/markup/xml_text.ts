/** Characters and references of XML texts. */

/** Removes control characters except tab and line feed; line ends become line feeds. */
export function cleanXml(text: string): string {
  const lines = text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
  return REMOVED.test(lines) ? lines.replaceAll(ALL_REMOVED, "") : lines;
}

// deno-lint-ignore no-control-regex
const REMOVED = /[\x00-\x08\x0b\x0c\x0e-\x1f]/;
const ALL_REMOVED = new RegExp(REMOVED, "g");

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Maximum characters of a reference; further zeros have no meaning. */
export const MAX_REFERENCE = 64;

/**
 * Decodes the five predefined entities and character references. References to control characters
 * are removed. Those to both halves of a surrogate pair become one character; half a pair stays.
 *
 * @param other Called with the offset of any other `&`, which its result replaces.
 */
export function decodeReferences(text: string, other: (offset: number) => string): string {
  let decoded = "";
  let from = 0;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", from)) {
    const length = text.slice(at, at + MAX_REFERENCE).indexOf(";") + 1;
    const character = length === 0 ? null : characterOf(text.slice(at + 1, at + length - 1));
    decoded += text.slice(from, at) + (character ?? other(at));
    from = at + (character === null ? 1 : length);
  }
  return decoded + text.slice(from);
}

function characterOf(name: string): string | null {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? [];
  if (hexadecimal === undefined && decimal === undefined) return NAMED.get(name) ?? null;
  const code = hexadecimal === undefined ? Number(decimal) : parseInt(hexadecimal, 16);
  if (code > 0x10ffff) return null;
  const character = String.fromCodePoint(code);
  return REMOVED.test(character) ? "" : character;
}

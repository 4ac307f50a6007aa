/** The sign of an item of a Joplin export, by which it differs from a note. */

/** The path of an item. Its base name is an identifier. */
export const JOPLIN_NAME: RegExp = /(?:^|\/)[0-9a-f]{32}\.md$/i;

/** True if the last line that is not blank states the type of an item. */
export function isJoplinItem(text: string): boolean {
  const end = text.trimEnd();
  return /^type_: \d+$/.test(end.slice(Math.max(end.lastIndexOf("\n"), end.lastIndexOf("\r")) + 1));
}

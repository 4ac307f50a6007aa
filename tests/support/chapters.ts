/** Reads chapters, for comparison with the source. */

import { assert } from "@std/assert";

const PROJECT = new URL("../..", import.meta.url).pathname;

/** Reads a path from the project's root. */
export function chapter(path: string): string {
  return Deno.readTextFileSync(`${PROJECT}/${path}`);
}

/** Up to the next heading of its level or above. */
export function section(path: string, heading: string): string {
  const text = chapter(path);
  const [, level = ""] = new RegExp(`^(#+) ${heading}$`, "m").exec(text) ?? [];
  assert(level !== "", `${path} has no heading "${heading}"`);
  const [, rest = ""] = text.split(`\n${level} ${heading}\n`);
  return rest.split(new RegExp(`^#{1,${level.length}} `, "m"))[0] ?? "";
}

/** The first table, without its head. */
export function table(text: string): string[][] {
  const [, first = ""] = /((?:^\|.*\n)+)/m.exec(text) ?? [];
  const rows = first.trimEnd().split("\n").slice(2);
  return rows.map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

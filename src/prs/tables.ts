/** Answers as text for people: members in lines, lists in aligned columns. */

import { printable } from "./terminal.ts";

/** An object of an answer, with at most one level of objects below. */
export type Item = Readonly<Record<string, unknown>>;

/** Long texts, which are the last columns. */
const LAST_COLUMNS: readonly string[] = ["title", "personName"];

/** Returns a line for each member, and a table for each list of objects. */
export function linesOf(data: object): string[] {
  const members = Object.entries(data);
  const isTable = ([, value]: [string, unknown]) => Array.isArray(value) && value.length > 0;
  return [
    ...members.filter((member) => !isTable(member)).map(([name, value]) =>
      `${name}: ${summary(value)}`
    ),
    ...members.filter(isTable).flatMap(([name, items]) => ["", `${name}:`, ...tableOf(items)]),
  ];
}

/** Returns aligned lines, the first one with the names of the members; none without an item. */
export function tableOf(items: readonly Item[]): string[] {
  const names = Object.keys(items[0] ?? {});
  if (names.length === 0) return [];
  const last = names.filter((name) => LAST_COLUMNS.includes(name));
  const columns = [...names.filter((name) => !last.includes(name)), ...last];
  const rows = [columns, ...items.map((item) => columns.map((name) => cell(item[name])))];
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length))
  );
  return rows.map((row) =>
    row.map((text, column) => text.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  );
}

/** A member of an answer, whose own members are named. */
function summary(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return cell(value);
  return Object.entries(value).map(([name, each]) => `${name} ${cell(each)}`).join(", ");
}

/** A value in a line: a list as its items, an object as the values of its members. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.map(cell).join(", ") || "-";
  if (typeof value === "object") return Object.values(value).map(cell).join(" ");
  return printable(String(value));
}

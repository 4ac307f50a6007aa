/** Thousands of things that are due, written past the application. */

import { idsSql, insertMany } from "./many_rows.ts";
import { newRoot, revisionOf, type Row } from "./rows.ts";

const KINDS = [
  ["commitment", "dueAt", { completionStatus: "OPEN" }],
  ["action", "targetDate", { actionStatus: "ACTIVE" }],
  ["routine", "nextDueAt", { active: true }],
] as const;

/**
 * So many open records of each of three modules, a minute apart from `first` on, and as many that
 * are done.
 */
export function insertManyDue(owner: string, count: number, first: string): string {
  return KINDS.flatMap(([module, field, state], index) =>
    [true, false].map((isOpen, half) => {
      const beginning = `01KD${index}${half}`;
      const due = `to_char(timestamptz '${first}' + i * interval '1 minute',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
      const payload = `json_build_object('${field}', ${due}${
        Object.entries(isOpen ? state : {}).map(([name, value]) =>
          `, '${name}', ${typeof value === "string" ? `'${value}'` : value}`
        ).join("")
      })`;
      const root: Row = newRoot(owner, { module_code: module });
      const numbered = {
        record_id: idsSql(beginning),
        revision_id: idsSql(`${beginning}R`),
        payload,
      };
      return insertMany("records", root, count, numbered) +
        insertMany("record_revisions", revisionOf(root), count, numbered);
    })
  ).join("\n");
}

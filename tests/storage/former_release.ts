/** Records as release 2.0.0 writes them, which during a rollout still runs on this schema. */

import { isRow, literal, revisionOf, type Row } from "./rows.ts";

/** The statement that creates a record or writes its next revision, with its words by rule 1. */
export function formerStatement(root: Row): string {
  const code = String(root.owner_id).slice(-6);
  const words = String(root.title).toLowerCase().split(" ").map((word) => code + word).join(" ");
  const revision = revisionOf(root);
  const isNew = root.revision === 1;
  return `
    with record_root as (${isNew ? creation(root) : step(root)} returning *),
    record_revision as (
      insert into record_revisions (${Object.keys(revision).join(", ")})
      select ${Object.values(revision).map(literal).join(", ")} from record_root
    ),
    indexed as (
      insert into search_index (owner_id, record_id, rule, words)
      select owner_id, record_id, 1, array_to_tsvector(string_to_array('${words}', ' '))
        from record_root ${isNew ? "" : REPLACING}
    )
    select 1;`;
}

const REPLACING = `
  on conflict (owner_id, record_id) do update set rule = excluded.rule, words = excluded.words
    where (search_index.rule, search_index.words) <> (excluded.rule, excluded.words)`;

function creation(root: Row): string {
  const values = Object.values(root).map(literal).join(", ");
  return `insert into records (${Object.keys(root).join(", ")}) values (${values})`;
}

const CHANGED = "revision revision_id updated_at archived_at title summary payload".split(" ");

function step(root: Row): string {
  const assignments = CHANGED.map((column) => `${column} = ${literal(root[column] ?? null)}`);
  return `update records set ${assignments.join(", ")} where ${isRow("record_id", root)}`;
}

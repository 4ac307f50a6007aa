/** Records for imports. */

import type { CatalogModule } from "../catalog/module.ts";
import type { Query, Sql } from "../database/sql.ts";
import {
  claimed,
  type ImportTarget,
  insertRoots,
  type ItemContent,
  rootTarget,
} from "../kit/import_target.ts";
import { archived, nextRevision, restored } from "../kit/root.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { readBody } from "../validate/schema.ts";
import { manyProjectionEntries, type Projection, toProjection } from "./projection.ts";
import type { RecordRow } from "./record.ts";
import { decideCreate, type NextRecord, toIndex } from "./record_rules.ts";
import { CREATE_BODY } from "./record_schema.ts";
import { lockRecord, recordEntries } from "./record_store.ts";

export { RECORD_SUMMARY, RECORD_TITLE } from "./record.ts";

const FILE_FIELDS: Readonly<Record<string, ImportTarget["fileField"]>> = {
  capture: { name: "attachmentIds", isList: true },
  media: { name: "fileId", isList: false },
};

const TEXT_FIELDS: Readonly<Record<string, string>> = {
  knowledge: "snapshot",
  timeline: "eventDescription",
  action: "description",
  media: "description",
  commitment: "notes",
  health: "notes",
  community: "notes",
  place: "notes",
  review: "reviewSummary",
};

/** The records of generic modules. New records of all modules are one statement. */
export function recordTargets(modules: readonly CatalogModule[]): readonly ImportTarget[] {
  const byCode = new Map(modules.map((module) => [module.code, module]));
  const moduleOf = (code: string): CatalogModule => {
    const module = byCode.get(code);
    if (module === undefined) throw new Error("A record of an unknown module");
    return module;
  };
  const insert = insertRoots<RecordRow>({
    decide: ({ target, content }, now) => decide(moduleOf(target), content, now).row,
    idOf: (row) => row.record_id,
    entries: (sql, owner, records) =>
      manyProjectionEntries(
        sql,
        owner,
        records.map(({ target, row, recordedAt }) =>
          importedProjection(moduleOf(target), row, recordedAt)
        ),
      ),
  });
  return modules.map((module) => recordTarget(module, insert));
}

function recordTarget(module: CatalogModule, insert: ImportTarget["insert"]): ImportTarget {
  const target = rootTarget<RecordRow, "MODIFIED">({
    name: module.code,
    moduleCode: module.code,
    permissions: ["record.write"],
    fields: module.fields,
    fileField: FILE_FIELDS[module.code] ?? null,
    textField: TEXT_FIELDS[module.code] ?? null,
    insert,
    decide: (content, now) => decide(module, content, now).row,
    find: lockRecord,
    isArchived: (row) => row.archived_at !== null,
    revise: reviseRecord,
    archive: archived,
    restore: restored,
    write({ sql, owner }, row, change) {
      const indexed = toIndex(module, row, JSON.parse(row.payload));
      return claimed(sql, recordEntries(sql, owner, [{ row, change, indexed }]));
    },
  });
  return {
    ...target,
    check(content, now) {
      const { references } = decide(module, content, now);
      return { attachments: references.map(({ attachmentId }) => attachmentId), people: [] };
    },
  };
}

/** Another order of members is not a change; another clock is. */
function reviseRecord(row: RecordRow, { title, summary, payload, clocks }: RecordRow, now: Date) {
  const isSame = canonicalJson(JSON.parse(payload)) === canonicalJson(JSON.parse(row.payload));
  const patch = { title, summary, payload: isSame ? row.payload : payload, clocks };
  return nextRevision(row, "MODIFIED", now, patch);
}

function decide(
  module: CatalogModule,
  { title, summary, payload }: ItemContent,
  now: Date,
): NextRecord {
  return decideCreate(module, readBody(CREATE_BODY, { title, summary, payload }), now, "IMPORT");
}

function importedProjection(module: CatalogModule, row: RecordRow, recordedAt: Date): Projection {
  return toProjection(row, "CREATED", {
    recordId: row.record_id,
    module,
    sourceType: "IMPORT",
    recordedAt,
    title: row.title,
    summary: row.summary,
    payload: JSON.parse(row.payload),
    clocks: row.clocks,
  });
}

/** The newest revision of a record of any module. */
export interface RecordState {
  readonly record_id: string;
  readonly revision: number;
  readonly archived_at: Date | null;
}

export function findRecordStates(
  sql: Sql,
  owner: string,
  recordIds: readonly string[],
): Query<RecordState> {
  return sql<RecordState>`
    select r.* from unnest(string_to_array(${
    [...new Set(recordIds)].join(" ")
  }, ' ')) as wanted (record_id)
     cross join lateral (
       select r.record_id, r.revision, r.archived_at from records r
        where r.owner_id = ${owner} and r.record_id = wanted.record_id offset 0) r`;
}

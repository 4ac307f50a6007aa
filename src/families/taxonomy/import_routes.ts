/** TAX-008: imports of terms, in one transaction. */

import {
  type Command,
  commandOf,
  type CommandResult,
  type PlannedWrite,
} from "../../command/command.ts";
import { newId } from "../../core/ids.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { entryStatement, type FamilyServices } from "../../kit/write.ts";
import { bodyOf } from "../../http/contract.ts";
import { ok, replying } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { executionEntry, type ExecutionRow, findExecution } from "../../records/port.ts";
import { component, COUNT, type JsonSchema, ULID } from "../../validate/json_schema.ts";
import { readBody, refuseQuery } from "../../validate/schema.ts";
import {
  checkFile,
  type ImportPlan,
  namesInFile,
  planImport,
  type PresentCategory,
  type PresentTerms,
} from "./import_rules.ts";
import { manyTermEntries } from "./many_store.ts";
import {
  FORMAT,
  TAXONOMY_IMPORT_BODY,
  type TaxonomyImportBody,
  VERSION,
} from "./taxonomy_schema.ts";
import type { TermType } from "./term.ts";

interface Imported {
  readonly executionId: string;
  readonly created: number;
  readonly skipped: number;
}

const IMPORTED_SCHEMA: JsonSchema = component<Imported>("ImportedTaxonomy", {
  executionId: ULID,
  created: COUNT,
  skipped: COUNT,
});

export function createImportEndpoint(services: FamilyServices): Endpoint {
  return endpoint({
    contract: {
      summary: "Import the tags and categories of a file, all or none of them",
      body: bodyOf(TAXONOMY_IMPORT_BODY, {
        format: FORMAT,
        version: VERSION,
        conflictMode: "SKIP",
        terms: [
          { kind: "CATEGORY", name: "Travel", aliases: [], active: true },
          { kind: "CATEGORY", name: "By train", parent: "Travel", aliases: [], active: true },
        ],
      }),
      responses: { 200: { data: IMPORTED_SCHEMA } },
      errors: [
        "TAXONOMY_STATE_CONFLICT",
        "TAXONOMY_CATEGORY_PARENT_INVALID",
        "TAXONOMY_CATEGORY_CYCLE",
        "TAXONOMY_CATEGORY_DEPTH_EXCEEDED",
        "TAXONOMY_CATEGORY_NAME_CONFLICT",
        "TAXONOMY_TAG_NAME_CONFLICT",
      ],
    },
    body: "json",
    parse: ({ query }) => refuseQuery(query),
    async handle(call) {
      const body = readBody(TAXONOMY_IMPORT_BODY, call.body);
      checkFile(body);
      const options = { module: "taxonomy", policy: "taxonomy-import", target: "" };
      const { result, replayed } = await importFile(services, commandOf(call, options), body);
      return replying(ok(result), replayed);
    },
  });
}

async function importFile(
  { commands, database }: FamilyServices,
  command: Command,
  body: TaxonomyImportBody,
): Promise<CommandResult<Imported>> {
  const { now, caller: { account: { accountId: owner } } } = command;
  return await commands.run<object, Imported, PresentTerms>(command, {
    check: () => {},
    lock: (sql) => lockTaxonomy(sql, owner),
    related: (sql) => readPresent(sql, owner, body),
    decide: (_locked, present) => importing(owner, body, planImport(body, present, now), now),
    async replay({ executionId = "" }) {
      const [row] = await database.read((sql) => findExecution(sql, owner, executionId));
      if (row === undefined) throw new Error("An envelope names an import that does not exist");
      return toImported(row);
    },
  });
}

/** Locks the owner's tree, then all names, so that later reads stay valid. */
function lockTaxonomy(sql: Sql, owner: string): Query<object> {
  return sql`
    select pg_advisory_xact_lock(taxonomy_tree_lock(${owner})) is not null as has_tree,
           pg_advisory_xact_lock(taxonomy_names_lock(${owner}, 'CATEGORY')) is not null
             as has_categories,
           pg_advisory_xact_lock(taxonomy_names_lock(${owner}, 'TAG')) is not null as has_tags`;
}

async function readPresent(
  sql: Sql,
  owner: string,
  body: TaxonomyImportBody,
): Promise<PresentTerms> {
  const [taken, categories] = await Promise.all([
    sql<{ kind: TermType; compared: string; term_id: string }>`
      select taken.kind, taken.compared, taken.term_id
        from json_to_recordset(${JSON.stringify(namesInFile(body))}::text::json) as wanted (
               kind text, compared text)
             cross join lateral (
               select n.kind, n.compared, n.term_id from taxonomy_names n
                where n.owner_id = ${owner} and n.kind = wanted.kind
                  and n.compared = wanted.compared) taken`,
    sql<PresentCategory>`
      select term_id, parent_id, deactivated_at from taxonomy_terms
       where owner_id = ${owner} and kind = 'CATEGORY'`,
  ]);
  const namesOf = (wanted: TermType) =>
    new Map(
      taken.filter(({ kind }) => kind === wanted).map((each) => [each.compared, each.term_id]),
    );
  return { names: { TAG: namesOf("TAG"), CATEGORY: namesOf("CATEGORY") }, categories };
}

function importing(
  owner: string,
  { conflictMode }: TaxonomyImportBody,
  { created, skipped }: ImportPlan,
  now: Date,
): PlannedWrite<Imported> {
  const output = {
    format: FORMAT,
    version: VERSION,
    conflictMode,
    created: created.length,
    skipped,
  };
  const execution: ExecutionRow = {
    execution_id: newId(now),
    record_id: null,
    module_code: "taxonomy",
    feature_id: "TAX-008",
    strategy: "export",
    revision: null,
    status: "SUCCEEDED",
    output: JSON.stringify(output),
    created_at: now,
  };
  return {
    subjectId: execution.execution_id,
    revision: null,
    executionId: execution.execution_id,
    result: toImported(execution),
    statement: (sql, ledger) =>
      entryStatement(
        sql,
        ledger,
        sql`
          ${manyTermEntries(sql, owner, created, "IMPORT")},
          ${executionEntry(sql, owner, execution)}`,
      ),
  };
}

function toImported({ execution_id: executionId, output }: ExecutionRow): Imported {
  const { created, skipped } = JSON.parse(output);
  return { executionId, created, skipped };
}

import type { Caller } from "../access/identity.ts";
import type { Sql } from "../database/sql.ts";
import { listOf, objectOf, TEXT } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { seesModule } from "./readable.ts";
import type { RecordServices } from "./record_store.ts";
import type { TypedCounts } from "./typed_ids.ts";

interface ModuleCount {
  readonly moduleCode: string;
  readonly count: number;
}

type CountsServices = Pick<RecordServices, "database" | "catalog" | "typedCounts">;

/**
 * Counts the live records of each module that the reader sees, also of those without any. The
 * profile has no record, and counts as one.
 */
export function createCountsEndpoint(services: CountsServices): Endpoint {
  const { database, catalog, typedCounts } = services;
  return endpoint({
    contract: {
      summary: "Count the records of each module, without archived ones",
      responses: {
        200: {
          data: objectOf({
            items: listOf(objectOf({ moduleCode: TEXT, count: { type: "integer" } })),
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => refuseQuery(query),
    async handle({ caller }) {
      const codes = catalog.modules.filter((module) => seesModule(caller, module))
        .map(({ code }) => code);
      const counts = await database.read((sql) => countObjects(sql, caller, codes, typedCounts));
      const found = new Map(counts.map(({ moduleCode, count }) => [moduleCode, count]));
      return ok({
        items: codes.map((moduleCode) => ({ moduleCode, count: found.get(moduleCode) ?? 0 })),
      });
    },
  });
}

async function countObjects(
  sql: Sql,
  { account: { accountId } }: Caller,
  codes: readonly string[],
  typedCounts: TypedCounts,
): Promise<readonly ModuleCount[]> {
  const records = sql<ModuleCount>`
    select module_code as "moduleCode", count(*)::int as count from records
     where owner_id = ${accountId} and archived_at is null
       and module_code = any (string_to_array(${codes.join(" ")}, ' '))
     group by module_code`;
  return await codes.reduce((counts, code) => {
    const typed = typedCounts[code]?.(sql, accountId);
    return typed === undefined ? counts : sql<
      ModuleCount
    >`${counts} union all select ${code}::text, typed.count from (${typed}) as typed`;
  }, records);
}

import type { Caller } from "../access/identity.ts";
import type { Sql } from "../database/sql.ts";
import { listOf, objectOf, TEXT } from "../validate/json_schema.ts";
import { refuseQuery } from "../validate/schema.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { seesModule } from "./readable.ts";
import type { ReadServices } from "./record_store.ts";

interface ModuleCount {
  readonly moduleCode: string;
  readonly count: number;
}

/** Counts the live records of each module that the reader sees, also of those without any. */
export function createCountsEndpoint({ database, catalog }: ReadServices): Endpoint {
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
      const counts = await database.read((sql) => countRecords(sql, caller, codes));
      const found = new Map(counts.map(({ moduleCode, count }) => [moduleCode, count]));
      return ok({
        items: codes.map((moduleCode) => ({ moduleCode, count: found.get(moduleCode) ?? 0 })),
      });
    },
  });
}

async function countRecords(
  sql: Sql,
  { account }: Caller,
  codes: readonly string[],
): Promise<readonly ModuleCount[]> {
  return await sql<ModuleCount>`
    select module_code as "moduleCode", count(*)::int as count from records
     where owner_id = ${account.accountId} and archived_at is null
       and module_code = any (string_to_array(${codes.join(" ")}, ' '))
     group by module_code`;
}

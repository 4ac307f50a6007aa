import type { Query, Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { type JsonSchema, nullable } from "../../validate/json_schema.ts";
import { oneOf, optional, readQuery } from "../../validate/schema.ts";

/** For objects that may not exist: browsers log each 404 as an error. */
const QUERY = { orNull: optional(oneOf("true", "false")) };

interface OnlyObject<Row> {
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly find: (sql: Sql, owner: string) => Query<Row>;
  readonly show: (row: Row) => object;
}

/** GET of an object that an owner has at most once; with `orNull=true` null instead of 404. */
export function onlyEndpoint<Row extends object>(
  { database }: Pick<FamilyServices, "database">,
  { summary, schema, find, show }: OnlyObject<Row>,
): Endpoint {
  return endpoint({
    contract: {
      summary,
      query: QUERY,
      responses: { 200: { data: nullable(schema) } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: ({ query }) => readQuery(QUERY, query),
    async handle({ parsed: { orNull }, caller }) {
      const [row] = await database.read((sql) => find(sql, caller.account.accountId));
      if (row === undefined && orNull !== "true") throw new ServiceError("RECORD_NOT_FOUND");
      return ok(row === undefined ? null : show(row));
    },
  });
}

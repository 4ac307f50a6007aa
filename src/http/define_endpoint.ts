/** Defines endpoints that `speculation.ts` may run early; `endpoint` defines all others. */

import { readRow } from "../access/confirmation.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Reply } from "./reply.ts";
import { type CheckedCall, type Endpoint, endpoint, type TypedEndpoint } from "./route.ts";

/** Its only effect is one command of a `CommandRunner`. */
export function commandEndpoint<Parsed>(typed: TypedEndpoint<Parsed>): Endpoint {
  return { ...endpoint(typed), kind: "command" };
}

/** Defines an endpoint that only reads, and sends equal identities equal replies. */
export function pageEndpoint<Parsed>(typed: Omit<TypedEndpoint<Parsed>, "body">): Endpoint {
  return { ...endpoint({ ...typed, body: "none" }), kind: "page" };
}

interface RowRead<Parsed, Row> extends Pick<TypedEndpoint<Parsed>, "contract" | "parse"> {
  readonly find: (sql: Sql, call: CheckedCall<Parsed>) => Query<Row>;
  /** May throw a specific code for a missing row; otherwise the code is `RECORD_NOT_FOUND`. */
  readonly refuseMissing?: (sql: Sql, call: CheckedCall<Parsed>) => Promise<void>;
  readonly show: (row: Row, call: CheckedCall<Parsed>) => Reply;
}

export function rowEndpoint<Parsed, Row extends object>(
  { database }: { readonly database: Database },
  { contract, parse, find, refuseMissing, show }: RowRead<Parsed, Row>,
): Endpoint {
  const read = endpoint({
    contract,
    body: "none",
    parse,
    async handle(call: CheckedCall<Parsed>) {
      const row = await database.read(async (sql) => {
        const found = await readRow(sql, call, find(sql, call));
        if (found === undefined) await refuseMissing?.(sql, call);
        return found;
      });
      if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return show(row, call);
    },
  });
  return { ...read, kind: "row" };
}

import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { WORD_RULE } from "./lexemes.ts";

/** Explains responses with `HTTP_503`. Its reason is in `src/errors/reasons.ts`. */
export class IndexIncompleteError extends Error {
  override readonly name = "IndexIncompleteError";
  readonly code = "INDEX_INCOMPLETE";
}

/**
 * For reads of `record_order`, and of words of the newest rule.
 *
 * @throws ServiceError `HTTP_503` while the build of the index has not written all of them.
 */
export async function assertOrdered(sql: Sql): Promise<void> {
  const built = await sql`
    select 1 from search_index_build
     where order_rule = ${WORD_RULE}::smallint and order_is_complete
       and not exists (select from record_order where module_code = '')`;
  if (built.length === 0) throw new ServiceError("HTTP_503", { cause: new IndexIncompleteError() });
}

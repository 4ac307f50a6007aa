import type { Caller } from "../../access/identity.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Database } from "../../database/database.ts";
import { PAGE_LIMIT, PAGE_QUERY } from "../../http/page.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { SIGNED_CURSOR } from "../../http/signed_page.ts";
import { type Change, CHANGES, seesModule } from "../port.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  listOf,
  objectOf,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { readQuery } from "../../validate/schema.ts";
import { BEGINNING, ChangeCursors, cursorRefusal } from "./cursors.ts";
import { type ChangeRow, type FoundChanges, readChanges, readFeedId } from "./feed_store.ts";

interface ChangesServices {
  readonly database: Database;
  readonly catalog: Catalog;
  readonly serverSecret: Uint8Array;
}

/** A change, without the content. */
interface RecordChange {
  readonly moduleCode: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: Change;
  readonly at: string;
}

const CHANGE_SCHEMA: JsonSchema = component<RecordChange>("RecordChange", {
  moduleCode: TEXT,
  recordId: ULID,
  revision: REVISION,
  change: enumOf(CHANGES),
  at: TIME,
});

const QUERY = { limit: PAGE_QUERY.limit, after: SIGNED_CURSOR };

/** `/api/v2/changes`. */
export function createChangesEndpoint(
  { database, catalog, serverSecret }: ChangesServices,
): Endpoint {
  return endpoint({
    contract: {
      summary: "List changes of the caller's records since a cursor, oldest first",
      query: QUERY,
      responses: {
        200: {
          data: objectOf({
            items: listOf(CHANGE_SCHEMA),
            nextCursor: TEXT,
            hasMore: { type: "boolean" },
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readQuery(QUERY, query),
    async handle({ parsed: { after, limit = PAGE_LIMIT.standard }, caller, now }) {
      const owner = caller.account.accountId;
      const cursors = new ChangeCursors(serverSecret, owner, now);
      const leftOut = modulesWithout(catalog, caller);
      const found = await database.read(async (sql): Promise<FoundChanges> => {
        if (after === undefined) {
          return await readChanges(sql, owner, { behind: BEGINNING, leftOut, limit });
        }
        const known = cursors.read(after);
        if (known === null) throw cursorRefusal(after, await readFeedId(sql));
        const read = await readChanges(sql, owner, { behind: known.place, leftOut, limit });
        if (read.feedId !== known.feedId) throw cursorRefusal(after, read.feedId);
        return read;
      });
      const { rows, feedId, end: place, hasMore } = found;
      const items = rows.map((row) => toRecordChange(catalog, row));
      return ok({ items, nextCursor: cursors.sign({ feedId, place }), hasMore });
    },
  });
}

/** Codes of modules whose records the reader may not see. */
function modulesWithout({ modules }: Catalog, reader: Caller): string[] {
  return modules.filter((module) => !seesModule(reader, module)).map(({ code }) => code);
}

function toRecordChange(catalog: Catalog, row: ChangeRow): RecordChange {
  if (catalog.module(row.module_code) === undefined) {
    throw new Error("A stored record's module is not in the catalog");
  }
  return {
    moduleCode: row.module_code,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    at: row.created_at.toISOString(),
  };
}

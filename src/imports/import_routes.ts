/** The endpoints of `/api/v2/imports` (contract: imports). */

import { payloadInvalid } from "../errors/service_error.ts";
import { PAGE_QUERY, pageOf, readPageQuery, toPage } from "../http/page.ts";
import { readOnlyPathId } from "../http/path.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { createCommandEndpoints } from "./command_routes.ts";
import { type Import, IMPORT_SCHEMA, type ImportRow, showImport } from "./import.ts";
import { findImport, listImports } from "./import_store.ts";
import { createItemEndpoints } from "./item_routes.ts";
import { createReceiveEndpoint } from "./receive_routes.ts";
import { type ImportServices, requireImport } from "./services.ts";

export type ImportEndpoints = Readonly<
  Record<
    | "create"
    | "list"
    | "detail"
    | "items"
    | "sample"
    | "map"
    | "run"
    | "stop"
    | "withdraw",
    Endpoint
  >
>;

export function createImportEndpoints(services: ImportServices): ImportEndpoints {
  return {
    create: createReceiveEndpoint(services),
    list: listEndpoint(services),
    detail: endpoint({
      contract: {
        summary: "Describe an import: its state, and what is to come or came of its items",
        responses: { 200: { data: IMPORT_SCHEMA } },
        errors: ["RECORD_NOT_FOUND"],
      },
      body: "none",
      parse: (call) => readOnlyPathId(call, "importId"),
      handle: async (call) => ok(showImport(await requireImport(services, call, call.parsed))),
    }),
    ...createItemEndpoints(services),
    ...createCommandEndpoints(services),
  };
}

function listEndpoint({ database }: ImportServices): Endpoint {
  return endpoint({
    contract: {
      summary: "List the imports, newest first",
      query: PAGE_QUERY,
      responses: { 200: { data: pageOf(IMPORT_SCHEMA) } },
      errors: [],
    },
    body: "none",
    parse: (call) => readPageQuery(call.query),
    async handle({ parsed: { cursor, limit }, caller }) {
      const owner = caller.account.accountId;
      const [rows, named] = await database.read((sql) =>
        Promise.all([
          listImports(sql, owner, cursor, limit + 1),
          cursor === null ? null : findImport(sql, owner, cursor),
        ])
      );
      if (named?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
      return ok(toPage<ImportRow, Import>(rows, limit, showImport, ({ importId }) => importId));
    },
  });
}

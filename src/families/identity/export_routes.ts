/** IDN-008: exports. */

import { ServiceError } from "../../errors/service_error.ts";
import type { FamilyServices } from "../../kit/write.ts";
import { ok } from "../../http/reply.ts";
import { type Endpoint, endpoint } from "../../http/route.ts";
import { oneOf, readQuery } from "../../validate/schema.ts";
import { IDENTITY_EXPORT_FORMATS, IDENTITY_EXPORT_SCHEMA, writeExport } from "./export_document.ts";
import { readExported } from "./export_store.ts";

const QUERY = { format: oneOf(...IDENTITY_EXPORT_FORMATS) };

/** The endpoint of `/exports`, a read without an execution. */
export function createExportEndpoint({ database }: Pick<FamilyServices, "database">): Endpoint {
  return endpoint({
    contract: {
      summary: "Export the profile, stages, roles and snapshots, or a summary of them",
      query: QUERY,
      responses: { 200: { data: IDENTITY_EXPORT_SCHEMA } },
      errors: ["RECORD_NOT_FOUND"],
    },
    body: "none",
    parse: ({ query }) => readQuery(QUERY, query),
    async handle({ parsed: { format }, caller }) {
      const owner = caller.account.accountId;
      const exported = await database.read((sql) => readExported(sql, owner, format));
      if (exported === undefined) throw new ServiceError("RECORD_NOT_FOUND");
      return ok(writeExport(format, exported));
    },
  });
}

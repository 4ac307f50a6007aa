/** Endpoints of `/api/v1`: reads of records, and writes that are closed permanently. */

import type { CatalogModule } from "../catalog/module.ts";
import type { CommandRunner } from "../command/runner.ts";
import { ServiceError } from "../errors/service_error.ts";
import { commandOf } from "../command/command.ts";
import { PAGE_QUERY, readPageQuery } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import {
  createReadEndpoints,
  EXPORTED_RECORD_SCHEMA,
  type ListServices,
  PLAIN_READS,
  readExportPart,
} from "../records/port.ts";
import { listOf, nullable, objectOf, ULID } from "../validate/json_schema.ts";
import { LEGACY_MODULES, type LegacyModule, type LegacyModuleCode } from "./modules.ts";

interface LegacyServices extends ListServices {
  readonly commands: CommandRunner;
}

export type LegacyEndpoints = Readonly<
  Record<"list" | "detail" | "revisions" | "export" | "write", Endpoint>
>;

export function createLegacyEndpoints(
  services: LegacyServices,
): Readonly<Record<LegacyModuleCode, LegacyEndpoints>> {
  const build = (legacy: LegacyModule): LegacyEndpoints => {
    const module = services.catalog.module(legacy.code);
    if (module === undefined) throw new Error(`The catalog has no module "${legacy.code}"`);
    // No further permission: the routes' own one controls reading, and is that of generic reads.
    const scope = { moduleOf: () => module, errors: [], typedIds: {} };
    const { list, detail, revisions } = createReadEndpoints(services, scope, PLAIN_READS);
    const write = writeEndpoint(services, legacy);
    return { list, detail, revisions, export: exportEndpoint(services, module), write };
  };
  return {
    identity: build(LEGACY_MODULES.identity),
    relationship: build(LEGACY_MODULES.relationship),
    resource: build(LEGACY_MODULES.resource),
  };
}

function exportEndpoint(services: LegacyServices, module: CatalogModule): Endpoint {
  const head = { format: `prs-legacy-${module.code}`, version: 1 } as const;
  return endpoint({
    contract: {
      summary: "Export records with all their revisions, one part per call",
      query: PAGE_QUERY,
      responses: {
        200: {
          data: objectOf({
            format: { const: head.format },
            version: { const: head.version },
            records: listOf(EXPORTED_RECORD_SCHEMA),
            nextCursor: nullable(ULID),
          }),
        },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readPageQuery(query),
    async handle({ parsed: page, caller }) {
      const { items, nextCursor } = await readExportPart(services, caller, module, page);
      return ok({ ...head, records: items, nextCursor });
    },
  });
}

/** Rejects every write, without reading its body. */
function writeEndpoint({ commands }: LegacyServices, legacy: LegacyModule): Endpoint {
  const { code: moduleCode, writeCode } = legacy;
  return endpoint({
    contract: {
      summary: "Closed: version 1 does not accept writes; use version 2",
      responses: {},
      errors: ["SYSTEM_MAINTENANCE", writeCode],
    },
    body: "ignored",
    parse: () => {},
    async handle(call) {
      const about = { module: moduleCode, policy: "legacy", target: "", frozen: true };
      await commands.assertOpen(commandOf(call, about));
      throw new ServiceError(writeCode, { details: { moduleCode, operation: call.operation } });
    },
  });
}

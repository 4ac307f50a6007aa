import {
  ACCESS_EVENT_SCHEMA,
  type PublicAccessEvent,
  readAccessTrail,
  toPublicAccessEvent,
} from "../accounts/port.ts";
import type { Caller } from "../access/identity.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { findTitles, seesModule } from "../records/port.ts";
import { type AuditFilter, readAuditTrail } from "./audit_trail.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { type Page, PAGE_LIMIT, PAGE_QUERY, pageOf, toPage, toWalkedPage } from "../http/page.ts";
import { ok } from "../http/reply.ts";
import { type Endpoint, endpoint } from "../http/route.ts";
import { identifier, oneOf, optional, readQuery, string } from "../validate/schema.ts";
import { AUDIT_ENTRY_SCHEMA, type AuditEntry, toAuditEntry } from "./audit_entry.ts";
import { createChainEndpoint } from "./chain.ts";
import { createSealEndpoints } from "./seal_routes.ts";
import { createSummaryEndpoint } from "./summary.ts";
import { TRAIL_KINDS, type TrailKind } from "./trail.ts";

interface AuditServices {
  readonly database: Database;
  readonly catalog: Catalog;
}

export interface AuditEndpoints {
  readonly list: Endpoint;
  readonly seals: Endpoint;
  readonly proof: Endpoint;
  readonly chain: Endpoint;
  readonly summary: Endpoint;
}

export function createAuditEndpoints(services: AuditServices): AuditEndpoints {
  const { database } = services;
  return {
    list: listEndpoint(services),
    ...createSealEndpoints(database),
    chain: createChainEndpoint(database),
    summary: createSummaryEndpoint(database),
  };
}

interface TrailQuery {
  readonly kind: TrailKind;
  readonly limit: number;
  readonly cursor: string | null;
  /** Whether entries have their record's title. */
  readonly titles: boolean;
  /** The filter; empty for `kind=access`. */
  readonly filter: AuditFilter;
}

/** Lists audit entries, or with `kind=access` the account's access events. */
function listEndpoint({ database, catalog }: AuditServices): Endpoint {
  const shape = queryShape(catalog);
  return endpoint({
    contract: {
      summary: "List the caller's audit entries, or the account's access events, newest first",
      query: shape,
      responses: {
        200: { data: { anyOf: [pageOf(AUDIT_ENTRY_SCHEMA), pageOf(ACCESS_EVENT_SCHEMA)] } },
      },
      errors: [],
    },
    body: "none",
    parse: ({ query }) => readTrailQuery(shape, query),
    async handle({ parsed, caller }) {
      const owner = caller.account.accountId;
      return ok(
        parsed.kind === "audit"
          ? await listAuditEntries({ database, catalog }, caller, parsed)
          : await listAccessEvents(database, owner, parsed),
      );
    },
  });
}

function queryShape(catalog: Catalog) {
  return {
    ...PAGE_QUERY,
    kind: optional(oneOf(...TRAIL_KINDS)),
    titles: optional(oneOf("true", "false")),
    moduleCode: optional(oneOf(...catalog.modules.map(({ code }) => code))),
    subjectId: optional(identifier),
    operation: optional(string({ maximum: 100 })),
  };
}

/** An access event has no members to filter by. */
function readTrailQuery(
  shape: ReturnType<typeof queryShape>,
  query: URLSearchParams,
): TrailQuery {
  const { kind = "audit", limit = PAGE_LIMIT.standard, cursor = null, ...rest } = readQuery(
    shape,
    query,
  );
  const refused = kind === "access" ? Object.keys(rest) : [];
  if (refused.length > 0) throw payloadInvalid(["filter.field"], refused);
  const { titles, ...filter } = rest;
  return { kind, limit, cursor, titles: titles === "true", filter };
}

async function listAuditEntries(
  { database, catalog }: AuditServices,
  reader: Caller,
  query: TrailQuery,
): Promise<Page<AuditEntry>> {
  const owner = reader.account.accountId;
  const walked = await readAuditTrail(database, owner, query);
  const page = toWalkedPage(walked, toAuditEntry, (row) => row.audit_id);
  if (!query.titles) return page;
  const ids = new Set(page.items.map(({ subjectId }) => subjectId ?? ""));
  const modules = catalog.modules.filter((module) => seesModule(reader, module));
  const rows = await database.read((sql) => findTitles(sql, owner, [...ids], modules));
  const titles = new Map(rows.map(({ record_id, title }) => [record_id, title]));
  const titleOf = ({ subjectId }: AuditEntry) => titles.get(subjectId ?? "") ?? null;
  return { ...page, items: page.items.map((item) => ({ ...item, title: titleOf(item) })) };
}

async function listAccessEvents(
  database: Database,
  owner: string,
  query: TrailQuery,
): Promise<Page<PublicAccessEvent>> {
  const rows = await readAccessTrail(database, owner, query);
  return toPage(rows, query.limit, toPublicAccessEvent, ({ eventId }) => eventId);
}

/** Every route of the service, one a line. Nothing else answers: this table is the whole surface. */

import type { AccessEndpoints } from "./access/handlers.ts";
import type { AttachmentEndpoints } from "./attachments/handlers.ts";
import type {
  Endpoint,
  IdempotencyRule,
  Method,
  ProtectedRoute,
  PublicEndpoint,
  PublicRoute,
  Route,
} from "./http/route.ts";
import type { WriteEndpoints } from "./records/handlers.ts";
import type { ReadEndpoints } from "./records/read_handlers.ts";

/** What answers the routes. */
export interface Endpoints {
  readonly access: AccessEndpoints;
  readonly catalog: Endpoint;
  readonly writes: WriteEndpoints;
  readonly reads: ReadEndpoints;
  readonly feature: Endpoint;
  readonly attachments: AttachmentEndpoints;
}

const AUTH = "/api/v2/auth";
const CATALOG = "/api/v2/catalog";
const RECORDS = "/api/v2/records/:moduleCode";
const RECORD = `${RECORDS}/:recordId`;
const FILES = "/api/v2/attachments";
const FILE = `${FILES}/:attachmentId`;

/** The route table: method, path, who may call, operation, key, what answers. */
export function createRoutes(endpoints: Endpoints): readonly Route[] {
  const { access, catalog, writes, reads, feature, attachments } = endpoints;
  // deno-fmt-ignore: one route a line, in columns
  return [
    open("POST", `${AUTH}/setup`, access.setup),
    open("POST", `${AUTH}/login`, access.login),
    route("POST", `${AUTH}/logout`, "session", "auth.logout", "none", access.logout),
    route("GET", `${AUTH}/session`, "credential", "auth.session", "none", access.session),

    route("GET", CATALOG, "platform.operate", "catalog.read", "none", catalog),

    route("POST", RECORDS, "record.write", "record.create", "required", writes.create),
    route("GET", RECORDS, "record.read", "record.list", "none", reads.list),
    route("GET", RECORD, "record.read", "record.detail", "none", reads.detail),
    route("PATCH", RECORD, "record.write", "record.modify", "honoured", writes.modify),
    route("POST", `${RECORD}/archive`, "record.write", "record.archive", "honoured", writes.archive),
    route("POST", `${RECORD}/restore`, "record.write", "record.restore", "honoured", writes.restore),
    route("GET", `${RECORD}/revisions`, "record.read", "record.revisions", "none", reads.revisions),
    route("GET", `${RECORD}/executions`, "record.read", "record.executions", "none", reads.executions),
    route("POST", `${RECORD}/features/:featureId`, "record.write", "record.feature", "required", feature),

    route("POST", FILES, "attachment.write", "attachment.create", "none", attachments.upload),
    route("GET", FILES, "attachment.read", "attachment.list", "none", attachments.list),
    route("GET", FILE, "attachment.read", "attachment.detail", "none", attachments.detail),
    route("GET", `${FILE}/content`, "attachment.read", "attachment.content", "none", attachments.content),
  ];
}

function open(method: Method, path: string, endpoint: PublicEndpoint): PublicRoute {
  return { method, path, access: "public", endpoint };
}

function route(
  method: Method,
  path: string,
  access: ProtectedRoute["access"],
  operation: string,
  idempotency: IdempotencyRule,
  endpoint: Endpoint,
): ProtectedRoute {
  return { method, path, access, operation, idempotency, endpoint };
}

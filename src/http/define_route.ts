/** One function per kind, so that the route table has one route per line. */

import type { Permission } from "../access/permissions.ts";
import type {
  Endpoint,
  IdempotencyRule,
  Method,
  ModuleRule,
  ProtectedRoute,
  PublicEndpoint,
  PublicKind,
  PublicRoute,
} from "./route.ts";

export function open(
  method: Method,
  path: string,
  operation: string,
  endpoint: PublicEndpoint,
): PublicRoute {
  return { ...publicRoute(path, operation, endpoint, "plain"), method };
}

export function document(path: string, operation: string, endpoint: PublicEndpoint): PublicRoute {
  return publicRoute(path, operation, endpoint, "document");
}

/** A document that other hosts refer to, or that names this one. */
export function anyHost(path: string, operation: string, endpoint: PublicEndpoint): PublicRoute {
  return publicRoute(path, operation, endpoint, "any host");
}

/** A route of OAuth to which programs post. */
export function oauth(path: string, operation: string, endpoint: PublicEndpoint): PublicRoute {
  return { ...publicRoute(path, operation, endpoint, "oauth"), method: "POST" };
}

export function probe(path: string, endpoint: PublicEndpoint): PublicRoute {
  return publicRoute(path, path.slice(1), endpoint, "probe");
}

/** A route that anyone who knows the secret in its path may read. */
export function secretPath(
  path: string,
  operation: string,
  endpoint: PublicEndpoint,
): PublicRoute {
  return publicRoute(path, operation, endpoint, "secret path");
}

function publicRoute(
  path: string,
  operation: string,
  endpoint: PublicEndpoint,
  kind: PublicKind,
): PublicRoute {
  return { method: "GET", path, access: "public", operation, kind, endpoint };
}

export function route(
  method: Method,
  path: string,
  permission: Permission | null,
  module: ModuleRule,
  operation: string,
  idempotency: IdempotencyRule,
  endpoint: Endpoint,
): ProtectedRoute {
  return {
    method,
    path,
    access: "credential",
    permission,
    module,
    operation,
    idempotency,
    endpoint,
  };
}

/** Added next to a path with a named last segment, which keeps its other methods. */
export function yielding(added: ProtectedRoute): ProtectedRoute {
  return { ...added, yields: true };
}

export function assistant(path: string, operation: string, endpoint: Endpoint): ProtectedRoute {
  const rules = { access: "assistant", permission: null, idempotency: "none" } as const;
  return { method: "POST", path, ...rules, module: "checks itself", operation, endpoint };
}

/** Only for sessions, which no module limits. No key: it creates a secret or ends a credential. */
export function session(
  method: Method,
  path: string,
  permission: Permission | null,
  operation: string,
  endpoint: Endpoint,
): ProtectedRoute {
  const rules = { access: "session", module: null, idempotency: "none" } as const;
  return { method, path, ...rules, permission, operation, endpoint };
}

/** Only for sessions, with a required key. Creates no secret. */
export function keyed(
  method: Method,
  path: string,
  permission: Permission,
  operation: string,
  endpoint: Endpoint,
): ProtectedRoute {
  return { ...session(method, path, permission, operation, endpoint), idempotency: "required" };
}

/** The documents by which programs find the sign-in: RFC 9728 and RFC 8414. */

import { RESOURCE_DOCUMENT } from "../../http/challenge.ts";
import { constantDocument } from "../../http/constant_document.ts";
import type { PublicEndpoint } from "../../http/route.ts";

/** The paths of the documents. Some programs ask for the first at the root only. */
export const DOCUMENT_PATHS = {
  resource: RESOURCE_DOCUMENT,
  resourceAtRoot: "/.well-known/oauth-protected-resource",
  server: "/.well-known/oauth-authorization-server",
} as const;

export const SCOPE = "mcp";
export const OFFLINE_SCOPE = "offline_access";

/** The endpoint of the document about the protected resource `/mcp`. */
export function resourceDocument(origin: string): PublicEndpoint {
  return constantDocument("Describe the resource that assistants sign in to", {
    resource: `${origin}/mcp`,
    authorization_servers: [origin],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
    resource_name: "Personal Records",
  });
}

/** The endpoint of the document about the authorization server, which is the service itself. */
export function serverDocument(origin: string, registration: boolean): PublicEndpoint {
  return constantDocument("Describe the sign-in of assistants", {
    issuer: origin,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    ...(registration && { registration_endpoint: `${origin}/oauth/register` }),
    scopes_supported: [SCOPE, OFFLINE_SCOPE],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    protected_resources: [`${origin}/mcp`],
  });
}

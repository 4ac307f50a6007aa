import type { Config } from "../operator/config/config.ts";
import type { Endpoint, PublicEndpoint } from "../http/route.ts";
import {
  type AssistantEndpoints,
  type AssistantServices,
  createAssistantEndpoints,
} from "./assistant_routes.ts";
import { createMcpEndpoint, type McpServices } from "./mcp_routes.ts";
import {
  createProposalEndpoints,
  type ProposalEndpoints,
  type ProposalServices,
} from "./proposal_routes.ts";
import {
  type AuthorizationEndpoints,
  type AuthorizationServices,
  createAuthorizationEndpoints,
} from "./sign_in/authorization_routes.ts";
import { resourceDocument, serverDocument } from "./sign_in/documents.ts";
import { createRegistrationEndpoint } from "./sign_in/registration.ts";
import { createTokenEndpoint, type TokenServices } from "./sign_in/token_routes.ts";
import { AssistantTrail } from "./trail.ts";

/** Endpoints for assistants, and for their owners. */
export interface AssistantsEndpoints {
  readonly mcp: Endpoint;
  readonly credentials: AssistantEndpoints;
  readonly proposals: ProposalEndpoints;
  /** Null if assistants cannot sign in. */
  readonly signIn: SignInEndpoints | null;
  /** Writes the events of counted refused calls. Call it when no call runs. */
  readonly stop: () => Promise<void>;
}

/** Endpoints of the sign-in of assistants by OAuth. */
export interface SignInEndpoints {
  readonly resourceDocument: PublicEndpoint;
  readonly serverDocument: PublicEndpoint;
  readonly token: PublicEndpoint;
  /** Null if programs cannot register. */
  readonly registration: PublicEndpoint | null;
  readonly authorization: AuthorizationEndpoints;
}

type SignInServices = AuthorizationServices & TokenServices;

/** Returns null if assistants are disabled. */
export function createAssistantsEndpoints(
  assistants: Config["assistants"],
  services:
    & AssistantServices
    & ProposalServices
    & Omit<SignInServices, "registration">
    & Omit<McpServices, "assistants">,
): AssistantsEndpoints | null {
  if (assistants === null) return null;
  const all = { ...services, assistants };
  const trail = new AssistantTrail(all);
  return {
    mcp: createMcpEndpoint(all, trail),
    credentials: createAssistantEndpoints(services),
    proposals: createProposalEndpoints(services),
    signIn: services.hasSignIn
      ? createSignInEndpoints({ ...services, registration: assistants.registration })
      : null,
    stop: () => trail.stop(),
  };
}

function createSignInEndpoints(services: SignInServices): SignInEndpoints {
  const { origin, registration } = services;
  return {
    resourceDocument: resourceDocument(origin),
    serverDocument: serverDocument(origin, registration),
    token: createTokenEndpoint(services),
    registration: registration ? createRegistrationEndpoint() : null,
    authorization: createAuthorizationEndpoints(services),
  };
}

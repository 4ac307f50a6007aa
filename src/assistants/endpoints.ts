import type { Endpoint } from "../http/route.ts";
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
import { type AssistantLimits, AssistantTrail } from "./trail.ts";

/** Endpoints for assistants, and for their owners. */
export interface AssistantsEndpoints {
  readonly mcp: Endpoint;
  readonly credentials: AssistantEndpoints;
  readonly proposals: ProposalEndpoints;
  /** Writes the events of counted refused calls. Call it when no call runs. */
  readonly stop: () => Promise<void>;
}

/** Returns null if assistants are disabled. */
export function createAssistantsEndpoints(
  assistants: AssistantLimits | null,
  services: AssistantServices & ProposalServices & Omit<McpServices, "assistants">,
): AssistantsEndpoints | null {
  if (assistants === null) return null;
  const all = { ...services, assistants };
  const trail = new AssistantTrail(all);
  return {
    mcp: createMcpEndpoint(all, trail),
    credentials: createAssistantEndpoints(services),
    proposals: createProposalEndpoints(services),
    stop: () => trail.stop(),
  };
}

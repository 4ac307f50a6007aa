/**
 * The path of a request with the credential of an assistant, after the checks in `pipeline.ts`:
 * origin, credential, rates, query, handler. The handler reads the body, because it answers JSON
 * failures itself.
 */

import { authenticateAssistant } from "../access/assistant_authenticator.ts";
import { type Caller, holderOf } from "../access/identity.ts";
import { holderName, runFor } from "../core/holder.ts";
import { ServiceError } from "../errors/service_error.ts";
import { countCaller, countRefusal, type RequestContext } from "./admission.ts";
import type { CrossOrigin } from "./cross_origin.ts";
import type { ProtectedServices } from "./protected_route.ts";
import type { Reply } from "./reply.ts";
import type { Call, ProtectedRoute } from "./route.ts";

/** The dependencies of the route. */
export interface AssistantRouteServices extends ProtectedServices {
  readonly crossOrigin: CrossOrigin;
}

/** Answers a request that needs the credential of an assistant. Cookies are not looked at. */
export async function runAssistant(
  route: ProtectedRoute,
  call: Call,
  services: AssistantRouteServices,
  context: RequestContext,
): Promise<Reply> {
  const sent = call.request.headers.get("Origin");
  const isServed = sent === null || sent === services.origin || services.crossOrigin.lists(sent);
  if (!isServed) throw new ServiceError("FORBIDDEN");
  const find = async (): Promise<Caller> => {
    const { headers } = call.request;
    const found = await authenticateAssistant(headers, services.authenticators, services.clock());
    if (found === null) throw new ServiceError("AUTH_REQUIRED");
    return found;
  };
  const caller = await countRefusal(find, call, services, context);
  countCaller(caller, call, services, context);
  services.knownAddresses.add(call.address);
  context.place?.belongTo(holderName(holderOf(caller)));
  const confirm = async () => void await find();
  const signedIn = { ...call, operation: route.operation, caller, confirm };
  return await runFor(holderOf(caller), async () => {
    const parsed = route.endpoint.parse(signedIn) as never;
    return await route.endpoint.handle({ ...signedIn, parsed, key: null, body: null });
  });
}

import { createPasswordEndpoints, type PasswordEndpoints } from "./handlers/password.ts";
import type { AccessServices } from "./handlers/services.ts";
import { createSessionEndpoints, type SessionEndpoints } from "./handlers/sessions.ts";
import { createSignInEndpoints, type SignInEndpoints } from "./handlers/sign_in.ts";
import { createTokenEndpoints, type TokenEndpoints } from "./handlers/tokens.ts";

/** One endpoint for each route. */
export interface AccessEndpoints
  extends SignInEndpoints, SessionEndpoints, TokenEndpoints, PasswordEndpoints {}

/** The endpoints of `/api/v2/auth` (specification, Authentication). */
export function createAccessEndpoints(services: AccessServices): AccessEndpoints {
  return {
    ...createSignInEndpoints(services),
    ...createSessionEndpoints(services),
    ...createTokenEndpoints(services),
    ...createPasswordEndpoints(services),
  };
}

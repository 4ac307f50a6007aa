import { createPasswordEndpoints, type PasswordEndpoints } from "./password.ts";
import type { AccessServices } from "./services.ts";
import { createSessionEndpoints, type SessionEndpoints } from "./sessions.ts";
import { createSignInEndpoints, type SignInEndpoints } from "./sign_in.ts";
import { createTokenEndpoints, type TokenEndpoints } from "./tokens.ts";

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

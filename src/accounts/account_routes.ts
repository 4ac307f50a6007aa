import type { Endpoint, PublicEndpoint } from "../http/route.ts";
import { createLoginEndpoints, type LoginEndpoints } from "./login_routes.ts";
import {
  createPasskeyEndpoints,
  type PasskeyEndpoints,
  type PasskeyServices,
} from "./passkeys/passkey_routes.ts";
import { createPasswordEndpoint } from "./password_routes.ts";
import { createSessionEndpoints, type SessionEndpoints } from "./session_routes.ts";
import { createSecondFactorEndpoints, type SecondFactorEndpoints } from "./second_factor_routes.ts";
import { createSetupEndpoint, createSetupStateEndpoint } from "./setup_routes.ts";
import type { SignInServices } from "./sign_in.ts";
import { createStepUpEndpoint, type StepUpServices } from "./step_up_routes.ts";
import { createTokenEndpoints, type TokenEndpoints } from "./token_routes.ts";

type AccountServices = SignInServices & StepUpServices & PasskeyServices;

export interface AccountEndpoints
  extends LoginEndpoints, SessionEndpoints, TokenEndpoints, SecondFactorEndpoints {
  readonly passkeys: PasskeyEndpoints;
  readonly setup: PublicEndpoint;
  readonly setupState: PublicEndpoint;
  readonly changePassword: Endpoint;
  readonly stepUp: Endpoint;
}

/** Creates the endpoints of `/api/v2/auth` (specification, Authentication). */
export function createAccountEndpoints(services: AccountServices): AccountEndpoints {
  return {
    setup: createSetupEndpoint(services),
    setupState: createSetupStateEndpoint(services),
    ...createLoginEndpoints(services),
    ...createSessionEndpoints(services),
    changePassword: createPasswordEndpoint(services),
    ...createTokenEndpoints(services),
    stepUp: createStepUpEndpoint(services),
    ...createSecondFactorEndpoints(services),
    passkeys: createPasskeyEndpoints(services),
  };
}

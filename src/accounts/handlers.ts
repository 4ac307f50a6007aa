import type { Endpoint, PublicEndpoint } from "../http/route.ts";
import { createLoginEndpoints, type LoginEndpoints } from "./login.ts";
import { createPasswordEndpoint } from "./password.ts";
import { createSessionEndpoints, type SessionEndpoints } from "./sessions.ts";
import { createSecondFactorEndpoints, type SecondFactorEndpoints } from "./second_factor.ts";
import { createSetupEndpoint, createSetupStateEndpoint } from "./setup.ts";
import type { SignInServices } from "./sign_in.ts";
import { createStepUpEndpoint, type StepUpServices } from "./step_up.ts";
import { createTokenEndpoints, type TokenEndpoints } from "./tokens.ts";

/** What the routes of accounts need of the application. */
export type AccountServices = SignInServices & StepUpServices;

/** One endpoint for each route. */
export interface AccountEndpoints
  extends LoginEndpoints, SessionEndpoints, TokenEndpoints, SecondFactorEndpoints {
  readonly setup: PublicEndpoint;
  readonly setupState: PublicEndpoint;
  readonly changePassword: Endpoint;
  readonly stepUp: Endpoint;
}

/** The endpoints of `/api/v2/auth` (specification, Authentication). */
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
  };
}

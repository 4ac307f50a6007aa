import { toBase64url } from "../../core/base64url.ts";
import type { JsonObject } from "../../core/json.ts";
import type { SignInServices } from "../sign_in.ts";
import type { StepUpServices } from "../step_up_routes.ts";
import { type Ceremony, CEREMONY_LIFETIME_MS } from "./ceremony_store.ts";
import type { PasskeySettings } from "./passkey_host.ts";
import type { Offered } from "./passkey_store.ts";
import type { SignInCeremonies } from "./sign_in_ceremony.ts";
import type { PasskeySite } from "./verification.ts";

export interface PasskeyServices extends SignInServices, StepUpServices, PasskeySettings {
  readonly passkeySignIns: SignInCeremonies;
}

/** Returns the body that begins a ceremony. */
export function begun(
  { ceremonyId, challenge, expiresAt }: Ceremony,
  options: JsonObject,
): JsonObject {
  const publicKey = {
    challenge: toBase64url(challenge),
    timeout: CEREMONY_LIFETIME_MS,
    ...options,
  };
  return { ceremonyId, publicKey, expiresAt: expiresAt.toISOString() };
}

/** The options of `navigator.credentials.get()`, except challenge and timeout. */
export function requestOptions(
  { rpId }: PasskeySite,
  allowCredentials: readonly JsonObject[],
): JsonObject {
  return { rpId, userVerification: "required", allowCredentials: [...allowCredentials] };
}

export function toDescriptor({ credentialId, transports }: Offered): JsonObject {
  return { type: "public-key", id: toBase64url(credentialId), transports: [...transports] };
}

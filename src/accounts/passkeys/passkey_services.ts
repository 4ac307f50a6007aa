import { toBase64url } from "../../core/base64url.ts";
import { isIpAddress } from "../../core/loopback.ts";
import type { JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { SignInServices } from "../sign_in.ts";
import type { StepUpServices } from "../step_up_routes.ts";
import { type Ceremony, CEREMONY_LIFETIME_MS } from "./ceremony_store.ts";
import type { Offered } from "./passkey_store.ts";
import type { SignInCeremonies } from "./sign_in_ceremony.ts";
import type { PasskeySite } from "./verification.ts";

export interface PasskeyServices extends SignInServices, StepUpServices {
  readonly passkeySignIns: SignInCeremonies;
}

export function siteOf(origin: string): PasskeySite {
  return { origin, rpId: new URL(origin).hostname };
}

/**
 * Browsers do not offer passkeys under an IP address.
 *
 * @throws ServiceError `PASSKEY_STATE_CONFLICT`
 */
export function assertPasskeysWork({ rpId }: PasskeySite): void {
  if (isIpAddress(rpId)) throw new ServiceError("PASSKEY_STATE_CONFLICT");
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

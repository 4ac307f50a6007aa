import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { decodeJsonBytes } from "../../validate/json_safety.ts";
import { PasskeyRefusal } from "./refusal.ts";

export interface ExpectedClientData {
  readonly type: "webauthn.create" | "webauthn.get";
  readonly origins: readonly string[];
  /** Whether a challenge, in base64url, is the ceremony's. */
  readonly isChallenge: (challenge: string) => boolean;
}

/**
 * Checks the browser's statement about a ceremony: its kind, its challenge, and its page.
 *
 * @throws PasskeyRefusal
 */
export function checkClientData(bytes: Uint8Array, expected: ExpectedClientData): void {
  const data = readClientData(bytes);
  const { type, challenge, origin, crossOrigin = false } = data;
  if (type !== expected.type) throw new PasskeyRefusal("passkey.client_data");
  if (typeof challenge !== "string" || !expected.isChallenge(challenge)) {
    throw new PasskeyRefusal("passkey.challenge");
  }
  if (typeof origin !== "string" || !expected.origins.includes(origin)) {
    throw new PasskeyRefusal("passkey.origin");
  }
  if (crossOrigin !== false || Object.hasOwn(data, "topOrigin")) {
    throw new PasskeyRefusal("passkey.client_data");
  }
}

function readClientData(bytes: Uint8Array): JsonObject {
  try {
    const data = decodeJsonBytes(bytes);
    if (isJsonObject(data)) return data;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  throw new PasskeyRefusal("passkey.client_data");
}

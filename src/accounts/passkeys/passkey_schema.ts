/** A passkey's columns and public form, the bodies of the routes, and the options of browsers. */

import { fromBase64url } from "../../core/base64url.ts";
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import {
  type Kind,
  membersOf,
  orNull,
  type RowOf,
  showColumns,
  type ShownOf,
} from "../../kit/columns.ts";
import { choice, flag, id, shortText, stamp } from "../../kit/kinds.ts";
import {
  ANY_OBJECT,
  component,
  enumOf,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  TEXT,
  TIME,
  ULID,
} from "../../validate/json_schema.ts";
import { identifier, oneOf, optional, type Schema, string } from "../../validate/schema.ts";
import { STEP_UP_PURPOSES } from "../../access/step_up.ts";
import { SIGN_IN } from "../account_schema.ts";
import { ALGORITHMS, type PasskeyAlgorithm } from "./cose_key.ts";

/** How a browser reaches the authenticator; only a hint. */
const TRANSPORTS = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"] as const;

export type PasskeyTransport = (typeof TRANSPORTS)[number];

/** Stored with a space between. */
const transportList: Kind<string, readonly PasskeyTransport[]> = {
  ...shortText(listOf(enumOf(TRANSPORTS))),
  show: readTransports,
};

/** The columns by the names of the public form, in its order. */
const SHOWN = {
  passkey_id: id,
  name: shortText(),
  algorithm: choice(Object.keys(ALGORITHMS) as PasskeyAlgorithm[]),
  rp_id: shortText({ ...TEXT, description: "The host name that it works under." }),
  transports: transportList,
  backup_eligible: described(flag, "Whether it can be copied to other devices."),
  backed_up: described(flag, "Whether it was copied when it was last used."),
  created_at: stamp,
  last_used_at: orNull(stamp),
};

const { rp_id: host_name, ...SAME_NAME } = SHOWN;

/** Columns of `passkeys`, without the key and its counter. */
export const PASSKEY = { ...SAME_NAME, host_name };

export type PasskeyRow = RowOf<typeof PASSKEY>;
export type Passkey = ShownOf<typeof SHOWN>;

export const PASSKEY_SCHEMA: JsonSchema = component<Passkey>("Passkey", membersOf(SHOWN));

export function toPasskey(row: PasskeyRow): Passkey {
  return showColumns(SHOWN, { ...row, rp_id: row.host_name });
}

/** Only known words are stored, so they are not checked again. */
export function readTransports(stored: string): readonly PasskeyTransport[] {
  return stored.split(" ").filter((word) => word !== "") as PasskeyTransport[];
}

function described<Value>(kind: Kind<Value>, description: string): Kind<Value> {
  return { ...kind, json: { ...kind.json, description } };
}

const MAX_MEMBER_CHARACTERS = 8192;

/** A decoded answer of an authenticator. */
interface SentCredential {
  readonly credentialId: Uint8Array;
  readonly clientDataJSON: Uint8Array;
}

export interface SentAttestation extends SentCredential {
  readonly attestationObject: Uint8Array;
  readonly transports: readonly PasskeyTransport[];
}

/** Answers a sign-in or step-up. */
export interface SentAssertion extends SentCredential {
  readonly authenticatorData: Uint8Array;
  readonly signature: Uint8Array;
  /** Null if the authenticator did not send it. */
  readonly userHandle: Uint8Array | null;
}

const BASE64URL: JsonSchema = {
  type: "string",
  pattern: "^[A-Za-z0-9_-]+$",
  maxLength: MAX_MEMBER_CHARACTERS,
};

/** Decodes base64url in canonical form without padding; null for any other text. */
function bytesOf(value: JsonValue | undefined, isEmptyAllowed = false): Uint8Array | null {
  if (typeof value !== "string" || value.length > MAX_MEMBER_CHARACTERS) return null;
  return isEmptyAllowed || value !== "" ? fromBase64url(value) : null;
}

/** The result of `PublicKeyCredential.toJSON()`; members that browsers add are ignored. */
function credentialSchema<T>(
  response: Readonly<Record<string, JsonSchema>>,
  optionalMembers: readonly string[],
  read: (response: Readonly<Record<string, JsonValue>>) => T | null,
): Schema<T & SentCredential> {
  const answer = { ...objectOf(response, optionalMembers), additionalProperties: true };
  const members = {
    id: BASE64URL,
    rawId: BASE64URL,
    type: { const: "public-key" },
    response: answer,
  };
  return {
    json: { ...objectOf(members), additionalProperties: true },
    check(value, field, violations) {
      if (!isJsonObject(value) || !isJsonObject(value.response)) {
        return violations.add("field.type", field);
      }
      const credentialId = bytesOf(value.id);
      const clientDataJSON = bytesOf(value.response.clientDataJSON);
      const rest = read(value.response);
      const isWellFormed = value.rawId === value.id && value.type === "public-key";
      if (!isWellFormed || credentialId === null || clientDataJSON === null || rest === null) {
        return violations.add("field.format", field);
      }
      return { credentialId, clientDataJSON, ...rest };
    },
  };
}

const attestation = credentialSchema<Omit<SentAttestation, keyof SentCredential>>(
  { clientDataJSON: BASE64URL, attestationObject: BASE64URL, transports: {} },
  ["transports"],
  (response) => {
    const attestationObject = bytesOf(response.attestationObject);
    const transports = knownTransports(response.transports);
    return attestationObject === null ? null : { attestationObject, transports };
  },
);

const assertion = credentialSchema<Omit<SentAssertion, keyof SentCredential>>(
  {
    clientDataJSON: BASE64URL,
    authenticatorData: BASE64URL,
    signature: BASE64URL,
    userHandle: nullable({ ...BASE64URL, pattern: "^[A-Za-z0-9_-]*$" }),
  },
  ["userHandle"],
  (response) => {
    const authenticatorData = bytesOf(response.authenticatorData);
    const signature = bytesOf(response.signature);
    const sent = response.userHandle ?? null;
    const userHandle = sent === null ? null : bytesOf(sent, true);
    if (authenticatorData === null || signature === null) return null;
    return sent !== null && userHandle === null
      ? null
      : { authenticatorData, signature, userHandle };
  },
);

/** Returns the known transports, once each, in the browser's order. */
function knownTransports(sent: JsonValue | undefined): PasskeyTransport[] {
  const words = Array.isArray(sent) ? sent : [];
  const isKnown = (word: unknown): word is PasskeyTransport =>
    TRANSPORTS.some((known) => known === word);
  return [...new Set(words.filter(isKnown))];
}

const ceremonyId = string({ maximum: 100 });
const name = string({ maximum: 100 });

export const REGISTRATION_BODY = { ceremonyId, name, credential: attestation };
export const RENAME_BODY = { name };
export const SIGN_IN_BEGIN_BODY = { email: optional(string({ maximum: 254, blank: true })) };
export const SIGN_IN_BODY = { ceremonyId, credential: assertion, ...SIGN_IN };
export const STEP_UP_BEGIN_BODY = {
  purpose: oneOf(...STEP_UP_PURPOSES),
  targetId: optional(identifier),
};
export const STEP_UP_BODY = { ceremonyId, credential: assertion };

/** Answers of authenticators in the examples of bodies. */
const EXAMPLE_CREDENTIAL = { id: "AQIDBA", rawId: "AQIDBA", type: "public-key" } as const;
const EXAMPLE_CEREMONY = "01KAGQ0000RANK000000000001";
export const REGISTRATION_EXAMPLE = {
  ceremonyId: EXAMPLE_CEREMONY,
  name: "My phone",
  credential: {
    ...EXAMPLE_CREDENTIAL,
    response: { clientDataJSON: "e30", attestationObject: "oA", transports: ["internal"] },
  },
};
export const ASSERTION_EXAMPLE = {
  ceremonyId: EXAMPLE_CEREMONY,
  credential: {
    ...EXAMPLE_CREDENTIAL,
    response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA", userHandle: null },
  },
};

/** The answer that begins a ceremony, with the options for the browser. */
export function begunSchema(publicKey: JsonSchema): JsonSchema {
  return objectOf({ ceremonyId: ULID, publicKey, expiresAt: TIME });
}

const DESCRIPTOR = objectOf(
  { type: { const: "public-key" }, id: TEXT, transports: listOf(enumOf(TRANSPORTS)) },
  ["transports"],
);

/**
 * The options of `navigator.credentials.create()`, as `parseCreationOptionsFromJSON()` reads them.
 */
export const CREATION_OPTIONS: JsonSchema = {
  component: "PasskeyCreationOptions",
  ...objectOf({
    rp: objectOf({ id: TEXT, name: TEXT }),
    user: objectOf({ id: TEXT, name: TEXT, displayName: TEXT }),
    challenge: TEXT,
    pubKeyCredParams: listOf(
      objectOf({ type: { const: "public-key" }, alg: { type: "integer" } }),
    ),
    timeout: { type: "integer" },
    excludeCredentials: listOf(DESCRIPTOR),
    authenticatorSelection: objectOf({ residentKey: TEXT, userVerification: TEXT }),
    attestation: TEXT,
    extensions: ANY_OBJECT,
  }),
};

/** The options of `navigator.credentials.get()`, as `parseRequestOptionsFromJSON()` reads them. */
export const REQUEST_OPTIONS: JsonSchema = {
  component: "PasskeyRequestOptions",
  ...objectOf({
    challenge: TEXT,
    timeout: { type: "integer" },
    rpId: TEXT,
    allowCredentials: listOf(DESCRIPTOR),
    userVerification: TEXT,
  }),
};

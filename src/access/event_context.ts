/** The origin of an access event: a client's request, or an operator's command. */

import { Buffer } from "node:buffer";
import { hmacSha256 } from "../core/digest.ts";
import { type JsonSchema, nullable, TEXT } from "../validate/json_schema.ts";
import { clientName } from "./client_name.ts";

export const UNKNOWN_ADDRESS = "unknown";

/** A client, without its address or anything that it sent. */
export interface Client {
  /** Equal for equal addresses; null if unknown. */
  readonly addressDigest: string | null;
  /** From `clientName`. */
  readonly name: string;
}

export interface EventContext {
  readonly requestId: string;
  readonly now: Date;
  /** Null for a command and for the service's own start. */
  readonly client: Client | null;
}

/** The client in sessions and access events. */
export interface ShownClient {
  /** Null also for rows older than this member. */
  readonly addressDigest: string | null;
  readonly client: string | null;
}

export const SHOWN_CLIENT = {
  addressDigest: nullable({
    type: "string",
    pattern: "^[0-9a-f]{16}$",
    description: "Equal for equal client addresses; reveals nothing else.",
  }),
  client: nullable({
    ...TEXT,
    description: "Family and system as claimed by the client, such as `Firefox on Windows`.",
  }),
} as const satisfies Record<keyof ShownClient, JsonSchema>;

export interface ClientRow {
  readonly address_digest: string | null;
  readonly client: string | null;
}

export function toShownClient({ address_digest: addressDigest, client }: ClientRow): ShownClient {
  return { addressDigest, client };
}

export interface IncomingRequest {
  readonly request: Request;
  readonly requestId: string;
  readonly address: string;
  readonly now: Date;
}

export type EventContextReader = (request: IncomingRequest) => EventContext;

/** 64 bits: short enough to compare by eye, without collisions among a million addresses. */
const DIGEST_BYTES = 8;

/** Digests addresses by HMAC-SHA-256 with a key derived from the server secret. */
export function createEventContextReader(serverSecret: Uint8Array): EventContextReader {
  const key = hmacSha256(serverSecret, "client addresses");
  const digestOf = (address: string) =>
    Buffer.from(hmacSha256(key, address).subarray(0, DIGEST_BYTES)).toString("hex");
  return ({ request, requestId, address, now }) => ({
    requestId,
    now,
    client: {
      addressDigest: address === UNKNOWN_ADDRESS ? null : digestOf(address),
      name: clientName(request.headers.get("User-Agent")),
    },
  });
}

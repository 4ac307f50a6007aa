/** The context of an access event: the request of a client, or an operator's command. */

import { Buffer } from "node:buffer";
import { hmacSha256 } from "../core/digest.ts";
import { type JsonSchema, nullable, TEXT } from "../validate/json_schema.ts";
import { clientName } from "./client_name.ts";

/** Used in place of an unknown address. */
export const UNKNOWN_ADDRESS = "unknown";

/** The stored description of a client: neither its address nor anything that it sent. */
export interface Client {
  /** Equal for equal addresses; null if the address is not known. */
  readonly addressDigest: string | null;
  /** Its family and system, from `clientName`. */
  readonly name: string;
}

/** The request or command that an event comes from. */
export interface EventContext {
  readonly requestId: string;
  readonly now: Date;
  /** Null for a command and for the service's own start. */
  readonly client: Client | null;
}

/** Public members of a client, in sessions and in access events. */
export interface ShownClient {
  /** Null also for rows older than this member. */
  readonly addressDigest: string | null;
  readonly client: string | null;
}

export const SHOWN_CLIENT = {
  addressDigest: nullable({
    type: "string",
    pattern: "^[0-9a-f]{16}$",
    description: "Equal for equal client addresses, of which it tells nothing else.",
  }),
  client: nullable({
    ...TEXT,
    description: "Family and system, such as `Firefox on Windows`, as the client claims them.",
  }),
} as const satisfies Record<keyof ShownClient, JsonSchema>;

/** The columns of a client. */
export interface ClientRow {
  readonly address_digest: string | null;
  readonly client: string | null;
}

/** The public form of these columns. */
export function toShownClient({ address_digest: addressDigest, client }: ClientRow): ShownClient {
  return { addressDigest, client };
}

/** An incoming request. */
export interface IncomingRequest {
  readonly request: Request;
  readonly requestId: string;
  /** In canonical form, or `UNKNOWN_ADDRESS`. */
  readonly address: string;
  readonly now: Date;
}

/** Makes the context of the events of a request. */
export type EventContextReader = (request: IncomingRequest) => EventContext;

/** Bytes of an address's digest. */
const DIGEST_BYTES = 8;

/**
 * Digests addresses by HMAC-SHA-256 under the server secret, with a key for this purpose only. A digest has
 * 64 bits: short enough for a person to compare, and long enough that two of a million addresses are not
 * expected to collide.
 */
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

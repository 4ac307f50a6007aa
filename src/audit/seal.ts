import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { canonicalJson } from "../validate/canonical.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  SHA256,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import { type Trail, TRAIL_KINDS } from "./trail.ts";

/** The content of a seal. Its digest covers all of it. */
export interface SealContent extends Trail {
  readonly sealId: string;
  /** The seal's number in its trail, from 1. */
  readonly number: number;
  readonly entries: number;
  readonly firstId: string;
  readonly lastId: string;
  /** The root of the Merkle tree over the entries, in the order of their identifiers. Hex. */
  readonly root: string;
  /** The previous seal's digest, in hex; null in the first one. */
  readonly previous: string | null;
  readonly createdAt: string;
}

export interface Seal extends SealContent {
  readonly digest: string;
}

export const SEAL_SCHEMA: JsonSchema = component<Seal>("Seal", {
  sealId: ULID,
  accountId: ULID,
  kind: enumOf(TRAIL_KINDS),
  number: REVISION,
  entries: REVISION,
  firstId: ULID,
  lastId: ULID,
  root: SHA256,
  previous: nullable(SHA256),
  createdAt: TIME,
  digest: {
    ...SHA256,
    description: "SHA-256 of a byte 2 and the other members in canonical JSON (RFC 8785).",
  },
});

/** Distinguishes seals from leaves and nodes. */
const SEAL = Uint8Array.of(2);

export function sealDigest(content: SealContent): string {
  return createHash("sha256").update(SEAL).update(canonicalJson({ ...content })).digest("hex");
}

export function sealed(content: SealContent): Seal {
  return { ...content, digest: sealDigest(content) };
}

export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

/** A seal over a batch of a trail's entries, and its digest. */

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
  /** Counts the seals of the trail, from 1. */
  readonly number: number;
  /** How many entries it covers. */
  readonly entries: number;
  readonly firstId: string;
  readonly lastId: string;
  /** The root of the Merkle tree over them, in the order of their identifiers. Hex. */
  readonly root: string;
  /** The digest of the seal before; null in the first one. Hex. */
  readonly previous: string | null;
  readonly createdAt: string;
}

/** A seal as its account sees it. */
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

/** Sets a seal's bytes apart from those of leaves and nodes. */
const SEAL = Uint8Array.of(2);

/** The digest of a seal, in hex. */
export function sealDigest(content: SealContent): string {
  return createHash("sha256").update(SEAL).update(canonicalJson({ ...content })).digest("hex");
}

/** Adds the digest. */
export function sealed(content: SealContent): Seal {
  return { ...content, digest: sealDigest(content) };
}

/** The hash in hex. */
export function hexOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}

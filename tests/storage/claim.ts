/** The SQL of a write's claim, called directly. */

import type { Tx } from "../../src/database/database.ts";

export interface ClaimParameters {
  readonly owner: string;
  readonly operation: string;
  readonly target: string;
  readonly key: string | null;
  readonly fingerprint?: string;
  readonly fingerprintKey?: string;
  readonly frozen?: boolean;
}

export interface Claim {
  readonly verdict: string;
  readonly envelope: string | null;
}

export async function claimCommand(tx: Tx, parameters: ClaimParameters): Promise<Claim> {
  const { owner, operation, target, key } = parameters;
  const { fingerprint = "same request", fingerprintKey = "key 1", frozen = false } = parameters;
  const bytes = new TextEncoder().encode(fingerprint);
  const [response] = await tx.sql<Claim>`
    select verdict, envelope
      from claim_command(${owner}, ${operation}, ${target}, ${key}, ${bytes}, ${fingerprintKey},
                        ${frozen})`;
  if (response === undefined) throw new Error("The claim has no verdict");
  return response;
}

/** Stores a finished write's envelope. */
export async function leaveEnvelope(
  tx: Tx,
  { owner, operation, target, key, fingerprint = "same request", fingerprintKey = "key 1" }:
    ClaimParameters,
): Promise<void> {
  const bytes = new TextEncoder().encode(fingerprint);
  await tx.sql`
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
    values (${owner}, ${operation}, ${target}, ${key}, ${bytes}, ${fingerprintKey},
            '{"v": 1}', now())`;
}

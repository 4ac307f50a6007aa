/** The gate of a write as SQL, for the suites that ask it directly. */

import type { Tx } from "../../src/database/database.ts";

/** What a write tells the gate. */
export interface GateQuestion {
  readonly owner: string;
  readonly operation: string;
  readonly target: string;
  readonly key: string | null;
  readonly fingerprint?: string;
  readonly fingerprintKey?: string;
  readonly frozen?: boolean;
}

/** What the gate answers. */
export interface GateAnswer {
  readonly verdict: string;
  readonly envelope: string | null;
}

/** Asks the gate. */
export async function askGate(tx: Tx, question: GateQuestion): Promise<GateAnswer> {
  const { owner, operation, target, key } = question;
  const { fingerprint = "same request", fingerprintKey = "key 1", frozen = false } = question;
  const bytes = new TextEncoder().encode(fingerprint);
  const [answer] = await tx.sql<GateAnswer>`
    select verdict, envelope
      from command_gate(${owner}, ${operation}, ${target}, ${key}, ${bytes}, ${fingerprintKey},
                        ${frozen})`;
  if (answer === undefined) throw new Error("The gate gave no verdict");
  return answer;
}

/** Leaves the envelope of a finished write. */
export async function leaveEnvelope(
  tx: Tx,
  { owner, operation, target, key, fingerprint = "same request", fingerprintKey = "key 1" }:
    GateQuestion,
): Promise<void> {
  const bytes = new TextEncoder().encode(fingerprint);
  await tx.sql`
    insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                       fingerprint_key, envelope, created_at)
    values (${owner}, ${operation}, ${target}, ${key}, ${bytes}, ${fingerprintKey},
            '{"v": 1}', now())`;
}

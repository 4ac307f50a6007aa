import { newSecret, sha256 } from "../core/digest.ts";
import { firstIdAt, newId } from "../core/ids.ts";
import { STEP_UPS } from "../core/shares.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Caller } from "./identity.ts";

/** The purposes of a proof. */
export const STEP_UP_PURPOSES = [
  "RELATIONSHIP_EVALUATION_CONFIRM",
  "MEMORY_PRIVACY_DOWNGRADE",
  "MEMORY_SECRET_EXPORT",
  "IDENTITY_LEGACY_DRILL",
  "IDENTITY_PUBLISH",
  "ACCOUNT_EXPORT",
  "TOKEN_CREATE",
  "SECOND_FACTOR_CHANGE",
] as const;

export type StepUpPurpose = (typeof STEP_UP_PURPOSES)[number];

/** The request header that carries a proof. */
export const PROOF_HEADER = "Step-Up-Proof";

/** What a proof is bound to, in addition to its session. */
export interface StepUpUse {
  readonly purpose: StepUpPurpose;
  /** The subject's identifier; null if the purpose has none, or for any subject. */
  readonly targetId: string | null;
}

/** A use of a proof, and the proof that was sent for it. */
export interface ProvenUse extends StepUpUse {
  readonly proof: string | null;
}

/** A new proof, shown once. */
export interface IssuedProof {
  readonly proof: string;
  readonly expiresAt: string;
}

/**
 * One-time proofs that the person confirmed the password a moment ago (specification, Authentication).
 * Without this service, everything that requires a proof is refused.
 */
export interface StepUp {
  /** Makes a proof, in the transaction that holds the proven account. */
  issue(tx: Tx, caller: Caller, use: StepUpUse, now: Date): Promise<IssuedProof>;
  /**
   * Consumes a proof in the caller's transaction: a rollback restores it, and concurrent requests cannot
   * use it twice.
   *
   * @throws ServiceError `STEP_UP_REQUIRED` if it is missing, expired, used, or bound to another session,
   * purpose or target.
   */
  consume(sql: Sql, caller: Caller, use: ProvenUse, now: Date): Promise<void>;
  /**
   * Refuses what `consume` would refuse now, and spends nothing: for work that is begun before its
   * transaction.
   *
   * @throws ServiceError `STEP_UP_REQUIRED`.
   */
  assertUsable(sql: Sql, caller: Caller, use: ProvenUse, now: Date): Promise<void>;
}

const PROOF_LIFETIME_MS = 5 * 60 * 1000;

/** Proofs in the service's own database. */
export const storedStepUp: StepUp = {
  async issue(tx, { account, credential }, { purpose, targetId }, now) {
    const proof = newSecret("prs_x_");
    const expiresAt = new Date(now.getTime() + PROOF_LIFETIME_MS);
    await tx.sql`
      insert into step_up_proofs (account_id, proof_id, session_id, secret_digest, purpose,
                                  target_id, created_at, expires_at)
      values (${account.accountId}, ${newId(now)}, ${credential.id}, ${sha256(proof)}, ${purpose},
              ${targetId}, ${now}, ${expiresAt})`;
    return { proof, expiresAt: expiresAt.toISOString() };
  },

  async consume(sql, caller, use, now) {
    // The updated row is the lock: a second use waits here, and then finds the proof ended.
    const spent = await sql`
      update step_up_proofs set ended_at = ${now} where ${isUsable(sql, caller, use, now)}
      returning 1`;
    if (spent.length === 0) throw new ServiceError("STEP_UP_REQUIRED");
  },

  async assertUsable(sql, caller, use, now) {
    const found = await sql`
      select 1 from step_up_proofs where ${isUsable(sql, caller, use, now)}`;
    if (found.length === 0) throw new ServiceError("STEP_UP_REQUIRED");
  },
};

function isUsable(
  sql: Sql,
  { account, credential }: Caller,
  { proof, purpose, targetId }: ProvenUse,
  now: Date,
): Query<object> {
  if (proof === null || credential.kind !== "SESSION") throw new ServiceError("STEP_UP_REQUIRED");
  return sql`
    account_id = ${account.accountId} and session_id = ${credential.id}
      and secret_digest = ${sha256(proof)} and purpose = ${purpose}
      and (target_id is null or target_id = ${targetId})
      and expires_at > ${now} and ended_at is null`;
}

const PROOF_WINDOW_MS = 15 * 60 * 1000;

/**
 * Seconds, at most 900, until an account that received 20 proofs within 15 minutes can get another one; 0
 * if it can now. Counts all sessions of the account, in every process.
 */
export async function secondsUntilProof(sql: Sql, accountId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - PROOF_WINDOW_MS + 1);
  const [oldest] = await sql<{ created_at: Date }>`
    select created_at from step_up_proofs
     where account_id = ${accountId} and proof_id >= ${firstIdAt(since)}
     order by proof_id desc offset ${STEP_UPS - 1} limit 1`;
  if (oldest === undefined) return 0;
  const left = oldest.created_at.getTime() + PROOF_WINDOW_MS - now.getTime();
  return Math.ceil(Math.min(left, PROOF_WINDOW_MS) / 1000);
}

/** Ends an account's proofs, except those of one session. */
export async function endProofs(
  tx: Tx,
  accountId: string,
  now: Date,
  except: string | null = null,
): Promise<void> {
  await tx.sql`
    update step_up_proofs set ended_at = ${now}
     where account_id = ${accountId} and ended_at is null
       and session_id is distinct from ${except}`;
}

import { withClockTolerance } from "../core/clock.ts";
import { newSecret, sha256 } from "../core/digest.ts";
import { firstIdAt, newId } from "../core/ids.ts";
import { STEP_UPS } from "../core/shares.ts";
import type { Tx } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Caller } from "./identity.ts";

export const STEP_UP_PURPOSES = [
  "RELATIONSHIP_EVALUATION_CONFIRM",
  "MEMORY_PRIVACY_DOWNGRADE",
  "MEMORY_SECRET_EXPORT",
  "IDENTITY_LEGACY_DRILL",
  "IDENTITY_PUBLISH",
  "ACCOUNT_EXPORT",
  "TOKEN_CREATE",
  "SECOND_FACTOR_CHANGE",
  "PASSKEY_CHANGE",
  "RELATIONSHIP_EXPORT",
  "IMPORT_WITHDRAW",
  "ASSISTANT_ALLOW",
] as const;

export type StepUpPurpose = (typeof STEP_UP_PURPOSES)[number];

export const PROOF_HEADER = "Step-Up-Proof";

/** Purpose and subject of a proof, which is also bound to its session. */
export interface StepUpUse {
  readonly purpose: StepUpPurpose;
  /** Null if the purpose has no subject, or for any subject. */
  readonly targetId: string | null;
}

interface WantedProof extends StepUpUse {
  /** A proof by passkey does not count against the limit of proofs. */
  readonly byPasskey?: boolean;
}

interface ProvenUse extends StepUpUse {
  readonly proof: string | null;
}

interface IssuedProof {
  readonly proof: string;
  readonly expiresAt: string;
}

/** One-time proofs that the person just confirmed the password or used a passkey. */
export interface StepUp {
  /** @param tx The transaction that holds the proven account's lock. */
  issue(tx: Tx, caller: Caller, wanted: WantedProof, now: Date): Promise<IssuedProof>;
  /**
   * Consumes a proof in the caller's transaction: a rollback restores it; concurrent requests
   * cannot both use it.
   *
   * @throws ServiceError `STEP_UP_REQUIRED` if it is missing, expired, used, or bound to another
   *   session, purpose or target.
   */
  consume(sql: Sql, caller: Caller, use: ProvenUse, now: Date): Promise<void>;
  /**
   * Makes the checks of `consume` without using the proof up, for work that begins before its
   * transaction.
   *
   * @throws ServiceError `STEP_UP_REQUIRED`.
   */
  assertUsable(sql: Sql, caller: Caller, use: ProvenUse, now: Date): Promise<void>;
}

/** The refusal of an operation that needs a proof: its details name the purpose to confirm. */
function stepUpRequired(purpose: StepUpPurpose): ServiceError {
  return new ServiceError("STEP_UP_REQUIRED", { details: { purpose } });
}

const PROOF_LIFETIME_MS = 5 * 60 * 1000;

export const storedStepUp: StepUp = {
  async issue(tx, { account, credential }, { purpose, targetId, byPasskey = false }, now) {
    const proof = newSecret("prs_x_");
    const expiresAt = new Date(now.getTime() + PROOF_LIFETIME_MS);
    await tx.sql`
      insert into step_up_proofs (account_id, proof_id, session_id, secret_digest, purpose,
                                  target_id, by_passkey, created_at, expires_at)
      values (${account.accountId}, ${newId(now)}, ${credential.id}, ${sha256(proof)}, ${purpose},
              ${targetId}, ${byPasskey}, ${now}, ${expiresAt})`;
    return { proof, expiresAt: expiresAt.toISOString() };
  },

  async consume(sql, caller, use, now) {
    // The updated row is the lock: a concurrent request waits here and then finds the proof used.
    const spent = await sql`
      update step_up_proofs set ended_at = ${now} where ${isUsable(sql, caller, use, now)}
      returning 1`;
    if (spent.length === 0) throw stepUpRequired(use.purpose);
  },

  async assertUsable(sql, caller, use, now) {
    const found = await sql`
      select 1 from step_up_proofs where ${isUsable(sql, caller, use, now)}`;
    if (found.length === 0) throw stepUpRequired(use.purpose);
  },
};

function isUsable(
  sql: Sql,
  { account, credential }: Caller,
  { proof, purpose, targetId }: ProvenUse,
  now: Date,
): Query<object> {
  if (proof === null || credential.kind !== "SESSION") throw stepUpRequired(purpose);
  return sql`
    account_id = ${account.accountId} and session_id = ${credential.id}
      and secret_digest = ${sha256(proof)} and purpose = ${purpose}
      and (target_id is null or target_id = ${targetId})
      and created_at <= ${withClockTolerance(now)} and expires_at > ${now} and ended_at is null`;
}

const PROOF_WINDOW_MS = 15 * 60 * 1000;

/**
 * Returns the seconds, at most 900; 0 if fewer than 20 proofs by password were issued within 15
 * minutes. Counts all sessions in every process.
 */
export async function secondsUntilProof(sql: Sql, accountId: string, now: Date): Promise<number> {
  const since = new Date(now.getTime() - PROOF_WINDOW_MS + 1);
  const [oldest] = await sql<{ created_at: Date }>`
    select created_at from step_up_proofs
     where account_id = ${accountId} and proof_id >= ${firstIdAt(since)} and not by_passkey
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

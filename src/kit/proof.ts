import { PROOF_HEADER, type StepUp, type StepUpUse } from "../access/step_up.ts";
import type { Sql } from "../database/sql.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { SignedInCall } from "../http/route.ts";
import type { FamilyServices } from "./write.ts";

export interface ProofServices extends FamilyServices {
  /** Null without step-up proofs: everything that requires one is then rejected. */
  readonly stepUp: StepUp | null;
}

/** The subject may be absent, as for null. */
type Use = Pick<StepUpUse, "purpose"> & Partial<StepUpUse>;

/**
 * Consumes the request's proof, in the transaction of its write.
 *
 * @throws ServiceError `impossible` without step-up, and for a token, because only a session can
 *   confirm a password. Otherwise `STEP_UP_REQUIRED` for a missing or wrong proof.
 */
export async function spendProof(
  services: Pick<ProofServices, "stepUp">,
  call: SignedInCall,
  sql: Sql,
  use: Use,
  impossible: ErrorCode = "STEP_UP_REQUIRED",
): Promise<void> {
  const stepUp = requireStepUp(services, call, use, impossible);
  await stepUp.consume(sql, call.caller, provenUse(call, use), call.now);
}

/**
 * Makes the checks of `spendProof` without using the proof up, for work that begins before its
 * transaction.
 *
 * @throws ServiceError `STEP_UP_REQUIRED`.
 */
export async function assertProof(
  services: Pick<ProofServices, "stepUp">,
  call: SignedInCall,
  sql: Sql,
  use: Use,
): Promise<void> {
  const stepUp = requireStepUp(services, call, use, "STEP_UP_REQUIRED");
  await stepUp.assertUsable(sql, call.caller, provenUse(call, use), call.now);
}

function requireStepUp(
  { stepUp }: Pick<ProofServices, "stepUp">,
  { caller }: SignedInCall,
  { purpose }: Use,
  impossible: ErrorCode,
): StepUp {
  if (stepUp !== null && caller.credential.kind === "SESSION") return stepUp;
  throw new ServiceError(impossible, { details: { purpose } });
}

function provenUse({ request }: SignedInCall, { purpose, targetId = null }: Use) {
  return { purpose, targetId, proof: request.headers.get(PROOF_HEADER) };
}

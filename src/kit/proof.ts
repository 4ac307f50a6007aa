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

/**
 * Consumes the request's proof, in the transaction of its write.
 *
 * @throws ServiceError `impossible` without step-up, and for a token, because only a session can
 *   confirm a password. Otherwise `STEP_UP_REQUIRED` for a missing or wrong proof.
 */
export async function spendProof(
  { stepUp }: ProofServices,
  { caller, request, now }: SignedInCall,
  sql: Sql,
  use: StepUpUse,
  impossible: ErrorCode,
): Promise<void> {
  if (stepUp === null || caller.credential.kind !== "SESSION") {
    throw new ServiceError(impossible, { details: { purpose: use.purpose } });
  }
  const proof = request.headers.get(PROOF_HEADER);
  await stepUp.consume(sql, caller, { ...use, proof }, now);
}

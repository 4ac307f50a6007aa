/** The step-up proof that a request carries for what needs one. */

import { PROOF_HEADER, type StepUp, type StepUpUse } from "../../access/step_up.ts";
import type { Sql } from "../../database/sql.ts";
import type { ErrorCode } from "../../errors/codes.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { SignedInCall } from "../../http/route.ts";
import type { FamilyServices } from "./write.ts";

/** The dependencies of routes that require a proof. */
export interface ProofServices extends FamilyServices {
  /** Null if the application has no step-up proofs: everything that requires one is then refused. */
  readonly stepUp: StepUp | null;
}

/**
 * Consumes the proof of a request, in the transaction of its write.
 *
 * @throws ServiceError `impossible` if no proof is possible: without step-up, and for a token, because only
 * a session can confirm a password. Otherwise `STEP_UP_REQUIRED` for a missing or wrong proof.
 */
export async function spendProof(
  { stepUp }: ProofServices,
  { caller, request, now }: SignedInCall,
  sql: Sql,
  use: StepUpUse,
  impossible: ErrorCode,
): Promise<void> {
  if (stepUp === null || caller.credential.kind !== "SESSION") throw new ServiceError(impossible);
  const proof = request.headers.get(PROOF_HEADER);
  await stepUp.consume(sql, caller, { ...use, proof }, now);
}

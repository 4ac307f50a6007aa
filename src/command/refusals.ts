/** Errors for writes that the claim or a constraint of the database refuses. */

import { databaseFailure } from "../database/failures.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { Command, CommonWork } from "./command.ts";
import type { ClaimRow } from "./ledger.ts";

/** @param operation The write's audit name. */
export function accountFrozen(operation: string): ServiceError {
  return new ServiceError("SYSTEM_MAINTENANCE", {
    details: { scope: "ACCOUNT_WRITES", entryPoint: operation },
  });
}

/** @param limit In bytes. */
export function storageFull(limit: number): ServiceError {
  return new ServiceError("ACCOUNT_STORAGE_FULL", { details: { limit } });
}

export function claimRefusal({ operation }: Command, { verdict }: ClaimRow): Error {
  switch (verdict) {
    case "MAINTENANCE":
      return new ServiceError("SYSTEM_MAINTENANCE", {
        details: { scope: "ORDINARY_WRITES", entryPoint: operation },
      });
    case "FROZEN":
      return accountFrozen(operation);
    case "IN_PROGRESS":
      return new ServiceError("IDEMPOTENCY_IN_PROGRESS", { details: { operation } });
    case "REUSED":
      return new ServiceError("IDEMPOTENCY_KEY_REUSED", { details: { operation } });
    default:
      return new Error(`A claim with the verdict ${verdict} is not refused`);
  }
}

/** The original error if the constraint has no code. */
export function constraintRefusal(
  error: unknown,
  constraints: CommonWork<unknown>["constraints"] = {},
): unknown {
  const name = databaseFailure(error)?.constraint ?? "";
  const refusal = Object.hasOwn(constraints, name) ? constraints[name] : undefined;
  if (refusal === undefined) return error;
  return typeof refusal === "string" ? new ServiceError(refusal, { cause: error }) : refusal();
}

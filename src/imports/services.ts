import type { StepUp } from "../access/step_up.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { SignedInCall } from "../http/route.ts";
import type { ImportRow } from "./import.ts";
import { findImport } from "./import_store.ts";
import type { ImportWorker } from "./worker.ts";
import type { WorkServices } from "./work.ts";

export interface ImportServices extends WorkServices {
  readonly serverSecret: Uint8Array;
  /** Null if the application has no step-up proofs: then nothing can be withdrawn. */
  readonly stepUp: StepUp | null;
  readonly maximumBytes: number;
  readonly worker: Pick<ImportWorker, "wake">;
}

/** The refusal while the service works on another import of the account. */
export function busy(): ServiceError {
  return new ServiceError("HTTP_429");
}

/** @throws ServiceError `RECORD_NOT_FOUND`. */
export async function requireImport(
  { database }: Pick<ImportServices, "database">,
  { caller }: Pick<SignedInCall, "caller">,
  importId: string,
): Promise<ImportRow> {
  const owner = caller.account.accountId;
  const [row] = await database.read((sql) => findImport(sql, owner, importId));
  if (row === undefined) throw new ServiceError("RECORD_NOT_FOUND");
  return row;
}

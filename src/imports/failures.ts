/** Errors of the work on an import: retried ones, and those that refuse the file. */

import { DiskNearlyFullError } from "../command/write_limits.ts";
import { errorCode } from "../core/error_code.ts";
import { SpoolFullError } from "../core/spool_shares.ts";
import { ERROR_CODES } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { FileRefusal, type FileRule } from "./refusal.ts";

/** Tries of reading a file, and of a batch of a run. */
export const MAX_TRIES = 3;

/** The work ended without an error: the import was stopped, or its owner's account was disabled. */
export class WorkEndedError extends Error {
  override readonly name = "WorkEndedError";

  constructor() {
    super("The work on an import has ended");
  }
}

/** True if a retry may succeed: the database is away, the disk is full, or writes are frozen. */
export function isRetried(error: unknown): boolean {
  return error instanceof ServiceError && ERROR_CODES[error.code].status === 503;
}

/**
 * Converts an error of reading to a refusal; null for an error that is retried.
 *
 * @param place The place of the item at work; 0 before the first.
 */
export function refusalOf(error: unknown, place: number): FileRefusal | null {
  if (error instanceof FileRefusal) return error;
  const refuse = (rule: FileRule) => new FileRefusal(rule, place);
  if (error instanceof SpoolFullError) return refuse("import.spool");
  if (isDiskFull(error)) return refuse("import.disk");
  return isRetried(error) ? null : refuse("import.failed");
}

/** True for the disk of the spool, not for the database's. */
function isDiskFull(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : null;
  if (cause instanceof DiskNearlyFullError) return true;
  return ["ENOSPC", "EDQUOT"].includes(errorCode(cause));
}

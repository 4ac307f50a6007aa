import { AuthorizationIdentifierConflictError } from "../../access/authorization.ts";
import { ServerSecretError } from "../../access/server_secret.ts";
import { BackupError } from "../backup/backup_error.ts";
import { ConfigError } from "../config/config.ts";
import { errorFields } from "../../core/log.ts";
import { MigrationError } from "../../database/migrate.ts";
import { isUnavailable } from "../../database/failures.ts";
import { ExplainedError } from "../../errors/operator_error.ts";
import { failureCause, isLackOfRights } from "../../errors/failure_cause.ts";

const EXIT_FAILURE = 1;
const EXIT_IDENTIFIER_CONFLICT = 3;
/** For a command that has finished, but reports missing parts. */
export const EXIT_INCOMPLETE = 3;
/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78;

/** Returns 3 for conflicting identifiers, 78 for a permanent failure, otherwise 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AuthorizationIdentifierConflictError) return EXIT_IDENTIFIER_CONFLICT;
  return isPermanent(error) ? EXIT_CONFIGURATION : EXIT_FAILURE;
}

/** True if a new try cannot succeed before somebody changes something. */
function isPermanent(error: unknown): boolean {
  if (error instanceof ExplainedError) return error.isPermanent;
  const kinds = [ConfigError, ServerSecretError, MigrationError];
  return kinds.some((kind) => error instanceof kind) || isLackOfRights(error);
}

/** True for errors whose message names the reason, and contains no value. */
export function isExplained(error: unknown): error is Error {
  const kinds = [
    ConfigError,
    ServerSecretError,
    MigrationError,
    AuthorizationIdentifierConflictError,
    BackupError,
    ExplainedError,
  ];
  return kinds.some((kind) => error instanceof kind);
}

/**
 * Returns the reason, after words such as "Cannot start". Our own messages do not contain values.
 * Any other error may quote one, so only the path of a file is used from its message; without a
 * known cause its class and code are printed.
 */
export function explainFailure(error: unknown, cannot: string): string {
  if (isExplained(error)) return error.message;
  if (error instanceof Deno.errors.AddrInUse) return `${cannot}: HOST and PORT are in use`;
  const cause = failureCause(error);
  if (cause !== null) return `${cannot}: ${cause}`;
  const { error: kind, code } = errorFields(error);
  if (code === "HTTP_503" || isUnavailable(error)) {
    return `${cannot}: the database cannot be reached`;
  }
  return `${cannot}: ${kind}${code ? ` ${code}` : ""}`;
}

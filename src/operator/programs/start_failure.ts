import { AuthorizationIdentifierConflictError } from "../../access/authorization.ts";
import { ServerSecretError } from "../../access/server_secret.ts";
import { BackupError } from "../backup/backup_error.ts";
import { ConfigError } from "../config/config.ts";
import { errorFields } from "../../core/log.ts";
import { EmbeddedDatabaseError } from "../../database/embedded.ts";
import { MigrationError } from "../../database/migrate.ts";
import { isUnavailable } from "../../database/failures.ts";
import { DatabaseServerError } from "../../database/server_check.ts";
import { OperatorError } from "../../errors/operator_error.ts";

const EXIT_FAILURE = 1;
const EXIT_IDENTIFIER_CONFLICT = 3;
/** For a command that did its work, except for what it names. */
export const EXIT_INCOMPLETE = 3;
/** EX_CONFIG of sysexits.h. */
const EXIT_CONFIGURATION = 78;

/** 3 for conflicting identifiers, 78 for the configuration, otherwise 1. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof AuthorizationIdentifierConflictError) return EXIT_IDENTIFIER_CONFLICT;
  const isConfiguration = error instanceof ConfigError || error instanceof ServerSecretError;
  return isConfiguration ? EXIT_CONFIGURATION : EXIT_FAILURE;
}

/** True for errors whose message names the reason, and contains no value. */
export function isExplained(error: unknown): error is Error {
  const kinds = [
    ...[ConfigError, ServerSecretError, EmbeddedDatabaseError, DatabaseServerError],
    ...[MigrationError, AuthorizationIdentifierConflictError, BackupError, OperatorError],
  ];
  return kinds.some((kind) => error instanceof kind);
}

/**
 * Returns the reason, as in "Cannot start". An error that is not explained may quote a value, so only its
 * class and code are named.
 */
export function explainFailure(error: unknown, cannot: string): string {
  if (isExplained(error)) return error.message;
  if (error instanceof Deno.errors.AddrInUse) return `${cannot}: HOST and PORT are in use`;
  const { error: kind, code } = errorFields(error);
  if (code === "HTTP_503" || isUnavailable(error)) {
    return `${cannot}: the database cannot be reached`;
  }
  return `${cannot}: ${kind}${code ? ` ${code}` : ""}`;
}

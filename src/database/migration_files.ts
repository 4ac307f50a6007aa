import guards from "../../sql/0001_guards.sql" with { type: "text" };
import access from "../../sql/0002_access.sql" with { type: "text" };
import commands from "../../sql/0003_commands.sql" with { type: "text" };
import records from "../../sql/0004_records.sql" with { type: "text" };
import attachments from "../../sql/0005_attachments.sql" with { type: "text" };
import authorization from "../../sql/0006_authorization.sql" with { type: "text" };
import authorizationIdentifiers from "../../sql/0007_authorization_identifiers.sql" with {
  type: "text",
};
import accessAttempts from "../../sql/0008_access_attempts.sql" with { type: "text" };
import projections from "../../sql/0009_projections.sql" with { type: "text" };
import memory from "../../sql/0010_memory.sql" with { type: "text" };
import attemptsAnHour from "../../sql/0011_attempts_an_hour.sql" with { type: "text" };
import sessionSources from "../../sql/0012_session_sources.sql" with { type: "text" };
import names from "../../sql/0013_names.sql" with { type: "text" };
import familyRoots from "../../sql/0014_family_roots.sql" with { type: "text" };
import decision from "../../sql/0015_decision.sql" with { type: "text" };
import identity from "../../sql/0016_identity.sql" with { type: "text" };
import relationship from "../../sql/0017_relationship.sql" with { type: "text" };
import resource from "../../sql/0018_resource.sql" with { type: "text" };
import taxonomy from "../../sql/0019_taxonomy.sql" with { type: "text" };
import evaluation from "../../sql/0020_evaluation.sql" with { type: "text" };
import auditSeals from "../../sql/0021_audit_seals.sql" with { type: "text" };
import secondFactor from "../../sql/0022_second_factor.sql" with { type: "text" };
import accountExports from "../../sql/0023_account_exports.sql" with { type: "text" };
import changes from "../../sql/0024_changes.sql" with { type: "text" };
import scheduledBackups from "../../sql/0025_scheduled_backups.sql" with { type: "text" };
import search from "../../sql/0026_search.sql" with { type: "text" };
import accountMoves from "../../sql/0027_account_moves.sql" with { type: "text" };
import claimInOneRead from "../../sql/0028_claim_in_one_read.sql" with { type: "text" };
import cheaperGuards from "../../sql/0029_cheaper_guards.sql" with { type: "text" };
import assumedIdentities from "../../sql/0030_assumed_identities.sql" with { type: "text" };

/** One forward step of the schema. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** All steps in order. Imported as text, so that a compiled binary carries them. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "guards", sql: guards },
  { version: 2, name: "access", sql: access },
  { version: 3, name: "commands", sql: commands },
  { version: 4, name: "records", sql: records },
  { version: 5, name: "attachments", sql: attachments },
  { version: 6, name: "authorization", sql: authorization },
  { version: 7, name: "authorization_identifiers", sql: authorizationIdentifiers },
  { version: 8, name: "access_attempts", sql: accessAttempts },
  { version: 9, name: "projections", sql: projections },
  { version: 10, name: "memory", sql: memory },
  { version: 11, name: "attempts_an_hour", sql: attemptsAnHour },
  { version: 12, name: "session_sources", sql: sessionSources },
  { version: 13, name: "names", sql: names },
  { version: 14, name: "family_roots", sql: familyRoots },
  { version: 15, name: "decision", sql: decision },
  { version: 16, name: "identity", sql: identity },
  { version: 17, name: "relationship", sql: relationship },
  { version: 18, name: "resource", sql: resource },
  { version: 19, name: "taxonomy", sql: taxonomy },
  { version: 20, name: "evaluation", sql: evaluation },
  { version: 21, name: "audit_seals", sql: auditSeals },
  { version: 22, name: "second_factor", sql: secondFactor },
  { version: 23, name: "account_exports", sql: accountExports },
  { version: 24, name: "changes", sql: changes },
  { version: 25, name: "scheduled_backups", sql: scheduledBackups },
  { version: 26, name: "search", sql: search },
  { version: 27, name: "account_moves", sql: accountMoves },
  { version: 28, name: "claim_in_one_read", sql: claimInOneRead },
  { version: 29, name: "cheaper_guards", sql: cheaperGuards },
  { version: 30, name: "assumed_identities", sql: assumedIdentities },
];

/** The SQL around a family's statement. A store includes it, and names none of its tables. */

import { Buffer } from "node:buffer";
import { isFrozenAccount } from "../access/account_row.ts";
import { newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { AuditedSubject, Command, Plan, PlannedWrite } from "./command.ts";
import { writeEnvelope } from "./envelope.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";
import type { WriteLimits } from "./write_limits.ts";

/**
 * Reads the verdict without a claim, which would block the request that holds the key. It is GO if
 * there is no envelope, maintenance window or frozen account.
 */
export function peekStatement(sql: Sql, command: Command): Query<ClaimRow> {
  const { caller: { account: { accountId: owner } }, key } = command;
  return sql<ClaimRow>`
    select case
             when ${command.frozen} and w.active then 'MAINTENANCE'
             when e.envelope is null and ${isFrozenAccount(sql, sql`${owner}`)} then 'FROZEN'
             when e.envelope is null then 'GO'
             when e.fingerprint_key = ${key?.fingerprintKey ?? null}
                  and e.fingerprint <> ${key?.fingerprint ?? null}::bytea then 'REUSED'
             else 'REPLAY'
           end as verdict, e.envelope::text as envelope
      from maintenance_window w left join idempotency_envelopes e
        on e.owner_id = ${owner} and e.operation = ${command.scope}
           and e.target = ${command.target} and e.idempotency_key = ${key?.key ?? null}`;
}

/**
 * Claims the key, then selects and locks a row, if any; `found` is null if there is none. One
 * statement suffices, because a row lock always reads the row's newest version.
 *
 * `offset 0` keeps the planner from flattening the inner query into a join condition: the row would
 * be locked for every verdict, and a repetition would wait instead of failing with
 * IDEMPOTENCY_IN_PROGRESS.
 */
export function claimStatement<Root>(
  sql: Sql,
  command: Command,
  service: WritingService,
  lock: Query<Root & object> | null = null,
): Query<ClaimRow & Root & { readonly found: true | null }> {
  const root = lock === null ? sql`select null as found` : sql`
    select true as found, locked.* from (${lock}) locked where claim.verdict = 'GO' offset 0`;
  return sql`
    with ${claimCte(sql, [{ command, decision: null }], service)}
    select claim.verdict, claim.envelope, root.*
      from claim left join lateral (${root}) root on true`;
}

export interface WritingService {
  readonly limits: WriteLimits;
  /** The credential id in audit entries of the service's own writes. */
  readonly processId: string;
}

/** A command, with its decision if that is known. */
export interface SentCommand {
  readonly command: Command;
  readonly decision: Plan<unknown> | null;
}

/**
 * The fragments of a statement that writes one or several decisions.
 *
 * @param claim Made from the same commands.
 */
export function ledgerOf(
  sql: Sql,
  [{ command, decision }]: readonly [SentCommand, ...SentCommand[]],
  claim: Query<object>,
): Ledger {
  const { acceptance } = command;
  const isAcceptance = acceptance !== undefined && decision !== null && !("refusal" in decision);
  const accepted = isAcceptance ? sql`${acceptance.entries(sql, decision)}, ` : sql``;
  return { claim, ctes: sql`${accepted}${auditEntry(sql)}, ${envelopeRow(sql)}` };
}

/**
 * The statement for a key claimed earlier in the transaction. If the write changes nothing, it only
 * stores the envelope; null without a key.
 */
export function claimedStatement(
  sql: Sql,
  command: Command,
  decision: Plan<unknown>,
  service: WritingService,
): Query<ClaimRow> | null {
  const sent = { command, decision };
  const claim = claimedCte(sql, sent, service);
  const { statement } = decision;
  if (statement !== null) return statement(sql, ledgerOf(sql, [sent], claim));
  if ("refusal" in decision || command.key === null) return null;
  const { acceptance } = command;
  const accepted = acceptance === undefined ? sql`` : sql`${acceptance.entries(sql, decision)},`;
  return sql<ClaimRow>`
    with ${claim}, ${accepted} ${envelopeRow(sql)}
    select verdict, envelope from claim`;
}

/**
 * `claim`, with one row for each command. A command whose cached identity no longer holds has no
 * row. The identity is checked after the claim, because the claim's locks may have waited.
 * Also sets the limit that the triggers of account_storage enforce in this transaction, so it must
 * be the same for all commands.
 *
 * `collate "default"`: with the collation of type ulid the functions could not use their indexes.
 * `limit 1`: otherwise the planner expects a thousand rows of each call.
 *
 * @param lock The CTE is then `STALE` without a row of this query, which can read `sent`; it is
 *   locked after the claim, and only for GO.
 */
export function claimCte(
  sql: Sql,
  sent: readonly SentCommand[],
  service: WritingService,
  lock: Query<object> | null = null,
): Query<object> {
  const verdict = lock === null ? sql`claimed.verdict` : sql`
    case when claimed.verdict = 'GO' and row_lock.found is null then 'STALE'
         else claimed.verdict
    end as verdict`;
  const locking = lock === null ? sql`` : sql`
    left join lateral (
      select true as found from (${lock}) locked where claimed.verdict = 'GO' offset 0
    ) row_lock on true`;
  return sql`
    claim as materialized (
      select ${verdict}, claimed.envelope, sent.*
        from ${sentCommands(sql, sent, service)} cross join lateral (
          select claimed.*, set_config('prs.account_storage_bytes', sent.storage_limit, true)
            from claim_command(
              sent.owner_id collate "default", sent.operation, sent.target, sent.idempotency_key,
              sent.fingerprint, sent.fingerprint_key, sent.is_frozen) claimed
           where sent.identity_id is null or identity_holds(
              sent.owner_id collate "default", sent.identity_id, sent.identity_role,
              sent.identity_used_since, sent.requested_at)
           limit 1) claimed ${locking}
    )`;
}

/** `claim`: the key was claimed earlier in this transaction. */
function claimedCte(sql: Sql, sent: SentCommand, service: WritingService): Query<object> {
  return sql`
    claim as materialized (
      select 'GO'::text as verdict, null::text as envelope, sent.*
        from ${sentCommands(sql, [sent], service)}
    )`;
}

/** The commands as rows of one parameter; `number` is their place, from 0. */
function sentCommands(
  sql: Sql,
  sent: readonly SentCommand[],
  service: WritingService,
): Query<object> {
  const rows = sent.map(({ command, decision }, number) => ({
    number,
    ...claimColumns(command, service),
    ...(decision === null ? {} : decisionColumns(command, decision, service)),
  }));
  return sql`
    json_to_recordset(${JSON.stringify(rows)}::text::json) as sent (
      number integer, owner_id ulid, operation text, target text, idempotency_key text,
      fingerprint bytea, fingerprint_key text, requested_at timestamptz, is_frozen boolean,
      storage_limit text, identity_id text, identity_role text, identity_used_since timestamptz,
      audit_id text, audit_kind text, audit_credential text, audit_operation text,
      audit_module text, audit_subject text, audit_revision integer, audit_request text,
      audit_assistant text, new_envelope text)`;
}

function claimColumns(command: Command, { limits: { accountBytes } }: WritingService) {
  const { caller, scope, target, key, now, frozen, continuesWhenFull = false } = command;
  const { confirmation } = caller;
  return {
    owner_id: caller.account.accountId,
    operation: scope,
    target,
    requested_at: now,
    is_frozen: frozen,
    storage_limit: continuesWhenFull ? "" : String(accountBytes ?? ""),
    ...(key && {
      idempotency_key: key.key,
      fingerprint: `\\x${Buffer.from(key.fingerprint).toString("hex")}`,
      fingerprint_key: key.fingerprintKey,
    }),
    ...(confirmation && {
      identity_id: confirmation.credentialId,
      identity_role: confirmation.role,
      identity_used_since: confirmation.usedSince,
    }),
  };
}

/** Columns of the audit entry, and of the envelope if the client sent a key. */
function decisionColumns(command: Command, decision: Plan<unknown>, { processId }: WritingService) {
  const { caller: { credential }, now, moduleCode, requestId, operation, acceptance } = command;
  const isRefusal = "refusal" in decision;
  return {
    audit_id: newId(now),
    audit_kind: isRefusal ? "SYSTEM" : credential.kind,
    audit_credential: isRefusal ? processId : credential.id,
    audit_operation: isRefusal ? decision.operation : operation,
    audit_module: moduleCode,
    audit_subject: decision.subjectId,
    audit_revision: decision.revision,
    audit_request: requestId,
    audit_assistant: acceptance?.assistantId,
    new_envelope: isRefusal || command.key === null ? null : envelopeOf(command, decision),
  };
}

function envelopeOf({ policy }: Command, write: PlannedWrite<unknown>): string {
  const { subjectId: recordId, revision, executionId } = write;
  return writeEnvelope({
    policy,
    recordId,
    revision,
    ...(executionId === undefined ? {} : { executionId }),
  });
}

function auditEntry(sql: Sql): Query<object> {
  return sql`
    audit_entry as (
      insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                                 operation, module_code, subject_id, revision, request_id, created_at,
                                 via_assistant)
      select owner_id, audit_id, owner_id, audit_kind, audit_credential, audit_operation,
             audit_module, audit_subject, audit_revision, audit_request, requested_at,
             audit_assistant
        from claim where verdict = 'GO'
    )`;
}

function envelopeRow(sql: Sql): Query<object> {
  return sql`
    envelope_row as (
      insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                         fingerprint_key, envelope, created_at)
      select owner_id, operation, target, idempotency_key, fingerprint, fingerprint_key,
             new_envelope::json, requested_at
        from claim where verdict = 'GO' and new_envelope is not null
    )`;
}

/** One entry for each subject. */
export function auditEntries(
  sql: Sql,
  { caller: { account, credential }, operation, moduleCode, requestId, now }: Command,
  subjects: readonly AuditedSubject[],
): Query<object> {
  const rows = subjects.map((subject) => ({ ...subject, auditId: newId(now) }));
  return sql`
    insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                               operation, module_code, subject_id, revision, request_id, created_at)
    select ${account.accountId}, "auditId", ${account.accountId}, ${credential.kind},
           ${credential.id}, ${operation}, ${moduleCode}, "subjectId", revision, ${requestId},
           ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as subject (
        "auditId" text, "subjectId" text, revision integer)`;
}

/**
 * The rows are in byte order under every collation of the database. Exports and publications do not
 * move, nor do the envelopes that name them.
 */
export function movedEnvelopes(sql: Sql): Query<object> {
  return sql`(
    select owner_id, operation collate "C" as operation, target collate "C" as target,
           idempotency_key, fingerprint, fingerprint_key, envelope, created_at
      from idempotency_envelopes
     where operation not like 'account.export%' and operation not like 'identity.publication.%')`;
}

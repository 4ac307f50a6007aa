/** The SQL around a family's statement. A store includes it, and names none of its tables. */

import { isFrozenAccount } from "../access/account_row.ts";
import type { Credential } from "../access/identity.ts";
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
  limits: WriteLimits,
  lock: Query<Root & object> | null,
): Query<ClaimRow & Root & { readonly found: true | null }> {
  const root = lock === null ? sql`select null as found` : sql`
    select true as found, locked.* from (${lock}) locked where claim.verdict = 'GO' offset 0`;
  return sql`
    with ${claimCte(sql, command, limits)}
    select claim.verdict, claim.envelope, root.*
      from claim left join lateral (${root}) root on true`;
}

/** @param processId The credential of the service's own writes. */
export function ledgerOf(
  sql: Sql,
  command: Command,
  decision: Plan<unknown>,
  claim: Query<object>,
  processId: string,
): Ledger {
  if ("refusal" in decision) {
    const credential = { kind: "SYSTEM", id: processId } as const;
    return { claim, ctes: auditEntry(sql, command, { ...decision, credential }) };
  }
  const { caller: { credential }, operation, acceptance } = command;
  const own = auditEntry(sql, command, { ...decision, operation, credential });
  const entry = acceptance === undefined ? own : sql`${own}, ${acceptance.entries(sql, decision)}`;
  const entries = command.key === null
    ? entry
    : sql`${entry}, ${envelopeRow(sql, command, decision)}`;
  return { claim, ctes: entries };
}

/**
 * The statement for a key claimed earlier in the transaction. If the write changes nothing, it only
 * stores the envelope; null without a key.
 */
export function claimedStatement(
  sql: Sql,
  command: Command,
  decision: Plan<unknown>,
  processId: string,
): Query<ClaimRow> | null {
  const claim = claimedCte(sql, command);
  const { statement } = decision;
  if (statement !== null) {
    return statement(sql, ledgerOf(sql, command, decision, claim, processId));
  }
  if ("refusal" in decision || command.key === null) return null;
  const { acceptance } = command;
  const accepted = acceptance === undefined ? sql`` : sql`${acceptance.entries(sql, decision)},`;
  return sql<ClaimRow>`
    with ${claim}, ${accepted} ${envelopeRow(sql, command, decision)}
    select verdict, envelope from claim`;
}

/** `claim`, which the audit entry and the envelope read. */
export function claimCte(sql: Sql, command: Command, limits: WriteLimits): Query<object> {
  return sql`
    claim as materialized (
      select claimed.verdict, claimed.envelope, parameters.*
        from ${claimCall(sql, command, limits)}
    )`;
}

/**
 * `claim`, after locking the row that `lock` selects. Without a row the verdict is STALE and
 * nothing is written.
 */
export function claimAndLockCte(
  sql: Sql,
  command: Command,
  limits: WriteLimits,
  lock: Query<object>,
): Query<object> {
  return sql`
    claim as materialized (
      select case when claimed.verdict = 'GO' and row_lock.found is null then 'STALE'
                  else claimed.verdict
             end as verdict, claimed.envelope, parameters.*
        from ${claimCall(sql, command, limits)} left join lateral (
          select true as found from (${lock}) locked where claimed.verdict = 'GO' offset 0
        ) row_lock on true
    )`;
}

/** `claim`: the key was claimed earlier in this transaction. */
function claimedCte(sql: Sql, command: Command): Query<object> {
  return sql`
    claim as materialized (
      select 'GO'::text as verdict, null::text as envelope, parameters.*
        from (${commandParameters(sql, command)}) parameters
    )`;
}

/**
 * Returns the CTEs `parameters` and `claimed`; `claimed` has no row if the cached identity no
 * longer holds. The identity is checked after the claim, because the claim's locks may have waited.
 * `collate "default"`: with the collation of type ulid the functions could not use their indexes.
 *
 * Also sets the limit that the triggers of account_storage enforce in this transaction.
 */
function claimCall(
  sql: Sql,
  command: Command,
  { accountBytes }: WriteLimits,
): Query<object> {
  const { credentialId = null, role = null, usedSince = null } = command.caller.confirmation ??
    {};
  const storageLimit = command.continuesWhenFull ? "" : String(accountBytes ?? "");
  return sql`(${commandParameters(sql, command)}) parameters cross join lateral (
    select claimed.*, set_config('prs.account_storage_bytes', ${storageLimit}, true)
      from claim_command(
        parameters.owner_id collate "default", parameters.operation, parameters.target,
        parameters.idempotency_key, parameters.fingerprint, parameters.fingerprint_key,
        ${command.frozen}) claimed
     where ${credentialId}::text is null or identity_holds(
        parameters.owner_id collate "default", ${credentialId}, ${role}, ${usedSince},
        parameters.requested_at)
    offset 0) claimed`;
}

function commandParameters(
  sql: Sql,
  { caller, scope, target, key, now }: Command,
): Query<object> {
  const { fingerprint = null, fingerprintKey = null } = key ?? {};
  return sql`
    select ${caller.account.accountId}::ulid as owner_id, ${scope}::text as operation,
           ${target}::text as target, ${key?.key ?? null}::text as idempotency_key,
           ${fingerprint}::bytea as fingerprint, ${fingerprintKey}::text as fingerprint_key,
           ${now}::timestamptz as requested_at`;
}

interface Audited extends AuditedSubject {
  readonly operation: string;
  readonly credential: Pick<Credential, "kind" | "id">;
}

function auditEntry(
  sql: Sql,
  { now, moduleCode, requestId, acceptance }: Command,
  { operation, credential, subjectId, revision }: Audited,
): Query<object> {
  return sql`
    audit_entry as (
      insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                                 operation, module_code, subject_id, revision, request_id, created_at,
                                 via_assistant)
      select owner_id, ${newId(now)}, owner_id, ${credential.kind}, ${credential.id},
             ${operation}, ${moduleCode}, ${subjectId}, ${revision}::integer, ${requestId},
             requested_at, ${acceptance?.assistantId ?? null}
        from claim where verdict = 'GO'
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

function envelopeRow(sql: Sql, command: Command, write: PlannedWrite<unknown>): Query<object> {
  const envelope = writeEnvelope({
    policy: command.policy,
    recordId: write.subjectId,
    revision: write.revision,
    ...(write.executionId === undefined ? {} : { executionId: write.executionId }),
  });
  return sql`
    envelope_row as (
      insert into idempotency_envelopes (owner_id, operation, target, idempotency_key, fingerprint,
                                         fingerprint_key, envelope, created_at)
      select owner_id, operation, target, idempotency_key, fingerprint, fingerprint_key,
             ${envelope}::text::json, requested_at
        from claim where verdict = 'GO'
    )`;
}

/**
 * The SQL that surrounds a family's statement: the claim of its idempotency key, its audit entry and
 * its envelope. A store interpolates these fragments and never names their tables.
 */

import { newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Command, Write } from "./command.ts";
import { writeEnvelope } from "./envelope.ts";
import type { ClaimRow, Ledger } from "./ledger.ts";

/** Claims the command's key and does nothing else. */
export function claimStatement(sql: Sql, command: Command): Query<ClaimRow> {
  return sql<ClaimRow>`select verdict, envelope from ${claimCall(sql, command)}`;
}

/**
 * Reads the verdict of a key that another request of this process holds, without claiming it: a claim
 * would block that request.
 */
export function peekStatement(sql: Sql, command: Command): Query<ClaimRow> {
  const { identity, key } = command;
  return sql<ClaimRow>`
    select case
             when ${command.frozen} and w.active then 'MAINTENANCE'
             when e.envelope is null then 'IN_PROGRESS'
             when e.fingerprint_key = ${key?.fingerprintKey ?? null}
                  and e.fingerprint <> ${key?.fingerprint ?? null}::bytea then 'REUSED'
             else 'REPLAY'
           end as verdict, e.envelope::text as envelope
      from maintenance_window w left join idempotency_envelopes e
        on e.owner_id = ${identity.account.accountId} and e.operation = ${command.scope}
           and e.target = ${command.target} and e.idempotency_key = ${key?.key ?? null}`;
}

/**
 * Claims the command's key, then selects and locks a row: `found` is null where there is none. One
 * statement suffices: a row lock always reads the row's newest version.
 *
 * `offset 0` keeps the planner from flattening the inner query into a join condition. Flattened, the
 * row would be locked whatever the verdict, and a repetition would wait for the first request instead
 * of failing with IDEMPOTENCY_IN_PROGRESS.
 */
export function claimAndLockStatement<Root>(
  sql: Sql,
  command: Command,
  lock: Query<Root & object>,
): Query<ClaimRow & Root & { readonly found: true | null }> {
  return sql`
    with claim as materialized (select claimed.verdict, claimed.envelope from ${
    claimCall(sql, command)
  })
    select claim.verdict, claim.envelope, root.*
      from claim left join lateral (
        select true as found, locked.* from (${lock}) locked where claim.verdict = 'GO' offset 0
      ) root on true`;
}

/** Builds the fragments around the CTE `claim`. */
export function ledgerOf(
  sql: Sql,
  command: Command,
  write: Write<unknown>,
  claim: Query<object>,
): Ledger {
  const entries = command.key === null
    ? auditEntry(sql, command, write)
    : sql`${auditEntry(sql, command, write)}, ${envelopeRow(sql, command, write)}`;
  return { claim, entries };
}

/** The statement of a command that changed nothing: no audit entry, but its key is spent. */
export function unchangedStatement(
  sql: Sql,
  command: Command,
  write: Write<unknown>,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${claimedCte(sql, command)}, ${envelopeRow(sql, command, write)}
    select verdict, envelope from claim`;
}

/** `claim`: claims the key. The audit entry and the envelope read the parameters from its row. */
export function claimCte(sql: Sql, command: Command): Query<object> {
  return sql`
    claim as materialized (
      select claimed.verdict, claimed.envelope, parameters.*
        from ${claimCall(sql, command)}
    )`;
}

/**
 * `claim`: claims the key, then locks the row that `lock` selects. Where it selects none, the verdict
 * is STALE and nothing is written.
 */
export function claimAndLockCte(sql: Sql, command: Command, lock: Query<object>): Query<object> {
  return sql`
    claim as materialized (
      select case when claimed.verdict = 'GO' and row_lock.found is null then 'STALE'
                  else claimed.verdict
             end as verdict, claimed.envelope, parameters.*
        from ${claimCall(sql, command)} left join lateral (
          select true as found from (${lock}) locked where claimed.verdict = 'GO' offset 0
        ) row_lock on true
    )`;
}

/** `claim`: the key was claimed earlier in this transaction. */
export function claimedCte(sql: Sql, command: Command): Query<object> {
  return sql`
    claim as materialized (
      select 'GO'::text as verdict, null::text as envelope, parameters.*
        from (${commandParameters(sql, command)}) parameters
    )`;
}

/**
 * `parameters` and, from them, `claimed`. A column of type ulid brings its collation along; with it the
 * function could not use the index of the envelopes.
 */
function claimCall(sql: Sql, command: Command): Query<object> {
  return sql`(${commandParameters(sql, command)}) parameters cross join lateral claim_command(
    parameters.owner_id collate "default", parameters.operation, parameters.target,
    parameters.idempotency_key, parameters.fingerprint, parameters.fingerprint_key,
    ${command.frozen}) claimed`;
}

function commandParameters(
  sql: Sql,
  { identity, scope, target, key, now }: Command,
): Query<object> {
  const { fingerprint = null, fingerprintKey = null } = key ?? {};
  return sql`
    select ${identity.account.accountId}::ulid as owner_id, ${scope}::text as operation,
           ${target}::text as target, ${key?.key ?? null}::text as idempotency_key,
           ${fingerprint}::bytea as fingerprint, ${fingerprintKey}::text as fingerprint_key,
           ${now}::timestamptz as requested_at`;
}

function auditEntry(sql: Sql, command: Command, write: Write<unknown>): Query<object> {
  const { credential } = command.identity;
  return sql`
    audit_entry as (
      insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                                 operation, module_code, subject_id, revision, request_id, created_at)
      select owner_id, ${newId(command.now)}, owner_id, ${credential.kind}, ${credential.id},
             ${command.operation}, ${command.moduleCode}, ${write.subjectId},
             ${write.revision}::integer, ${command.requestId}, requested_at
        from claim where verdict = 'GO'
    )`;
}

function envelopeRow(sql: Sql, command: Command, write: Write<unknown>): Query<object> {
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

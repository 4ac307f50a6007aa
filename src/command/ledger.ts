/**
 * The SQL that surrounds a family's statement: gate, audit entry and envelope. A store interpolates
 * these fragments and never spells their tables.
 */

import { newId } from "../core/ids.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Command, GateRow, Ledger, Write } from "./command.ts";
import { writeEnvelope } from "./envelope.ts";

/** Asks the gate alone. */
export function gateStatement(sql: Sql, command: Command): Query<GateRow> {
  return sql<GateRow>`select verdict, envelope from ${gateCall(sql, command)}`;
}

/**
 * What the gate would say to who will not pass it. It takes no key: that would stand in the way of the
 * request that is about to.
 */
export function besideStatement(sql: Sql, command: Command): Query<GateRow> {
  const { identity, key } = command;
  return sql<GateRow>`
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
 * Asks the gate and, behind it, selects and locks a row: `found` is null where there is none. One
 * statement suffices: a row lock always reads the row's newest version.
 *
 * `offset 0` keeps the planner from flattening the inner query into a join condition. Flattened, the
 * row would be locked whatever the verdict, and a repetition would wait for the very request that it
 * should be told is in progress.
 */
export function gateAndLockStatement<Root>(
  sql: Sql,
  command: Command,
  lock: Query<Root & object>,
): Query<GateRow & Root & { readonly found: true | null }> {
  return sql`
    with go as materialized (select * from ${gateCall(sql, command)})
    select go.verdict, go.envelope, root.*
      from go left join lateral (
        select true as found, locked.* from (${lock}) locked where go.verdict = 'GO' offset 0
      ) root on true`;
}

/** Builds the fragments around the gate's word, `go`. */
export function ledgerOf(
  sql: Sql,
  command: Command,
  write: Write<unknown>,
  go: Query<object>,
): Ledger {
  const entries = command.key === null
    ? auditEntry(sql, command, write)
    : sql`${auditEntry(sql, command, write)}, ${envelopeRow(sql, command, write)}`;
  return { go, entries };
}

/** The statement of a command that changed nothing: no audit entry, but its key is spent. */
export function unchangedStatement(
  sql: Sql,
  command: Command,
  write: Write<unknown>,
): Query<GateRow> {
  return sql<GateRow>`
    with ${goAsPassed(sql, command)}, ${envelopeRow(sql, command, write)}
    select verdict, envelope from go`;
}

/** `go`: asks the gate. The ledgers take what it was asked for from there. */
export function goAsGated(sql: Sql, command: Command): Query<object> {
  return sql`
    go as materialized (
      select gate.verdict, gate.envelope, asked.* from ${askedGate(sql, command)}
    )`;
}

/**
 * `go`: asks the gate and, behind it, locks the row that `hold` selects. Where it selects none, the
 * verdict is MOVED, and nothing is written.
 */
export function goAsHeld(sql: Sql, command: Command, hold: Query<object>): Query<object> {
  return sql`
    go as materialized (
      select case when gate.verdict = 'GO' and held.found is null then 'MOVED' else gate.verdict end
               as verdict, gate.envelope, asked.*
        from ${askedGate(sql, command)} left join lateral (
          select true as found from (${hold}) row_held where gate.verdict = 'GO' offset 0
        ) held on true
    )`;
}

/** `go`: the gate was passed before in this transaction. */
export function goAsPassed(sql: Sql, command: Command): Query<object> {
  return sql`
    go as materialized (
      select 'GO'::text as verdict, null::text as envelope, asked.*
        from (${asked(sql, command)}) asked
    )`;
}

/**
 * An identifier brings its collation along. With it the gate's own look-up could not walk the index of
 * the envelopes.
 */
function askedGate(sql: Sql, command: Command): Query<object> {
  return sql`(${asked(sql, command)}) asked cross join lateral command_gate(
    asked.owner_id collate "default", asked.operation, asked.target, asked.idempotency_key,
    asked.fingerprint, asked.fingerprint_key, ${command.frozen}) gate`;
}

function asked(sql: Sql, { identity, scope, target, key, now }: Command): Query<object> {
  const { fingerprint = null, fingerprintKey = null } = key ?? {};
  return sql`
    select ${identity.account.accountId}::ulid as owner_id, ${scope}::text as operation,
           ${target}::text as target, ${key?.key ?? null}::text as idempotency_key,
           ${fingerprint}::bytea as fingerprint, ${fingerprintKey}::text as fingerprint_key,
           ${now}::timestamptz as asked_at`;
}

function gateCall(sql: Sql, command: Command): Query<object> {
  const { identity, key } = command;
  return sql`command_gate(
    ${identity.account.accountId}, ${command.scope}, ${command.target}, ${key?.key ?? null},
    ${key?.fingerprint ?? null}, ${key?.fingerprintKey ?? null}, ${command.frozen})`;
}

function auditEntry(sql: Sql, command: Command, write: Write<unknown>): Query<object> {
  const { credential } = command.identity;
  return sql`
    audit_entry as (
      insert into audit_entries (owner_id, audit_id, actor_id, credential_kind, credential_id,
                                 operation, module_code, subject_id, revision, request_id, created_at)
      select owner_id, ${newId(command.now)}, owner_id, ${credential.kind}, ${credential.id},
             ${command.operation}, ${command.moduleCode}, ${write.subjectId},
             ${write.revision}::integer, ${command.requestId}, asked_at
        from go where verdict = 'GO'
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
             ${envelope}::text::json, asked_at
        from go where verdict = 'GO'
    )`;
}

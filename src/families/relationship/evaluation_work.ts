/**
 * The worker's operations on proposals (REL-005). They may run in any number of processes:
 *
 *   leaseProposals   leases waiting proposals for `LEASE_MS`, each under its own lease identifier
 *   extendLease      during the call of the provider; false: the lease is lost, and so the answer
 *   readInput        the input for the provider, unless the proposal is stale or lost
 *   completeProposal stores the answer; a late one is dropped
 *   failAttempt      the next attempt comes after a pause, unless it was the last
 *   giveBack         at a shutdown, after the call was aborted: the attempt does not count
 *
 * Leases and pauses are separate statements without audit entries and events. Nothing here uses the
 * database during a call of a provider, or writes about an archived or sealed person.
 */

import { findAccountRow, toAccount } from "../../access/account_row.ts";
import { type Caller, systemCaller } from "../../access/identity.ts";
import type { Command, PlannedWrite } from "../../command/command.ts";
import { maxDate } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import type { Database } from "../../database/database.ts";
import { entryStatement, type FamilyServices } from "../../kit/write.ts";
import { executionEntry } from "../../records/port.ts";
import { serialiseJson } from "../../validate/json_output.ts";
import {
  extendStatement,
  failStatement,
  giveBackStatement,
  type LeasedProposal,
  leaseStatement,
  type ProposalName,
} from "./lease_store.ts";
import { findSourceEntries } from "./evidence_store.ts";
import type { PersonRow } from "./person.ts";
import type { ProposalRow } from "./proposal.ts";
import { hasDrifted, moveTo, systemOperation } from "./proposal_rules.ts";
import { type LockedProposal, lockProposal, moveEntries } from "./proposal_store.ts";
import { isOpen } from "./person_rules.ts";
import { type ProviderInput, providerInput, type SourceEntry, type Sources } from "./sources.ts";
import { PEOPLE } from "./person_store.ts";

export const MAX_BATCH = 10;

export const LEASE_MS = 60_000;

const FIRST_PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 60 * 60_000;

/** Milliseconds of the pause after a failed attempt; the first is 1. */
export function pauseAfter(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS);
}

/** Leases the longest-waiting proposals of all owners, at most `MAX_BATCH`. */
export async function leaseProposals(
  database: Database,
  now: Date,
): Promise<readonly LeasedProposal[]> {
  const lease = { leaseId: newId(now), now, until: leaseEnd(now), limit: MAX_BATCH };
  return await database.write((sql) => leaseStatement(sql, lease));
}

/** Leases one proposal; null if no worker could lease it now. */
export async function leaseProposal(
  database: Database,
  only: ProposalName,
  now: Date,
): Promise<LeasedProposal | null> {
  const lease = { leaseId: newId(now), now, until: leaseEnd(now), limit: 1, only };
  const [leased = null] = await database.write((sql) => leaseStatement(sql, lease));
  return leased;
}

/** Extends a lease to `LEASE_MS` from now; false if it is lost. */
export async function extendLease(
  database: Database,
  leased: LeasedProposal,
  now: Date,
): Promise<boolean> {
  const held = await database.write((sql) => extendStatement(sql, leased, now, leaseEnd(now)));
  return held.length > 0;
}

/** The next attempt comes after a pause; there is none after the fifth. */
export async function failAttempt(
  database: Database,
  leased: LeasedProposal,
  now: Date,
): Promise<void> {
  const next = new Date(now.getTime() + pauseAfter(leased.attempts));
  await database.write((sql) => failStatement(sql, leased, next));
}

/** Returns a lease without counting the attempt; it may be leased immediately. */
export async function giveBack(
  database: Database,
  leased: LeasedProposal,
  now: Date,
): Promise<void> {
  await database.write((sql) => giveBackStatement(sql, leased, now));
}

/**
 * Returns the provider's input. If the sources have changed, makes the proposal STALE instead,
 * unless the lease is lost.
 */
export async function readInput(
  services: FamilyServices,
  leased: LeasedProposal,
  now: Date,
): Promise<ProviderInput | Unasked> {
  const { owner, personId, providerConsent } = leased;
  // If the statements see different states, neither matches the digest: the proposal is stale.
  const [[person], entries] = await services.database.read((sql) =>
    Promise.all([
      PEOPLE.find(sql, owner, { personId }),
      findSourceEntries(sql, owner, personId, providerConsent),
    ])
  );
  if (person === undefined) throw new Error("A proposal is about no person");
  const sources = { person, entries };
  if (!hasDrifted(leased.sourceDigest, sources)) return providerInput(sources, providerConsent);
  return await markStale(services, leased, now);
}

export interface Answer {
  readonly candidate: string;
  readonly provider: NonNullable<ProposalRow["provider"]>;
  /** Null for `local-summary`. */
  readonly model: string | null;
}

interface ProposalReadiness {
  readonly now: Date;
  readonly readySeconds: number;
}

/** LOST means that nothing was written. */
export type AttemptResult = "READY" | Unasked;

/** The outcome if the provider must not be asked. */
export type Unasked = "STALE" | "LOST";

/** Stores an answer: READY, or STALE if the sources have changed. */
export async function completeProposal(
  services: FamilyServices,
  leased: LeasedProposal,
  answer: Answer,
  { now, readySeconds }: ProposalReadiness,
): Promise<AttemptResult> {
  const settled = await settle(
    services,
    leased,
    now,
    "READY",
    (proposal, sources) =>
      hasDrifted(leased.sourceDigest, sources)
        ? null
        : readyWrite(leased, proposal, answer, { now, readySeconds }),
  );
  return settled ?? await markStale(services, leased, now);
}

async function markStale(
  services: FamilyServices,
  leased: LeasedProposal,
  now: Date,
): Promise<Unasked> {
  const settled = await settle(services, leased, now, "STALE", (proposal, sources) => {
    if (!hasDrifted(leased.sourceDigest, sources)) return null;
    const move = moveTo(proposal, "STALE", now);
    return {
      ...about(leased),
      result: "STALE",
      statement: (sql, ledger) => entryStatement(sql, ledger, moveEntries(sql, leased.owner, move)),
    };
  });
  // The sources changed back: the lease expires, and the next attempt starts again.
  return settled ?? "LOST";
}

function readyWrite(
  { owner, ...leased }: LeasedProposal,
  proposal: LockedProposal,
  { candidate, provider, model }: Answer,
  { now, readySeconds }: ProposalReadiness,
): PlannedWrite<"READY"> {
  const readyAt = maxDate(now, proposal.created_at);
  const expiresAt = new Date(readyAt.getTime() + readySeconds * 1_000);
  const move = moveTo(proposal, "READY", readyAt);
  const { proposalId, sourceDigest } = leased;
  const execution = {
    execution_id: newId(readyAt),
    record_id: proposal.person_id,
    module_code: PEOPLE.module,
    feature_id: "REL-005",
    strategy: "record",
    revision: proposal.source_revision,
    status: "SUCCEEDED",
    output: serialiseJson({ proposalId, sourceDigest, provider }),
    created_at: readyAt,
  };
  return {
    ...about(leased),
    result: "READY",
    statement: (sql, ledger) => {
      const changes = sql`
        candidate = ${candidate}, provider = ${provider}, model = ${model},
        ready_at = ${readyAt}::timestamptz, expires_at = ${expiresAt}::timestamptz`;
      const entries = sql`
        ${moveEntries(sql, owner, move, changes)}, ${executionEntry(sql, owner, execution)}`;
      return entryStatement(sql, ledger, entries);
    },
  };
}

/** Read while the person is locked. */
interface Settling {
  readonly proposal: LockedProposal | undefined;
  readonly entries: readonly SourceEntry[];
}

/**
 * Moves a leased proposal as the service, unless the lease is lost.
 *
 * @returns Null if `decide` returns null.
 */
async function settle<To extends "READY" | "STALE">(
  { commands, database }: FamilyServices,
  leased: LeasedProposal,
  now: Date,
  to: To,
  decide: (proposal: LockedProposal, sources: Sources) => PlannedWrite<To> | null,
): Promise<To | "LOST" | null> {
  const { owner, personId, proposalId } = leased;
  const [account] = await database.read((sql) => findAccountRow(sql, owner));
  if (account === undefined) throw new Error("A proposal is of no account");
  const caller = systemCaller(toAccount(account), commands.processId, now);
  const command = systemCommand(systemOperation(to), proposalId, caller, now);
  const { result } = await commands.run<PersonRow, To | "LOST" | null, Settling>(command, {
    check: () => {},
    lock: (sql) => PEOPLE.lock(sql, owner, { personId }),
    async related(sql) {
      const [[proposal], entries] = await Promise.all([
        lockProposal(sql, owner, personId, proposalId),
        findSourceEntries(sql, owner, personId, false),
      ]);
      return { proposal, entries };
    },
    decide(person, { proposal, entries }) {
      const isLost = person === null || proposal === undefined || !isOpen(person) ||
        !isHeld(proposal, leased, now);
      return isLost
        ? unwritten(leased, "LOST")
        : decide(proposal, { person, entries }) ?? unwritten(leased, null);
    },
    replay: () => Promise.reject(new Error("A proposal is settled without a key")),
  });
  return result;
}

function systemCommand(operation: string, target: string, caller: Caller, now: Date): Command {
  return {
    operation,
    scope: operation,
    moduleCode: PEOPLE.module,
    target,
    policy: "relationship-proposal",
    caller,
    requestId: newId(now),
    now,
    key: null,
    frozen: false,
  };
}

function isHeld(
  { state, lease_id, claimable_at }: ProposalRow,
  { leaseId }: LeasedProposal,
  now: Date,
): boolean {
  return state === "REQUESTED" && lease_id === leaseId && claimable_at > now;
}

function unwritten<Result>(
  leased: Pick<LeasedProposal, "proposalId">,
  result: Result,
): PlannedWrite<Result> {
  return { ...about(leased), result, statement: null };
}

function about(
  { proposalId }: Pick<LeasedProposal, "proposalId">,
): Pick<PlannedWrite<unknown>, "subjectId" | "revision"> {
  return { subjectId: proposalId, revision: null };
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

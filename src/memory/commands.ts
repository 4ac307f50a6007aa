/** How the family writes: every change of a memory goes through here. */

import type { Identity } from "../access/identity.ts";
import { PROOF_HEADER, type StepUp } from "../access/step_up.ts";
import type { Command, Outcome, Write } from "../command/command.ts";
import type { CommandRunner } from "../command/runner.ts";
import type { Envelope } from "../command/envelope.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { CheckedCall, SignedInCall } from "../http/route.ts";
import type { MemoryRow } from "./memory.ts";
import type { NextState } from "./rules.ts";
import { findMemoryAt, lockMemory, writeMemory } from "./store.ts";
import { showMemory, type ShownMemory } from "./view.ts";

/** What the memory routes need of the application. */
export interface MemoryServices {
  readonly database: Database;
  readonly commands: CommandRunner;
  /** Null where the application has no way to prove who asks: lowering privacy is then refused. */
  readonly stepUp: StepUp | null;
  /** Signs the cursors of exports. */
  readonly serverSecret: Uint8Array;
}

/** Where the memories are. */
export const TEXTS = "/api/v2/memory/texts";

/** Names a write of the family. */
export function memoryCommand(
  call: CheckedCall<unknown>,
  operation: string,
  target: string,
  frozen: boolean,
): Command {
  return {
    operation,
    moduleCode: "memory",
    scope: operation,
    target,
    policy: "memory",
    identity: call.identity,
    requestId: call.requestId,
    now: call.now,
    key: call.key,
    frozen,
  };
}

/** What a change of a memory decides, before and after its row is locked. */
export interface MemoryChangeWork {
  readonly check: () => void;
  readonly decide: (root: MemoryRow | null) => NextState;
}

/** Runs a change of the memory that is the command's subject, or answers its replay. */
export async function changeMemory(
  services: MemoryServices,
  command: Command,
  call: SignedInCall,
  { check, decide }: MemoryChangeWork,
  memoryId: string = command.target,
): Promise<Outcome<ShownMemory>> {
  const owner = command.identity.account.accountId;
  return await services.commands.run<MemoryRow, ShownMemory>(command, {
    check,
    lock: (sql) => lockMemory(sql, owner, memoryId),
    decide: (root) => toWrite(services, command, call, decide(root)),
    replay: (envelope) => replayMemory(services.database, command.identity, envelope),
  });
}

/** What a decided state comes to: its rows, and the proof that it takes. */
function toWrite(
  services: MemoryServices,
  command: Command,
  call: SignedInCall,
  { row, change, needsProof }: NextState,
): Write<ShownMemory> {
  const { identity } = command;
  return {
    subjectId: row.memory_id,
    revision: row.revision,
    answer: showMemory(row, identity),
    ...(needsProof && { verify: (sql) => spendProof(services, call, row.memory_id, sql) }),
    statement: change === null
      ? null
      : (sql, ledger) => writeMemory(sql, ledger, identity.account.accountId, row, change),
  };
}

async function spendProof(
  { stepUp }: MemoryServices,
  { identity, request, now }: SignedInCall,
  targetId: string,
  sql: Sql,
): Promise<void> {
  // No proof can come from a token: only who signed in can confirm a password.
  if (stepUp === null || identity.credential.kind !== "SESSION") {
    throw new ServiceError("PRIVACY_DOWNGRADE_FORBIDDEN");
  }
  const proof = request.headers.get(PROOF_HEADER);
  await stepUp.consume(
    sql,
    identity,
    { purpose: "MEMORY_PRIVACY_DOWNGRADE", targetId, proof },
    now,
  );
}

/** Says of an answer that it repeats an earlier one. */
export function replayHeader(replayed: boolean): Record<string, string> {
  return replayed ? { "Idempotency-Replayed": "true" } : {};
}

/** The memory as the first answer showed it, whatever came later, but by today's level. */
export async function replayMemory(
  database: Database,
  reader: Identity,
  { recordId, revision }: Pick<Envelope, "recordId" | "revision">,
): Promise<ShownMemory> {
  const [row] = await database.read((sql) =>
    findMemoryAt(sql, reader.account.accountId, recordId, revision ?? 0)
  );
  if (row === undefined) throw new Error("An envelope names a memory that is not there");
  return showMemory(row, reader, row.level_today);
}

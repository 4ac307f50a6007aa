/** What both seeding routines share: the owner, and commands that run once. */

import type { Caller } from "../../access/identity.ts";
import { asOperator } from "../../accounts/operator.ts";
import type { ObjectStore } from "../../attachments/object_store.ts";
import { attachmentReferences } from "../../attachments/port.ts";
import { CATALOG } from "../../catalog/catalog.ts";
import type { Command, CommandResult } from "../../command/command.ts";
import { CommandRunner } from "../../command/runner.ts";
import type { WriteLimits } from "../../command/write_limits.ts";
import type { Clock } from "../../core/clock.ts";
import { sha256 } from "../../core/digest.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Database } from "../../database/database.ts";
import { requireGenericWrite } from "../../records/module_access.ts";
import type { PublicRecord } from "../../records/record.ts";
import { decideCreate } from "../../records/record_rules.ts";
import { CREATE_BODY } from "../../records/record_schema.ts";
import { createRecord, type WriteServices } from "../../records/record_store.ts";
import { readBody } from "../../validate/schema.ts";

/** What seeding needs of the process that runs it. */
export interface SeedServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: WriteLimits;
  /** Opens the object store of attachments. The caller closes it. */
  readonly openObjects: () => Promise<ObjectStore>;
}

/** The routines by the names that their commands and refusals carry. */
export type SeedRoutine = "seed.catalog" | "seed.demo";

/** One run of a routine for one owner. */
export interface Seeding extends WriteServices {
  readonly routine: SeedRoutine;
  readonly caller: Caller;
  /** Stands in the audit entries of everything that the run writes. */
  readonly requestId: string;
  readonly clock: Clock;
}

/** What a routine came to: how many things it made, and how many were there already. */
export interface Seeded {
  made: number;
  present: number;
}

/**
 * Begins a run for the account of an email.
 *
 * @throws OperatorError for an unknown or disabled account; ServiceError `SYSTEM_MAINTENANCE`.
 */
export async function beginSeeding(
  { database, clock, limits }: SeedServices,
  routine: SeedRoutine,
  email: string,
): Promise<Seeding> {
  const caller = await asOperator(database, email, clock());
  const commands = new CommandRunner(database, limits);
  const attachments = attachmentReferences;
  const requestId = newId(clock());
  const seeding = { routine, caller, requestId, clock, database, commands, attachments };
  // Where nothing is left to make, nothing else would ask.
  await commands.assertOpen({ ...seedCommand(seeding, "", OPENING), key: null });
  return seeding;
}

const OPENING = { moduleCode: null, policy: "seed" } as const;

/** What sets a command of a routine apart from the others. */
export type SeedCommandParts =
  & Pick<Command, "moduleCode" | "policy">
  & Partial<Pick<Command, "operation" | "target">>;

/**
 * A command that is done once, however often its routine runs. Its key is a name, in a scope that no
 * request reaches; what the name stands for may be worded otherwise in a later release.
 */
export function seedCommand(
  { routine, caller, requestId, clock }: Seeding,
  name: string,
  { moduleCode, policy, operation = routine, target = "" }: SeedCommandParts,
): Command {
  const fingerprint = sha256(name);
  return {
    operation,
    moduleCode,
    scope: routine,
    target,
    policy,
    caller,
    frozen: true,
    requestId,
    now: clock(),
    key: { key: name, fingerprint, fingerprintKey: routine },
  };
}

/** What a seeded record begins as. */
export interface SeedRecord {
  readonly title: string;
  readonly summary?: string;
  readonly payload: JsonObject;
}

/**
 * Makes a record as a request would: through the same schema, checks and policy. Within its module a
 * title is what the routine knows it by.
 */
export async function seedRecord(
  seeding: Seeding,
  moduleCode: string,
  record: SeedRecord,
): Promise<CommandResult<PublicRecord>> {
  const operation = "record.create";
  const module = requireGenericWrite(CATALOG, moduleCode, operation, "createCode");
  const body = readBody(CREATE_BODY, { ...record });
  const command = seedCommand(seeding, `${moduleCode}/${record.title}`, {
    operation,
    moduleCode,
    policy: "record",
  });
  return await createRecord(
    seeding,
    command,
    () => decideCreate(module, body, command.now, "SEED"),
  );
}

/** Counts an outcome. */
export function countSeeded(seeded: Seeded, { replayed }: CommandResult<unknown>): void {
  if (replayed) seeded.present++;
  else seeded.made++;
}

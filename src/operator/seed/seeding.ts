/** Shared by both seeding routines: the owner, and commands that run once. */

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

export interface SeedServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: WriteLimits;
  /** The caller closes the store. */
  readonly openObjects: () => Promise<ObjectStore>;
}

/** Names in commands and errors. */
type SeedRoutine = "seed.catalog" | "seed.demo";

export interface Seeding extends WriteServices {
  readonly routine: SeedRoutine;
  readonly caller: Caller;
  /** Request id in the run's audit entries. */
  readonly requestId: string;
  readonly clock: Clock;
}

/** Numbers of created and existing objects. */
export interface Seeded {
  made: number;
  present: number;
}

/** @throws OperatorError for an unknown or disabled account; ServiceError `SYSTEM_MAINTENANCE`. */
export async function beginSeeding(
  { database, clock, limits }: SeedServices,
  routine: SeedRoutine,
  email: string,
): Promise<Seeding> {
  const caller = await asOperator(database, email, clock());
  const commands = new CommandRunner(database, limits);
  const attachments = attachmentReferences;
  const requestId = newId(clock());
  const services = { database, catalog: CATALOG, commands, attachments };
  const seeding = { ...services, routine, caller, requestId, clock };
  // Checked here, because a run without new objects would not check it.
  await commands.assertOpen({ ...seedCommand(seeding, "", OPENING), key: null });
  return seeding;
}

const OPENING = { moduleCode: null, policy: "seed" } as const;

type SeedCommandParts =
  & Pick<Command, "moduleCode" | "policy">
  & Partial<Pick<Command, "operation" | "target">>;

/**
 * A command that runs once, however often its routine does. Its key is a name, in a scope that no
 * request uses; a later release may change the content behind the name.
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

interface SeedRecord {
  readonly title: string;
  readonly summary?: string;
  readonly payload: JsonObject;
}

/** Creates a record, identified by its title, by the schema, checks and policy of requests. */
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

export function countSeeded(seeded: Seeded, { replayed }: CommandResult<unknown>): void {
  if (replayed) seeded.present++;
  else seeded.made++;
}

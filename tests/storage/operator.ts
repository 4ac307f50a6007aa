import { dirname } from "node:path";
import { PasswordHasher } from "../../src/accounts/password_hasher.ts";
import type { EventContext } from "../../src/access/event_context.ts";
import { freezeAccount, insertExportEvent, retireAccount } from "../../src/accounts/moving.ts";
import type { AdminServices } from "../../src/operator/admin/runner.ts";
import { openObjectStore } from "../../src/attachments/object_store.ts";
import { sealTrails } from "../../src/audit/sealing.ts";
import { NO_LIMITS } from "../../src/command/write_limits.ts";
import { newId } from "../../src/core/ids.ts";
import { OperatorError } from "../../src/errors/operator_error.ts";
import { type Caller, CHEAP_COST, type Json, ORIGIN, type World } from "../support/world.ts";

/** The commands' dependencies. */
export function servicesOf(world: World): AdminServices {
  return {
    database: world.database,
    clock: world.now,
    passwords: new PasswordHasher({ cost: CHEAP_COST }),
    origin: ORIGIN,
    seal: () => sealTrails(world.database, world.now),
    openObjects: () => openObjectStore(world.objectFolder, world.database, "files"),
    limits: NO_LIMITS,
    config: { dataDir: dirname(world.objectFolder), serverSecret: null, scheduledBackups: null },
  };
}

export function emailOf({ accountId }: Caller): string {
  return `${accountId}@example.org`;
}

/** A request at the world's time. */
export function eventContextOf(world: World): EventContext {
  return { requestId: newId(world.now()), now: world.now(), client: null };
}

/** Lists events with credential kinds, sorted by name. */
export async function eventsOf(world: World, accountId: string): Promise<string[]> {
  const rows = await world.rows(
    `select event, credential_kind from access_events where account_id = '${accountId}'`,
  );
  return rows.map((row: Json) => `${row.event} ${row.credential_kind}`).sort();
}

/** The error's message; null on success. */
export async function refusalOf(command: Promise<unknown>): Promise<string | null> {
  try {
    await command;
    return null;
  } catch (error) {
    if (error instanceof OperatorError) return error.message;
    throw error;
  }
}

/** Moves the account away, as an operator does. */
export async function moveAway(world: World, caller: Caller, movedTo: string): Promise<void> {
  const { database } = world;
  const [email, context] = [emailOf(caller), eventContextOf(world)];
  await freezeAccount(database, email, () => context);
  await insertExportEvent(database, email, context.now, () => context);
  await retireAccount(database, email, movedTo, context);
}

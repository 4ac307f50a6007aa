import type { EventContext } from "../../access/event_context.ts";
import type { PasswordHasher } from "../../accounts/password_hasher.ts";
import type { BackupServices, BackupSettings } from "../backup/installation.ts";
import type { PlanSettings } from "../erasure/plan.ts";
import { DiskNearlyFullError, type WriteLimits } from "../../command/write_limits.ts";
import type { Report } from "../../core/report.ts";
import { OperatorError } from "../../errors/operator_error.ts";
import { ServiceError } from "../../errors/service_error.ts";
import type { CommandName, CommandOf } from "./command.ts";

export interface AdminServices extends BackupServices {
  readonly passwords: PasswordHasher;
  /** Checked before a command writes content. */
  readonly limits: WriteLimits;
  /** The folder and the schedule of backups, and the secret that they may include. */
  readonly config: BackupSettings & PlanSettings;
  /** Public address of the service, for set-up links. */
  readonly origin: string;
}

/**
 * Runs a command, and returns lines for the operator. A command that waits must call `context`
 * after the wait, because it reads the clock.
 */
export type Runner<Command> = (
  services: AdminServices,
  command: Command,
  context: () => EventContext,
  report: Report,
) => Promise<string[]>;

export type Runners = { readonly [Name in CommandName]: Runner<CommandOf<Name>> };

/** The response of a command without effect. */
export function unchanged(why: string): string[] {
  return [`Nothing was changed: ${why}`];
}

/** @throws OperatorError for errors of any write that are not failures of the command. */
export function refuseWriting(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  if (error.cause instanceof DiskNearlyFullError) throw new OperatorError(error.cause.message);
  const refusals = ["SYSTEM_MAINTENANCE", "IDEMPOTENCY_IN_PROGRESS", "ACCOUNT_STORAGE_FULL"];
  throw refusals.includes(error.code) ? new OperatorError(error.message) : error;
}

import { newId } from "../../core/ids.ts";
import type { Report } from "../../core/report.ts";
import { ACCOUNT_COMMANDS } from "./account_commands.ts";
import { ATTACHMENT_COMMANDS } from "./attachment_commands.ts";
import type { AdminCommand } from "./command.ts";
import { GRANT_COMMANDS } from "./grant_commands.ts";
import { MAINTENANCE_COMMANDS } from "./maintenance_commands.ts";
import { MOVE_COMMANDS } from "./move_commands.ts";
import type { AdminServices, Runner, Runners } from "./runner.ts";
import { SEED_COMMANDS } from "./seed_commands.ts";
import { TOKEN_COMMANDS } from "./token_commands.ts";

const RUNNERS: Runners = {
  ...ACCOUNT_COMMANDS,
  ...ATTACHMENT_COMMANDS,
  ...GRANT_COMMANDS,
  ...MAINTENANCE_COMMANDS,
  ...MOVE_COMMANDS,
  ...SEED_COMMANDS,
  ...TOKEN_COMMANDS,
};

/**
 * Runs a command.
 *
 * @returns lines for the operator.
 * @throws OperatorError if it is rejected; IncompleteError with its lines if attachments are lost.
 */
export async function runAdminCommand(
  services: AdminServices,
  command: AdminCommand,
  report: Report = () => {},
): Promise<string[]> {
  const run = RUNNERS[command.command] as Runner<AdminCommand>;
  const context = () => {
    const now = services.clock();
    return { requestId: newId(now), now, client: null };
  };
  return await run(services, command, context, report);
}

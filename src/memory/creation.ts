import type { Command, Outcome, Write } from "../command/command.ts";
import type { SourceType } from "../records/port.ts";
import { type MemoryServices, replayMemory } from "./commands.ts";
import { decideCreate } from "./rules.ts";
import type { TextBody } from "./schema.ts";
import { writeMemory } from "./store.ts";
import { showMemory, type ShownMemory } from "./view.ts";

/**
 * Makes a memory (MEM-001), or returns the replay of the command.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the module's rules say; what `CommandRunner.run` throws.
 */
export async function createMemory(
  { database, commands }: Pick<MemoryServices, "database" | "commands">,
  command: Command,
  body: TextBody,
  sourceType: SourceType = "USER_INPUT",
): Promise<Outcome<ShownMemory>> {
  const { identity, now } = command;
  const owner = identity.account.accountId;
  return await commands.run(command, {
    decide(): Write<ShownMemory> {
      const { row } = decideCreate(body, now);
      return {
        subjectId: row.memory_id,
        revision: row.revision,
        answer: showMemory(row, identity),
        statement: (sql, ledger) => writeMemory(sql, ledger, owner, row, "CREATED", sourceType),
      };
    },
    replay: (envelope) => replayMemory(database, identity, envelope),
  });
}

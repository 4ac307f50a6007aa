import { PasswordHasher } from "../../accounts/password_hasher.ts";
import { openObjectStore } from "../../attachments/object_store.ts";
import { sealTrails } from "../../audit/sealing.ts";
import { DiskRoom, writeLimits } from "../../command/write_limits.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../../core/clock.ts";
import { diskSpaceOf } from "../../core/disk_space.ts";
import type { Report } from "../../core/report.ts";
import { openInstalledDatabase } from "../open_database.ts";
import type { AdminCommand } from "./command.ts";
import { placeInDataDir, placeOfNewFile } from "./data_file.ts";
import { runAdminCommand } from "./run.ts";
import { callAdminSocket } from "./socket.ts";

/** Socket for commands to the server that holds a data directory. */
export function adminSocketPath(dataDir: string): string {
  return `${dataDir}/admin.sock`;
}

/**
 * Runs a command in the server that holds the built-in database, if one runs; otherwise here, with
 * the database of the settings.
 *
 * @throws OperatorError if the command is rejected; IncompleteError; errors of opening the
 *   database.
 */
export async function executeCommand(
  config: Config,
  requested: AdminCommand,
  report: Report,
): Promise<string[]> {
  const command = await withDataFile(config, requested);
  if (config.databaseUrl === null) {
    const answered = await callAdminSocket(adminSocketPath(config.dataDir), command, report);
    if (answered !== null) return answered;
  }
  const database = await openInstalledDatabase(config);
  try {
    const origin = config.publicOrigin ?? `http://localhost:${config.port}`;
    const openObjects = () =>
      openObjectStore(`${config.dataDir}/objects`, database, config.attachments);
    const passwords = new PasswordHasher();
    const seal = () => sealTrails(database, systemClock);
    const room = new DiskRoom(diskSpaceOf(config.dataDir), systemClock);
    const limits = writeLimits(config.accountStorageBytes, room);
    const shared = { database, clock: systemClock, passwords, origin, openObjects };
    const services = { ...shared, seal, limits, config };
    return await runAdminCommand(services, command, report);
  } finally {
    await database.close();
  }
}

/** The server may have another working directory, so its path is relative to the data directory. */
async function withDataFile({ dataDir }: Config, command: AdminCommand): Promise<AdminCommand> {
  switch (command.command) {
    case "account export":
      return { ...command, file: await placeOfNewFile(dataDir, command.file) };
    case "account import":
    case "legacy import":
      return { ...command, file: await placeInDataDir(dataDir, command.file) };
    default:
      return command;
  }
}

import { PasswordHasher } from "../accounts/password_hasher.ts";
import { openObjectStore } from "../attachments/object_store.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../core/clock.ts";
import { openPresentDatabase } from "../open_database.ts";
import type { AdminCommand } from "./command.ts";
import { runAdminCommand } from "./run.ts";
import { callAdminSocket } from "./socket.ts";

/** Where the server that holds a data directory takes commands. */
export function adminSocketPath(dataDir: string): string {
  return `${dataDir}/admin.sock`;
}

/**
 * Has a command carried out: by the server that holds the built-in database while one runs, otherwise
 * here, over the database that the settings name.
 *
 * @throws OperatorError when it is refused; what opening the database throws.
 */
export async function executeCommand(config: Config, command: AdminCommand): Promise<string[]> {
  if (config.databaseUrl === null) {
    const answered = await callAdminSocket(adminSocketPath(config.dataDir), command);
    if (answered !== null) return answered;
  }
  const database = await openPresentDatabase(config);
  try {
    const origin = config.publicOrigin ?? `http://localhost:${config.port}`;
    const openObjects = () => openObjectStore(`${config.dataDir}/objects`);
    const passwords = new PasswordHasher();
    const services = { database, clock: systemClock, passwords, origin, openObjects, config };
    return await runAdminCommand(services, command);
  } finally {
    await database.close();
  }
}

/**
 * Prints the files of Unix sockets that the settings name for PostgreSQL, each after a comma, for the program's
 * flags of files: to connect to a socket, Deno needs the permissions to read and to write it.
 *
 * @module
 */

import { socketFile } from "../src/database/database_url.ts";
import { databaseHosts, type Settings } from "./net_access.ts";

export function socketFiles(settings: Pick<Settings, "get" | "readFile">): string[] {
  return ["DATABASE_URL", "ERASE_DATABASE_URL"]
    .flatMap((name) => databaseHosts(settings, name))
    .filter(({ name }) => name.startsWith("/")).map(socketFile);
}

if (import.meta.main) {
  const files = socketFiles({
    get: (name) => Deno.env.get(name),
    readFile: (path) => Deno.readTextFileSync(path),
  });
  Deno.stdout.writeSync(new TextEncoder().encode(`${files.map((file) => `,${file}`).join("")}\n`));
}

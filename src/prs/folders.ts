/** The command's two folders, and files that only their user can read. */

import { Client } from "../client/mod.ts";
import { ignoreNotFound, moveSynced, writeSynced } from "../core/files.ts";
import { CommandError, EXIT } from "./failures.ts";
import type { Input } from "./options.ts";

/** The folder of `config.json`. */
export const configFolder = (): string => folder("XDG_CONFIG_HOME", ".config");
/** The folder of waiting, refused and edited texts. */
export const stateFolder = (): string => folder("XDG_STATE_HOME", ".local/state");

function folder(variable: string, fallback: string): string {
  const named = Deno.env.get(variable);
  // The specification of these variables has relative ones ignored.
  if (named?.startsWith("/")) return `${named.replace(/\/+$/, "")}/prs`;
  const home = Deno.env.get("HOME");
  if (!home) throw new CommandError(`Set HOME or ${variable}`);
  return `${home}/${fallback}/prs`;
}

/** Makes a folder for its user only, if it is missing. */
export async function makeFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
  await Deno.chmod(path, 0o700);
}

/** Writes a file for its user only, whole or not at all; afterwards it survives a power loss. */
export async function writePrivate(
  folder: string,
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  await makeFolder(folder);
  const made = `${folder}/.${crypto.randomUUID()}`;
  try {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await writeSynced(made, bytes);
    await moveSynced(made, `${folder}/${name}`);
  } catch (error) {
    await Deno.remove(made).catch(() => {});
    throw error;
  }
}

/** The configuration that `login` stores. */
interface Config {
  readonly origin: string;
  readonly token: string;
  readonly tokenId: string;
  readonly name: string;
  readonly expiresAt: string;
}

/** @throws CommandError if there is none, or if others can read it. */
export async function readConfig(): Promise<Config> {
  const text = await readIfPrivate(`${configFolder()}/config.json`);
  const config = text === null ? null : toConfig(text);
  if (config === null) throw new CommandError("Sign in first: prs login ORIGIN", EXIT.signIn);
  return config;
}

/** The client of the configured account. */
export async function connect({ wait }: Input): Promise<Client> {
  const { origin, token } = await readConfig();
  return new Client({ origin, token, retryFor: wait });
}

/** The former configuration, even if others can read it; null if missing or invalid. */
export async function formerConfig(): Promise<Config | null> {
  return await Deno.readTextFile(`${configFolder()}/config.json`).then(toConfig, () => null);
}

function toConfig(text: string): Config | null {
  try {
    const config = JSON.parse(text);
    return typeof config?.origin === "string" && typeof config.token === "string" ? config : null;
  } catch {
    return null;
  }
}

/**
 * Reads a file with a secret.
 *
 * @returns null if there is none.
 * @throws CommandError if others can read it.
 */
export async function readIfPrivate(path: string): Promise<string | null> {
  try {
    const { mode } = await Deno.stat(path);
    if (mode !== null && (mode & 0o077) !== 0) {
      throw new CommandError("Others can read the file with the token: chmod 600 it");
    }
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Stores the configuration. */
export async function writeConfig(config: Config): Promise<void> {
  await writePrivate(configFolder(), "config.json", `${JSON.stringify(config, null, 2)}\n`);
}

/** Removes the configuration, if there is one. */
export async function removeConfig(): Promise<void> {
  await Deno.remove(`${configFolder()}/config.json`).catch(ignoreNotFound);
}

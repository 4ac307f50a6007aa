/** Reads settings for tests. */

import { assertEquals, assertThrows } from "@std/assert";
import { type Config, ConfigError, readConfig } from "../../../../src/operator/config/config.ts";
import type { VariableName } from "../../../../src/operator/config/env.ts";

export const SECRET = "a server secret of forty characters, yes";

/** From environment and files. */
export function configOf(
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Config {
  return readConfig({
    get: (name) => variables[name],
    readFile(path) {
      const text = files[path];
      if (text === undefined) throw new Deno.errors.NotFound(`No such file: ${path}`);
      return text;
    },
  });
}

/** One per line, in order. */
export function problemsOf(
  variables: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): readonly string[] {
  const error = assertThrows(() => configOf(variables, files), ConfigError);
  const [headline, ...problems] = error.message.split("\n");
  assertEquals(headline, "The configuration is not valid");
  return problems.map((problem) => problem.trim());
}

/** Rules that tests know; the others only begin with "must be". */
export const RULES: Partial<Record<VariableName, RegExp>> = {
  PORT: /^must be a whole number from 0 to 65535$/,
  SESSION_IDLE_HOURS: /^must be a number of hours from 0\.25 to 2160, such as 12 or 0\.5$/,
  ATTACHMENTS: /^must be files or database$/,
  CONSOLE: /^must be true or false$/,
  SERVER_SECRET: /^must be at least 32 characters$/,
  OWNER_PASSWORD: /^must be 12 to 256 characters$/,
  PASSKEY_ORIGINS: /^must (be .+ at most four different ones|not name PUBLIC_ORIGIN)/,
  BACKUP_RECIPIENT: /^(must be a public key|a key age1\S* has a wrong checksum)/,
  LOG_LEVEL: /^must be one of debug, info, warn, error, silent$/,
};

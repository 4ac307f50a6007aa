import process from "node:process";
import type { Config } from "../config/config.ts";

const MIB = 1024 ** 2;

/**
 * The smallest limits with which a first start, a set-up and sign-ins went well. Checking a
 * password needs 128 MiB of it for a moment.
 */
const MINIMUM_BYTES = { builtIn: 384 * MIB, server: 256 * MIB };

/**
 * Compares the memory that the process may use with the minimum of its engine. Below it, the system
 * may kill the process at any moment, and then nothing can be reported.
 *
 * @returns a sentence, or null if there is enough, or the system reports no limit.
 */
export function memoryWarning(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  bytes: number | null = readMemoryLimit(),
): string | null {
  const minimum = databaseUrl === null ? MINIMUM_BYTES.builtIn : MINIMUM_BYTES.server;
  if (bytes === null || bytes >= minimum) return null;
  const engine = databaseUrl === null ? "with the built-in database" : "with DATABASE_URL";
  return `The memory of this process is limited to ${Math.floor(bytes / MIB)} MiB, and the ` +
    `service needs ${
      minimum / MIB
    } MiB ${engine}: raise the limit, or the system may end it at any moment`;
}

/** The limit of the control group, or else the memory of the machine, in bytes. */
function readMemoryLimit(): number | null {
  try {
    const [group, { total }] = [process.constrainedMemory(), Deno.systemMemoryInfo()];
    return group === 0 ? total : Math.min(group, total);
  } catch {
    return null;
  }
}

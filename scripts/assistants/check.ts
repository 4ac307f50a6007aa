/** Lines of the report. */

import type { Output } from "../../tests/support/server_process.ts";

export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly reason?: string;
}

/** Returns the result of an act, and notes whether it succeeded. */
export type CheckAct = <T>(name: string, act: () => T | Promise<T>) => Promise<T>;

class FailedCheck extends Error {}

/** Runs checks up to the first that fails, because the others depend on it. */
export async function collect(
  run: (check: CheckAct) => Promise<void>,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const check: CheckAct = async (name, act) => {
    try {
      const result = await act();
      checks.push({ name, passed: true });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      checks.push({ name, passed: false, reason });
      throw new FailedCheck(reason);
    }
  };
  try {
    await run(check);
  } catch (error) {
    if (!(error instanceof FailedCheck)) throw error;
  }
  return checks;
}

/** Waits for a match and returns its first group, or all of it. Fails after two minutes. */
export async function find(output: Output, pattern: RegExp): Promise<string> {
  const late = AbortSignal.timeout(120_000);
  const isLate = new Promise<null>((resolve) =>
    late.addEventListener("abort", () => resolve(null))
  );
  const found = await Promise.race([output.until(pattern), isLate]);
  if (found === null) throw new Error(`It never printed ${pattern}: ${output.text.slice(-500)}`);
  return found[1] ?? found[0];
}

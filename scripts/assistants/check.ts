/** Lines of the report. */

import type { Output } from "../../tests/support/server_process.ts";

export interface Check {
  readonly name: string;
  readonly passed: boolean;
  readonly reason?: string;
}

/** Checks in order: after one that failed, the others are not tried. */
export class Checks {
  readonly all: Check[] = [];

  /** Returns the result, or throws after the failure was noted. */
  async check<T>(name: string, act: () => T | Promise<T>): Promise<T> {
    try {
      const result = await act();
      this.all.push({ name, passed: true });
      return result;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.all.push({ name, passed: false, reason });
      throw new FailedCheck(reason);
    }
  }
}

class FailedCheck extends Error {}

/** Runs checks up to the first that fails. */
export async function collect(act: (checks: Checks) => Promise<void>): Promise<readonly Check[]> {
  const checks = new Checks();
  try {
    await act(checks);
  } catch (error) {
    if (!(error instanceof FailedCheck)) throw error;
  }
  return checks.all;
}

/** Fails after two minutes without the text. */
export async function find(output: Output, pattern: RegExp): Promise<string> {
  const late = AbortSignal.timeout(120_000);
  const isLate = new Promise<null>((resolve) =>
    late.addEventListener("abort", () => resolve(null))
  );
  const found = await Promise.race([output.until(pattern), isLate]);
  if (found === null) throw new Error(`It never printed ${pattern}: ${output.text.slice(-500)}`);
  return found[1] ?? found[0];
}

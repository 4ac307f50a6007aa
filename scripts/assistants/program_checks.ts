/**
 * For the scripts of this folder that Node runs: checks of a program, and the service's owner, who
 * is asked by HTTP.
 */

import { deepStrictEqual } from "node:assert";
import process from "node:process";

const [origin, owner] = process.argv.slice(2);

/** Prints whether an act succeeds. A failure ends the program. */
export async function check<T>(name: string, act: () => T | Promise<T>): Promise<T> {
  try {
    const result = await act();
    process.stdout.write(`${JSON.stringify({ name, passed: true })}\n`);
    return result;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${JSON.stringify({ name, passed: false, reason })}\n`);
    process.exit(1);
  }
}

/** @throws if the values differ, at any depth. */
export const equal: (seen: unknown, expected: unknown) => void = deepStrictEqual;

/** Catches the failure of an act that must fail. */
// deno-lint-ignore no-explicit-any -- each library has its own errors
export async function failureOf(act: () => unknown): Promise<any> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused");
}

/** Returns the query that the browser brings to the callback. */
export async function decide(
  authorizationUrl: URL,
  decision: "ALLOW" | "DENY",
): Promise<URLSearchParams> {
  const redirectTo = await ask(`/${decision}`, authorizationUrl.href);
  const { searchParams } = new URL(redirectTo);
  equal(searchParams.get("iss"), origin);
  return searchParams;
}

/** Ends the assistant. */
export async function revoke(): Promise<void> {
  await ask("/revoke", "");
}

async function ask(path: string, body: string): Promise<string> {
  const response = await fetch(`${owner}${path}`, { method: "POST", body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

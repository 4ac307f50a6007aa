/** Checks of cases by the members of their expected results. */

import type { Json } from "../support/world.ts";

/** One check for each member that a result may have, in the order in which they run. */
export type Checks<Subject> = Readonly<
  Record<string, (subject: Subject, expected: Json) => Promise<void> | void>
>;

/**
 * Runs the checks of the members that are present.
 *
 * @throws at a member that no check names, and with the member's name before a check's message.
 */
export async function checkMembers<Subject>(
  checks: Checks<Subject>,
  subject: Subject,
  expected: Json,
): Promise<void> {
  refuseOthers(expected, Object.keys(checks));
  for (const [name, check] of Object.entries(checks)) {
    if (Object.hasOwn(expected, name)) await at(name, () => check(subject, expected[name]));
  }
}

/** A check of each element, one after the other. */
export function checkEach<Subject>(
  check: (subject: Subject, expected: Json) => Promise<void> | void,
): (subject: Subject, expected: readonly Json[]) => Promise<void> {
  return async (subject, expected) => {
    for (const [index, each] of expected.entries()) {
      await at(`${index + 1}`, () => check(subject, each));
    }
  };
}

/** Adds the place to the message of an error. */
async function at(place: string, check: () => Promise<void> | void): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`${place} > ${(error as Error).message}`, { cause: error });
  }
}

/** @throws if an object has a member of another name. */
export function refuseOthers(value: Json, names: readonly string[]): void {
  const other = Object.keys(value).find((name) => !names.includes(name));
  if (other !== undefined) throw new Error(`Unknown member ${other}`);
}

/** Whether the actual value has every stated member. Lists have the same length. */
export function isPart(expected: Json, actual: Json): boolean {
  if (typeof expected !== "object" || expected === null) return expected === (actual ?? null);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(expected) && expected.length !== actual.length) return false;
  return Object.entries(expected).every(([name, value]) => isPart(value, actual[name]));
}

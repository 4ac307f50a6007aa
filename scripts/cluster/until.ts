import { waitUntil } from "../../tests/support/wait.ts";

/** Elections are slow, and polling would use their processor time. */
const PATIENCE = { pollMs: 200, deadlineMs: 240_000 };

/**
 * Waits for slow conditions such as an election.
 *
 * @throws naming `what`, at the deadline.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  await waitUntil(what, condition, PATIENCE);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

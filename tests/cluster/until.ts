import { waitUntil } from "../support/wait.ts";

/** An election takes its time, and its processes are not to be kept busy meanwhile. */
const PATIENCE = { pollMs: 200, deadlineMs: 240_000 };

/**
 * Waits for what takes a cluster its time, such as an election.
 *
 * @throws Error naming `what` when it never happens.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  await waitUntil(what, condition, PATIENCE);
}

/** Lets some time pass. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

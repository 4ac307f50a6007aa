const POLL_MS = 200;
const DEADLINE_MS = 240_000;

/**
 * Waits for what takes a cluster its time, such as an election.
 *
 * @throws Error naming `what` when it never happens.
 */
export async function until(
  what: string,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await pause(POLL_MS);
  }
}

/** Lets some time pass. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const POLL_MS = 10;
/** Allows for busy machines. */
const DEADLINE_MS = 120_000;

/**
 * Waits for conditions outside the process, such as a file's existence.
 *
 * @throws naming `what`, at the deadline.
 */
export async function waitUntil(
  what: string,
  condition: () => Promise<boolean> | boolean,
  { pollMs = POLL_MS, deadlineMs = DEADLINE_MS } = {},
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!await condition()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

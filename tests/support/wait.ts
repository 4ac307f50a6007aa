const POLL_MS = 10;
/** Long, because a busy machine is slow. */
const DEADLINE_MS = 120_000;

/**
 * Waits until a condition of the outside world holds, such as a file's existence.
 *
 * @throws Error naming `what` when it never does.
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

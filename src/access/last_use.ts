/** "Last seen" and "last used" are written at most this often, and so are up to so old. */
export const USE_INTERVAL_MS = 60 * 60 * 1000;

/**
 * Stores the time of a credential's last use, where the stored one is old enough. No response waits for
 * this write, and none fails with it: the next request tries again.
 *
 * @param write takes the time before which a note is old: of several requests at once the first
 * writes, and the others find its time.
 */
export function touchLastUsed(
  now: Date,
  lastUse: Date | null,
  write: (due: Date) => Promise<unknown>,
): void {
  const due = new Date(now.getTime() - USE_INTERVAL_MS);
  if (lastUse !== null && lastUse > due) return;
  write(due).catch(() => {});
}

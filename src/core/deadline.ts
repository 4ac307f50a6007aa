/** How often expired waits are looked for. */
const STEP_MS = 100;

/** A promise that is waited for, and until when. */
interface Wait {
  readonly until: number;
  readonly expire: () => void;
}

// One timer for all waits: separate timers would cost a short request a tenth of its time.
const waits = new Set<Wait>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Waits for a promise, but no longer than `milliseconds` and a tenth of a second.
 *
 * @throws the result of `lateness` when the time is over; the promise's own error before.
 */
export async function within<T>(
  milliseconds: number,
  promise: Promise<T>,
  lateness: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const wait = { until: performance.now() + milliseconds, expire: () => late.reject(lateness()) };
  waits.add(wait);
  timer ??= setTimeout(look, STEP_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    waits.delete(wait);
  }
}

/**
 * Waits for a promise, but no longer than `milliseconds`. A timeout is not an error.
 *
 * @returns the promise's value; null when the time is over.
 * @throws the promise's own error before.
 */
export async function waitUpTo<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function look(): void {
  const now = performance.now();
  for (const wait of waits) {
    if (wait.until <= now) wait.expire();
  }
  timer = waits.size === 0 ? undefined : setTimeout(look, STEP_MS);
}

/** How often expired waits are looked for. */
const STEP_MS = 100;

interface Wait {
  readonly until: number;
  readonly expire: () => void;
}

// Separate timers would cost a short request a tenth of its time.
const waits = new Set<Wait>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Waits at most `milliseconds` and a tenth of a second.
 *
 * @throws the result of `lateness` after a timeout; the promise's own error before.
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
 * Waits for a promise; a timeout is not an error.
 *
 * @returns the promise's value; null after a timeout.
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

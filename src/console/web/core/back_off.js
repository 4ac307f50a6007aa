/** When to retry an unreachable service. */

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
const MAX_RETRY_AFTER_MS = 3_600_000;

export class BackOff {
  #failures = 0;
  /** The wait that the service asked for, which is never shortened. */
  askedUntil = 0;

  end() {
    this.#failures = 0;
  }

  /**
   * @param {number} now In milliseconds since 1970, as the result.
   * @param {number | null} retryAfter Seconds.
   */
  nextTime(now, retryAfter) {
    const asked = Math.min((retryAfter ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, MAX_WAIT_MS);
    this.askedUntil = now + asked;
    return now + Math.max(wait, asked);
  }
}

/** When a service that could not be asked is asked again. */

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
const MAX_RETRY_AFTER_MS = 3_600_000;

export class BackOff {
  /** How often in a row the service could not be asked. */
  #failures = 0;
  /** Until when the service itself has asked to wait: nothing makes it shorter. */
  askedUntil = 0;

  /** The service has answered. */
  end() {
    this.#failures = 0;
  }

  /**
   * @param {number} now In milliseconds since 1970, as the result.
   * @param {number | null} retryAfter Seconds, if the service states them.
   */
  nextTime(now, retryAfter) {
    const asked = Math.min((retryAfter ?? 0) * 1_000, MAX_RETRY_AFTER_MS);
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, MAX_WAIT_MS);
    this.askedUntil = now + asked;
    return now + Math.max(wait, asked);
  }
}

/** Work that is done once, or later. */

/**
 * Calls it once, unless that fails.
 * @template Result
 * @param {() => Promise<Result>} work
 */
export function once(work) {
  /** @type {Promise<Result> | undefined} */
  let done;
  return () =>
    done ??= work().catch((error) => {
      done = undefined;
      throw error;
    });
}

/** @param {number} ms */
export function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What pressing a button does: a failure is said in the status line, and the page stays. */

import { announce } from "./announce.js";
import { ApiError } from "./api.js";
import { failureText } from "./text.js";

/**
 * @template Result
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result | null>} null where it failed.
 */
export async function act(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announce(failureText(error.code));
    return null;
  }
}

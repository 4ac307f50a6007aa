/** What pressing a button does: a failure is said in the status line, and the page stays. */

import { announce } from "./announce.js";
import { ApiError } from "./api.js";
import { withSession } from "./sign_in_again.js";
import { failureText } from "./text.js";

/**
 * @template Result
 * @param {import("./session.js").Session} session
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result | null>} null where it failed.
 */
export async function act(session, work) {
  try {
    return await withSession(session.account.email, work);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announce(failureText(error.code));
    return null;
  }
}

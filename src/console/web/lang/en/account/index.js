/** English: the account. */

import { ABOUT } from "./about.js";
import { ACTIVITY } from "./activity.js";
import { ASSISTANTS } from "./assistants.js";
import { CREDENTIALS } from "./credentials.js";
import { EXPORTS } from "./exports.js";
import { OVERVIEW } from "./overview.js";
import { SIGN_IN } from "./sign_in.js";
import { WITNESS } from "./witness.js";

export default {
  ...OVERVIEW,
  ...CREDENTIALS,
  ...ACTIVITY,
  ...EXPORTS,
  ...ABOUT,
  ...ASSISTANTS,
  ...SIGN_IN,
  ...WITNESS,
};

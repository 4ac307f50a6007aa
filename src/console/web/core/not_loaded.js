/** What becomes of modules that are loaded when they are needed. */

import { ApiError } from "./api.js";

/** For the failure of an `import()`: the connection went before the module came. @returns {never} */
export function notLoaded() {
  throw new ApiError("NETWORK_ERROR");
}

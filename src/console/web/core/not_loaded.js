import { ApiError } from "./api.js";

/**
 * Use when `import()` fails: the connection was lost before the module arrived. @returns {never}
 */
export function notLoaded() {
  throw new ApiError("NETWORK_ERROR");
}

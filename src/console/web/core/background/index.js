/** The parts of this module that load together. */

export { showNotice } from "./happenings.js";
export { startKeys } from "./keys.js";

/** Form code that is needed after the first keystroke, loaded in the background. */

export { onChange } from "../core/changes.js";
export { withSession } from "../core/sign_in_again.js";
export { explained } from "../fields/explained.js";
export { askDiscard } from "./ask_discard.js";
export { conflictNotice } from "./conflict.js";

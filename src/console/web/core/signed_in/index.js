/** The names that the first script of a page uses. */

export { confirmLeave, discardForms } from "../acts/unsaved.js";
export { drawFrame, markPlace } from "./frame.js";
export { startBackground } from "./start.js";
export { interceptVisit, loadPage, needsReload, returnToPlace } from "./visits.js";

/** What the first script of a page uses of a signed-in page. */

export { confirmLeave, discardForms } from "../acts/unsaved.js";
export { drawFrame, markPlace } from "./frame.js";
export { startBackground } from "./start.js";
export { interceptVisit, loadPage, needsReload, returnToPlace } from "./visits.js";

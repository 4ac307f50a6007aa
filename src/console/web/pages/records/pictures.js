/** Figures above the lists of some kinds. */

import { notLoaded } from "../../core/base/visits.js";

/**
 * Returns a function that makes the figures of the loaded records; false for a kind without
 * figures.
 * @param {string} code
 */
export async function picturesOf(code) {
  switch (code) {
    case "health":
      return (await import("../../core/figures/series.js").catch(notLoaded)).healthPictures();
    case "routine":
      return (await import("../../core/figures/routines.js").catch(notLoaded)).routinePictures();
    case "place":
      return (await import("../places.js").catch(notLoaded)).placesFigure();
    default:
      return false;
  }
}

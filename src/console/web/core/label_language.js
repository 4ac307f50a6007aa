/** The labels of the API's names, in the language of the page. */

import { setLabels } from "../logic/labels.js";

/** Loads them. English has none: it makes them of the names. */
export async function loadLabels() {
  const { lang } = document.documentElement;
  setLabels(lang === "en" ? null : (await import(`../lang/${lang}/labels.js`)).default);
}

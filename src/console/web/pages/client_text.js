/** The name of a program that signed in. */

import { t } from "../core/text.js";

/**
 * What the service calls it, "Firefox on Windows" or "curl", in the language of the page.
 *
 * @param {string | null} client Null and "unknown" for one that the service does not know.
 */
export function clientText(client) {
  const [name = "", system] = (client ?? "unknown").split(" on ");
  const known = name === "unknown" ? t("unknownClient") : name;
  return system === undefined ? known : t("clientOn", { client: known, system });
}

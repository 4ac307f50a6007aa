/** The name of a program that signed in. */

import { t } from "../core/text.js";

/**
 * The client's name, such as "Firefox on Windows" or "curl", in the language of the page.
 *
 * @param {string | null} client Null and "unknown" for an unknown one.
 */
export function clientText(client) {
  const [name = "", system] = (client ?? "unknown").split(" on ");
  const known = name === "unknown" ? t("unknownClient") : name;
  return system === undefined ? known : t("clientOn", { client: known, system });
}

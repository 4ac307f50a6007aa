import { t } from "../core/base.js";

/**
 * Such as "Firefox on Windows" or "curl", in the page's language.
 * @param {string | null} client Null or "unknown" for none.
 */
export function clientText(client) {
  const [name = "", system] = (client ?? "unknown").split(" on ");
  const known = name === "unknown" ? t("unknownClient") : name;
  return system === undefined ? known : t("clientOn", { client: known, system });
}

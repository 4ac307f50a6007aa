import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/** @returns {import("../pages.js").Content} */
export function notFound() {
  return { title: t("notFound"), body: [h("p", {}, t("notFoundText"))] };
}

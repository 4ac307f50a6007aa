import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { moduleOfPath, modulePath } from "../logic/addresses.js";
import { label } from "../logic/labels.js";

/** @returns {import("../pages.js").Content} */
export function notFound() {
  return {
    title: t("notFound"),
    body: [h("p", {}, t("notFoundText")), h("p", {}, h("a", { href: "/" }, t("home")))],
  };
}

/**
 * The page of an object that the service does not have.
 *
 * @param {string} path
 * @param {string} code The error code.
 * @returns {import("../pages.js").Content}
 */
export function missing(path, code) {
  const module = moduleOfPath(path);
  if (module === null || code === "RECORD_MODULE_NOT_FOUND") return notFound();
  const list = h("a", { href: modulePath(module) }, t("listOf", { name: label(module) }));
  return {
    title: t("notThere"),
    body: [h("p", {}, t("notThereText")), h("p", {}, list)],
  };
}

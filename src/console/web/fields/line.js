import { ApiError } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { failureText, t } from "../core/text.js";

/** @typedef {import("../core/dom.js").Child} Child */

/**
 * @param {Child | readonly Child[]} name
 * @param {readonly Child[]} facts
 * @param {...Child} beside
 */
export function line(name, facts, ...beside) {
  const shown = facts.filter((fact) => fact !== null && fact !== undefined && fact !== false);
  const parts = shown.flatMap((fact, index) => index === 0 ? [fact] : [" · ", fact]);
  return h("li", {}, h("div", {}, name, h("div", { class: "quiet small" }, parts)), ...beside);
}

/**
 * A part of a page that is requested after the page is shown.
 *
 * @param {() => Promise<readonly Child[]>} make An empty part hides its section.
 */
export function loaded(make) {
  const place = h("div", {}, h("p", { class: "quiet" }, t("loading")));
  const show = async () => {
    const children = await make().catch((error) => {
      if (!(error instanceof ApiError)) throw error;
      return [h("p", { class: "quiet" }, failureText(error.code))];
    });
    fill(place, children);
    if (children.length === 0) place.closest("section")?.remove();
  };
  void show();
  return place;
}

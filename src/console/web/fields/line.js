import { h } from "../core/dom.js";

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

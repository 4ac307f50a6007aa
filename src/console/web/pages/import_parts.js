/** Words of imports, and the chosen file between their pages. */

import { h } from "../core/base/elements.js";
import { t, textOf } from "../core/base/language.js";
import { label } from "../core/names.js";
import { counted } from "../fields/shown/figures.js";
import { parts } from "../fields/shown/files.js";
import { IMPORT_FORMATS } from "../logic/import_formats.js";

export const API = "/api/v2/imports";
export const PAGE = "/console/imports";

/** The title of a format in the console's language. @param {string} format */
export function formatTitle(format) {
  return IMPORT_FORMATS[format]?.title[document.documentElement.lang] ?? format;
}

/** @param {string} state */
export function stateText(state) {
  return textOf(`import.${state}`, state);
}

/** In a word, as lists show it. @param {string} state */
export function stateWord(state) {
  return textOf(`importIs.${state}`, state);
}

/** @type {Readonly<Record<string, Parameters<typeof import("../core/base/icons.js").icon>[0]>>} */
const SYMBOLS = {
  REFUSED: "close",
  PLANNED: "search",
  DISCARDED: "archive",
  STOPPED: "later",
  DONE: "check",
  WITHDRAWN: "undo",
};

/** @param {string} state */
export function stateSymbol(state) {
  return SYMBOLS[state] ?? "actions";
}

/** The names of targets that are not modules. @type {Texts} */
const TARGETS = { tag: "TAG", person: "relationship" };

/** @param {string} target */
export function targetText(target) {
  return target === "unknown" ? t("unknownClient") : label(TARGETS[target] ?? target);
}

/** A name from the file. @param {string} name */
export function ownName(name) {
  return h("span.words", { translate: "no" }, name);
}

/** Part of a sentence; an unknown rule is shown as it is. @param {string} rule @returns {Child} */
export function ruleWords(rule) {
  return textOf(rule, "") || h("span.exact", rule);
}

/** A sentence about a whole file. @param {string} rule @returns {Child} */
export function ruleSentence(rule) {
  const words = ruleWords(rule);
  if (typeof words !== "string") return words;
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;
}

/** Rules that an import has as a whole, not once for each item. */
const WHOLE = ["import.nothing", "import.looks_like"];

/** @param {{ rule: string, count: number }} counts @returns {readonly Child[]} */
export function remark({ rule, count }) {
  if (WHOLE.includes(rule)) return [ruleSentence(rule)];
  return [`${counted(count, "items")}: `, ruleWords(rule)];
}

/**
 * The name of something that was left out, and how often.
 * @param {{ name: string, count: number }} counts
 * @param {readonly string[]} columns Their names go before the meanings of fixed names.
 * @returns {readonly Child[]}
 */
export function leftOut({ name, count }, columns) {
  return [...leftOutName(name, columns), `: ${count}`];
}

const FRONT_MATTER = "front_matter.";
const HEALTH = "health.";
const UNIT = ".unit";

/** The words of a type of values, such as `StepCount`. @param {string} name */
export function typeText(name) {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
}

/** @param {string} name @param {readonly string[]} columns @returns {readonly Child[]} */
function leftOutName(name, columns) {
  if (columns.includes(name)) return [ownName(name)];
  if (name.startsWith(FRONT_MATTER)) {
    return parts("leftOut.front_matter", { name: ownName(name.slice(FRONT_MATTER.length)) });
  }
  const column = name.endsWith(UNIT) ? name.slice(0, -UNIT.length) : "";
  if (columns.includes(column)) return parts("leftOut.unit", { name: ownName(column) });
  const words = textOf(`leftOut.${name}`, "");
  if (words === "" && name.startsWith(HEALTH)) {
    return parts("leftOut.health", { name: ownName(typeText(name.slice(HEALTH.length))) });
  }
  return [words || ownName(name)];
}

/** JSON, or else the text: the service names the field. @param {string} text */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @type {{ importId: string, file: File } | null} */
let chosen = null;

/** Keeps the last chosen file in memory, so that the next page can show its first rows. */
export function keepFile(/** @type {string} */ importId, /** @type {File} */ file) {
  chosen = { importId, file };
}

/** Null on a later visit. @param {string} importId */
export function keptFile(importId) {
  return chosen?.importId === importId ? chosen.file : null;
}

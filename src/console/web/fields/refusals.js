/** Sentences for refused writes: one for each rule, at its fields or above the form. */

import { h } from "../core/base/elements.js";
import { formatNumber, numberText, t, textOf } from "../core/base/language.js";

/** The sentences that several rules share. A sentence of its own comes first. */
const SHARED = /** @type {const} */ ([
  [/_not_in_the_future$/, "future"],
  [/_not_after_|_before_/, "order"],
  [/_are_ulids$|_is_ulid$/, "identifier"],
  [/\.precise_time_requires_/, "precise"],
  [/\.unknown_time_forbids_/, "unknown"],
  [/\.life_period_requires_/, "period"],
  [/^passkey\./, "credential"],
  [/^filename\./, "filename"],
  [/^filter\./, "filter"],
  [/^proposal\./, "proposal"],
  [
    /^import\.(?:bytes|canonical|counts|digest|format|future|guard|line_end|line_length)$/,
    "account",
  ],
  [/^import\.(?:manifest|member|order|quota|reference|repeated|type|value|version)$/, "account"],
  [/^(?:file\.lines|line\.bytes|record_id\..+|revisions\..+)$/, "account"],
  [/^(?:assignments|body|control|cursor|draft|export|idempotency_key|json|query|url)\./, "request"],
  [/^(?:content_digest|due|insight|module|payload|second_factor|step_up)\./, "request"],
  [/^field\.(?:digests?|origin)$/, "request"],
]);

/** @type {Texts} */
let sentences = {};

export async function loadRules() {
  const { lang } = document.documentElement;
  ({ default: sentences } = await import(`../lang/${lang}/rules.js`));
}

/** The name of the shared sentence; undefined for none. @param {string} rule */
export function sharedName(rule) {
  return SHARED.find(([form]) => form.test(rule))?.[1];
}

/** @param {string} rule @param {Limits} [limits] */
export function ruleText(rule, limits = {}) {
  const { maximumLength, limit } = limits;
  const name = rule === "field.length" && maximumLength ? "field.length.most" : rule;
  const text = rule === "field.range" && rangeText(limits) || sentences[name] ||
    textOf(rule, "") || sentences[sharedName(rule) ?? ""] || rule;
  return text.replace(/\{\w+\}/, numberText(maximumLength ?? limit ?? 0));
}

/** A bound of a share of one is a percentage. @param {Limits} limits */
function rangeText({ minimum, maximum }) {
  const isShare = minimum === 0 && maximum === 1;
  const [least = "", most = ""] = [minimum, maximum].map((bound) =>
    bound === undefined
      ? ""
      : isShare
      ? formatNumber(bound, { style: "percent" })
      : numberText(bound)
  );
  if (least && most) return t("between", { minimum: least, maximum: most });
  if (least) return t("atLeast", { minimum: least });
  return most && t("atMost", { maximum: most });
}

/**
 * True if the field's text or the rule's name shows that the field breaks the rule.
 * @param {Field} field @param {string} rule
 */
function breaks({ name, text, row }, rule) {
  const { minimum = -Infinity, maximum = Infinity, maximumLength = Infinity } = row.limits ?? {};
  const value = text().trim();
  switch (rule) {
    case "field.required":
    case "field.blank":
    case "field.null":
      return value === "";
    case "field.length":
      return [...text()].length > maximumLength;
    case "field.range":
      return value !== "" && (Number(value) < minimum || Number(value) > maximum);
    default:
      return rule.includes(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  }
}

/**
 * Shows each refused field its sentences, and returns the others, and ways to the fields.
 * @param {{ rules?: readonly string[], fields?: readonly string[], limit?: number }} details
 * @param {readonly Field[]} fields
 */
export async function explain({ rules = [], fields: names = [], limit }, fields) {
  await loadRules();
  const refused = fields.filter(({ name }) => names.includes(name));
  const broken = refused.map((field) => rules.filter((rule) => breaks(field, rule)));
  // The service does not say which field breaks which rule.
  const others = rules.filter((rule) => !broken.flat().includes(rule));
  refused.forEach((field, index) => {
    const own = [broken[index] ?? [], others].find(({ length }) => length > 0) ?? rules;
    const texts = own.map((rule) => ruleText(rule, { ...field.row.limits, limit }));
    field.refuse([...new Set(texts)].join(" ") || t("notValid"));
  });
  const isShown = broken.some(({ length }) => length === 0);
  return [
    ...isShown ? [] : others.map((rule) => h("p", ruleText(rule, { limit }))),
    refused.length > 0 && h("div.bar", refused.map(wayTo)),
  ];
}

/** @param {Field} field */
function wayTo({ row: { label: name }, focus }) {
  return h("button.plain", { onclick: focus }, t("goToField", { name }));
}

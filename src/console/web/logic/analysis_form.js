/** Converts an analysis to and from form groups, one per criterion. */

import { toNumber } from "../fields/shown.js";

const MAX_KEY_LENGTH = 128;
const NO_KEYS = ["__proto__", "prototype", "constructor"];

/** Options that may be keys of the API's bodies. @param {readonly string[]} options */
export function analysableOptions(options) {
  return options.filter((option) =>
    [...option].length <= MAX_KEY_LENGTH && !NO_KEYS.includes(option)
  );
}

/** The prefix avoids collisions with other names. */
export const scoreName = (/** @type {string} */ option) => `score:${option}`;

/** @param {any} analysis @param {readonly string[]} options In the decision's order. */
export function analysisGroups({ criteria, scores }, options) {
  const scored = options.filter((option) => Object.hasOwn(scores, option));
  return criteria.map((/** @type {{ name: string, weight: number }} */ { name, weight }) => ({
    name,
    weight: String(weight),
    ...Object.fromEntries(
      scored.map((option) => [scoreName(option), String(scores[option][name])]),
    ),
  }));
}

/**
 * Omits options without scores.
 * @param {readonly GroupTexts[]} groups
 * @param {readonly string[]} options
 * @returns {{ criteria: { name: string, weight: number }[], scores: Record<string, Record<string, number>>
 * }
 * | null} Null if a number is missing or invalid.
 */
export function analysisBody(groups, options) {
  const criteria = groups.map(({ name = "", weight }) => ({ name, weight: toNumber(weight) }));
  const scored = options.filter((option) => groups.some((group) => scoreName(option) in group));
  const scores = scored.map((option) => /** @type {const} */ ([
    option,
    groups.map((
      group,
    ) => /** @type {const} */ ([group.name ?? "", toNumber(group[scoreName(option)])])),
  ]));
  const numbers = [
    criteria.map(({ weight }) => weight),
    scores.map(([, row]) => row.map(([, score]) => score)),
  ];
  if (numbers.flat(2).includes(NaN)) return null;
  return {
    criteria,
    scores: Object.fromEntries(scores.map(([option, row]) => [option, Object.fromEntries(row)])),
  };
}

/** Converts simulation options to and from form groups, one per factor. */

import { toNumber } from "../fields/shown.js";

export const PARAMETERS = /** @type {const} */ ({
  NORMAL: ["mean", "standardDeviation"],
  UNIFORM: ["minimum", "maximum"],
  TRIANGULAR: ["minimum", "mode", "maximum"],
});

/** @typedef {keyof typeof PARAMETERS} Distribution */

/**
 * Follows the decision's order of options.
 * @param {readonly Record<string, string>[]} groups
 * @param {readonly string[]} options
 * @returns {{ option: string, factors: Record<string, string | number>[] }[] | null} Null if a value is
 *   missing or invalid.
 */
export function simulationOptions(groups, options) {
  const factors = groups.map(({ option, name = "", weight, distribution, ...parameters }) => {
    const needed = PARAMETERS[/** @type {Distribution} */ (distribution)] ?? [];
    const numbers = needed.map((each) => /** @type {const} */ ([each, toNumber(parameters[each])]));
    return { option, name, weight: toNumber(weight), distribution, numbers };
  });
  const isWhole = factors.every(({ option, weight, numbers }) =>
    option !== undefined && options.includes(option) && numbers.length > 0 &&
    ![weight, ...numbers.map(([, number]) => number)].includes(NaN)
  );
  if (!isWhole) return null;
  return options.map((option) => ({
    option,
    factors: factors.filter((factor) => factor.option === option)
      .map(({ name, weight, distribution = "", numbers }) => ({
        name,
        weight,
        distribution,
        ...Object.fromEntries(numbers),
      })),
  })).filter(({ factors }) => factors.length > 0);
}

/** How names are compared: two spellings that have the same compared form are the same name. */

import type { CheckedRule } from "../../catalog/module.ts";
import { listSatisfies, rule } from "../../catalog/rules.ts";
import { isLongerThan } from "../../validate/text.ts";

/** Maximum code points of a name or an alias. */
export const NAME_LENGTH = 64;

/**
 * The form in which names are compared, searched and sorted: NFKC, upper case, lower case, NFKC, with runs
 * of white space as one space and none at the ends. Diacritics matter, languages do not.
 *
 * Only for texts of checked length: the time grows with the square of the combining marks in a row.
 */
export function comparedForm(text: string): string {
  const folded = text.normalize("NFKC").toUpperCase().toLowerCase();
  // Alone of all letters, a sigma depends on its place when JavaScript makes it lower case.
  const spelt = folded.replaceAll("ς", "σ").normalize("NFKC");
  return spelt.replaceAll(/\s+/g, " ").trim();
}

/**
 * The compared form of a name as a key to sort by: in JavaScript's order of strings, keys are in the order
 * of the forms' code points, as a database has them in the collation "C".
 */
export function sortKey(name: string): string {
  const compared = comparedForm(name);
  // The halves of a code point beyond U+FFFF are numbers below U+E000: they change places with the rest.
  return /[\ud800-\uffff]/.test(compared)
    ? compared.replaceAll(
      /[\ud800-\uffff]/g,
      (unit) => String.fromCharCode(unit.charCodeAt(0) + (unit < "\ue000" ? 0x2000 : -0x800)),
    )
    : compared;
}

/** Whether no two of the names are the same. */
export function areDistinct(names: readonly string[]): boolean {
  // Names that are too long are rejected anyway and need not be compared.
  if (names.some((name) => isLongerThan(name, NAME_LENGTH))) return true;
  return new Set(names.map(comparedForm)).size === names.length;
}

/** The aliases of a term are distinct … */
export const DISTINCT_ALIASES: CheckedRule = rule(
  "taxonomy.aliases_are_distinct",
  "the aliases of a term differ after normalisation",
  listSatisfies("aliases", areDistinct),
);

/** … and differ from its name. */
export const ALIASES_BESIDE_NAME: CheckedRule = rule(
  "taxonomy.no_alias_is_the_name",
  "no alias of a term is its name after normalisation",
  {
    fields: ["name", "aliases"],
    holds(payload) {
      const [name, aliases = []] = [payload.text("name"), payload.list("aliases")];
      return name === undefined || aliases.every((alias) => areDistinct([name, alias]));
    },
  },
);

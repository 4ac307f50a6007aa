/** Comparison of names: spellings with the same compared form are one name. */

import type { CheckedRule } from "../../catalog/module.ts";
import { listSatisfies, rule } from "../../catalog/rules.ts";
import { isLongerThan } from "../../validate/text.ts";

/** In code points. */
export const NAME_LENGTH = 64;

/**
 * Returns the form for comparing, searching and sorting: NFKC, upper case, lower case, NFKC, white
 * space as single spaces, trimmed. Diacritics matter, languages do not.
 *
 * Only for texts of checked length: time grows with the square of consecutive combining marks.
 */
export function comparedForm(text: string): string {
  const folded = text.normalize("NFKC").toUpperCase().toLowerCase();
  // In JavaScript, only sigma's lower case depends on its position.
  const spelt = folded.replaceAll("ς", "σ").normalize("NFKC");
  return spelt.replaceAll(/\s+/g, " ").trim();
}

/**
 * Returns a key whose order as a JavaScript string is the code point order of compared forms, like
 * the database's collation "C".
 */
export function sortKey(name: string): string {
  const compared = comparedForm(name);
  // In UTF-16, surrogates sort before U+E000 to U+FFFF: swap both ranges.
  return /[\ud800-\uffff]/.test(compared)
    ? compared.replaceAll(
      /[\ud800-\uffff]/g,
      (unit) => String.fromCharCode(unit.charCodeAt(0) + (unit < "\ue000" ? 0x2000 : -0x800)),
    )
    : compared;
}

export function areDistinct(names: readonly string[]): boolean {
  // Names that are too long are rejected elsewhere; they are not compared.
  if (names.some((name) => isLongerThan(name, NAME_LENGTH))) return true;
  return new Set(names.map(comparedForm)).size === names.length;
}

export const DISTINCT_ALIASES: CheckedRule = rule(
  "taxonomy.aliases_are_distinct",
  "the aliases of a term differ after normalisation",
  listSatisfies("aliases", areDistinct),
);

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

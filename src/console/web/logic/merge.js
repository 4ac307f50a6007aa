/** Merges two changes field by field. */

/**
 * @param {Texts} base
 * @param {Texts} mine
 * @param {Texts} theirs
 * @returns {{ texts: Record<string, string>, taken: string[], contested: string[] }} `taken`: changed only by
 *   them; `contested`: changed differently by both, mine stay.
 */
export function merge(base, mine, theirs) {
  const texts = /** @type {Record<string, string>} */ ({});
  const taken = [];
  const contested = [];
  for (const name of new Set([base, mine, theirs].flatMap(Object.keys))) {
    const [before, here, there] = [base, mine, theirs].map((side) => side[name] ?? "");
    const isTaken = here === before && there !== before;
    if (isTaken) taken.push(name);
    else if (here !== before && there !== before && here !== there) contested.push(name);
    texts[name] = (isTaken ? there : here) ?? "";
  }
  return { texts, taken, contested };
}

/**
 * Merges two changes field by field. `taken`: changed only by them; `contested`: changed
 * differently by both, mine stay.
 * @param {Texts} base @param {Texts} mine @param {Texts} theirs
 */
export function merge(base, mine, theirs) {
  /** @type {Record<string, string>} */
  const texts = {};
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

/** Names of the catalog as people read them. */

/**
 * `ai-agent` is "Ai agent", `commitmentType` "Commitment type", `IN_PROGRESS` "In progress".
 *
 * @param {string} name
 */
export function label(name) {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

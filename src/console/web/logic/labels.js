/** Labels of the catalog and of other names in the API. */

/** English names that are not made of the words in them. */
const EXACT = /** @type {Readonly<Record<string, string>>} */ ({
  "ai-agent": "AI agent",
  aiDraft: "AI draft",
  API: "API",
  sourceKind: "Source",
  sourceRef: "Source record",
  url: "Source address",
});

/** @type {Readonly<Record<string, string>>} */
let labels = EXACT;

/**
 * Chooses the language of labels.
 *
 * @param {Readonly<Record<string, string>> | null} table Null for English, which makes them of the names.
 */
export function setLabels(table) {
  labels = table ?? EXACT;
}

/**
 * The label of a name. In English `commitmentType` is "Commitment type", `IN_PROGRESS` "In progress".
 *
 * @param {string} name
 */
export function label(name) {
  if (Object.hasOwn(labels, name)) return /** @type {string} */ (labels[name]);
  // Groups are named by words.
  if (name.includes(" ")) return name;
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

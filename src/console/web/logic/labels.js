/** English names that differ from their words. */
const EXACT = /** @type {Readonly<Record<string, string>>} */ ({
  "ai-agent": "AI agent",
  aiDraft: "AI draft",
  ai_draft: "AI draft",
  BUSY: "Times alone",
  DEATH: "Day of death",
  TITLES: "Titles and names",
  API: "API",
  sourceKind: "Source",
  sourceRef: "Source record",
  url: "Source address",
});

/** @type {Readonly<Record<string, string>>} */
let labels = EXACT;

/**
 * @param {Readonly<Record<string, string>> | null} table Null for English, which derives labels from names.
 */
export function setLabels(table) {
  labels = table ?? EXACT;
}

/**
 * In English `commitmentType` is "Commitment type", `IN_PROGRESS` "In progress".
 *
 * @param {string} name
 */
export function label(name) {
  if (Object.hasOwn(labels, name)) return /** @type {string} */ (labels[name]);
  // Group names are words already.
  if (name.includes(" ")) return name;
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** English names that differ from their words. */
const EXACT = /** @type {Readonly<Record<string, string>>} */ ({
  // Modules: many, and one of them
  relationship: "People",
  "relationship.one": "Person",
  identity: "Profile",
  "identity.one": "Profile",
  constitution: "Constitution",
  "constitution.one": "Principle",
  health: "Health",
  "health.one": "Measurement",
  "ai-agent": "AI sessions",
  "ai-agent.one": "AI session",
  "personal-model": "Personal model",
  "personal-model.one": "Insight",
  memory: "Memories",
  "memory.one": "Memory",
  timeline: "Timeline",
  "timeline.one": "Life event",
  knowledge: "Knowledge",
  "knowledge.one": "Source",
  media: "Media",
  "media.one": "Media item",
  legacy: "Legacy",
  "legacy.one": "Legacy plan",
  taxonomy: "Tags",
  "taxonomy.one": "Tag",
  community: "Communities",
  "community.one": "Community",
  // Fields
  aiDraft: "AI draft",
  ai_draft: "AI draft",
  attachmentIds: "Files",
  completedAt: "Completed on",
  contextRefs: "Context",
  counterEvidenceIds: "Counter-evidence",
  deduplicationKey: "Key against duplicates",
  desiredContactIntervalDays: "Days between contacts",
  durationSeconds: "Length",
  evidenceIds: "Evidence",
  experimentId: "Experiment",
  fileId: "File",
  intervalDays: "Days between",
  lastCompletedAt: "Last done",
  mappingConfig: "Mapping",
  memberIds: "Members",
  occurredAt: "When",
  parentId: "Part of",
  reviewAt: "Review on",
  snapshot: "Copy of the text",
  sourceKind: "Source",
  sourceRef: "Source record",
  sourceRefs: "Sources",
  timeText: "Time in words",
  url: "Source address",
  // Values
  API: "API",
  BUSY: "Times alone",
  DEATH: "Day of death",
  TITLES: "Titles and names",
});

/** @type {Readonly<Record<string, string>>} */
let labels = EXACT;

/**
 * @param {Readonly<Record<string, string>> | null} table Null for English, which derives labels from names.
 */
export function setLabels(table) {
  labels = table ?? EXACT;
}

/** Modules whose English name is that of one record. */
const COUNTABLE = new Set(
  "commitment resource decision action routine review interview capture integration place publication"
    .split(" "),
);

/**
 * In English `commitmentType` is "Commitment type", `IN_PROGRESS` "In progress", `dueAt` "Due". The code of
 * a module is the name of its list.
 *
 * @param {string} name
 */
export function label(name) {
  if (Object.hasOwn(labels, name)) return /** @type {string} */ (labels[name]);
  // Group names are words already.
  if (name.includes(" ")) return name;
  const words = name.replace(/([a-z])At$/, "$1").replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_]/g, " ").toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return COUNTABLE.has(name) ? `${text}s` : text;
}

/** The name of one record of a module. @param {string} code */
export function labelOfOne(code) {
  if (Object.hasOwn(labels, `${code}.one`)) return /** @type {string} */ (labels[`${code}.one`]);
  return COUNTABLE.has(code) ? label(code).slice(0, -1) : label(code);
}

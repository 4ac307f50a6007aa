/** Addresses and labels of the kinds of records. */

import { failureText, h, send, t } from "./base.js";

/** The places of the side bar. Each with the beginnings of its pages' paths, the first of which is its own. */
export const PLACES = {
  home: ["/"],
  search: ["/console/search"],
  people: ["/console/people"],
  memories: ["/console/memories"],
  decisions: ["/console/decisions"],
  calendar: ["/console/calendar"],
  records: ["/console/records", "/console/profile", "/console/resources", "/console/print"],
  files: ["/console/files"],
  tags: ["/console/tags"],
  account: ["/console/account"],
};

/** Pages that the account page links to. */
const OF_ACCOUNT =
  /^\/console\/(sessions|passkeys|tokens|assistants|proposals|audit|changes|witness|imports|export|about)\b/;
/** Null for a page of no place. @param {string} path */
export function placeOf(path) {
  if (OF_ACCOUNT.test(path)) return "account";
  const found = Object.entries(PLACES).find(([, starts]) =>
    starts.some((start) => start === path || (start !== "/" && path.startsWith(`${start}/`)))
  );
  return /** @type {Place | null} */ (found?.[0] ?? null);
}

/** The kinds of records by group, as in the catalog; a test compares the two. */
export const KINDS = /** @type {Readonly<Record<string, readonly string[]>>} */ ({
  "People and real-world relations": ["relationship", "commitment", "community"],
  "Self and identity": ["identity", "constitution", "resource"],
  "Action and growth": ["decision", "health", "action", "routine", "review"],
  "Personal intelligence": ["ai-agent", "personal-model", "interview"],
  "Experience and archive": [
    "memory",
    "capture",
    "timeline",
    "knowledge",
    "media",
    "taxonomy",
    "place",
  ],
  "Public and continuity": ["integration", "legacy", "publication"],
});

const OWN_PAGES = /** @type {Readonly<Record<string, string>>} */ ({
  memory: "/console/memories",
  relationship: "/console/people",
  decision: "/console/decisions",
  identity: "/console/profile",
  resource: "/console/resources",
  taxonomy: "/console/tags",
});

/** @param {string} code */
export function modulePath(code) {
  return OWN_PAGES[code] ?? generalPath(code);
}

/**
 * For identity the profile, of which there is one.
 * @param {string} code
 * @param {string} recordId
 */
export function recordPath(code, recordId) {
  const path = modulePath(code);
  return code === "identity" ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/** The generic page, which every module has. @param {string} code @param {string} [recordId] */
export function generalPath(code, recordId) {
  const path = `/console/records/${code}`;
  return recordId === undefined ? path : `${path}/${encodeURIComponent(recordId)}`;
}

/** Null for pages without a module. @param {string} path */
export function moduleOfPath(path) {
  const general = /^\/console\/records\/([^/]+)/.exec(path)?.[1];
  if (general !== undefined) return general;
  const own = Object.entries(OWN_PAGES).find(([, page]) => `${path}/`.startsWith(`${page}/`));
  return own?.[0] ?? null;
}

/** English names that differ from their words. */
const EXACT = /** @type {Readonly<Record<string, string>>} */ ({
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

/** Options with their labels. @param {readonly string[]} values @returns {Choices} */
export function labelled(values) {
  return values.map((value) => ({ value, label: label(value) }));
}

/** @type {Promise<readonly CatalogModule[]> | undefined} */
let catalog;

/** @returns {Promise<readonly CatalogModule[]>} */
export function readCatalog() {
  catalog ??= send("GET", "/api/v2/catalog").then(({ data }) => data.modules).catch((error) => {
    catalog = undefined;
    throw error;
  });
  return catalog;
}

/** @param {string | undefined} code */
export async function readModule(code) {
  const modules = await readCatalog();
  return modules.find((module) => module.code === code) ?? null;
}

/** English needs no table: labels are made of the names. */
export async function loadLabels() {
  const { lang } = document.documentElement;
  setLabels(lang === "en" ? null : (await import(`../lang/${lang}/labels.js`)).default);
}

/** @returns {Content} */
export function notFound() {
  return {
    title: t("notFound"),
    body: [h("p", t("notFoundText")), h("p", h("a", { href: "/" }, t("home")))],
  };
}

/**
 * The page of an object that the service does not have.
 * @param {string} path
 * @param {string} code
 */
export function missing(path, code) {
  const module = moduleOfPath(path);
  if (module === null || code === "RECORD_MODULE_NOT_FOUND") return notFound();
  const list = h("a", { href: modulePath(module) }, t("listOf", { name: label(module) }));
  const [title, text] = code === "RECORD_ERASED"
    ? [t("erased"), failureText(code)]
    : [t("notThere"), t("notThereText")];
  return { title, body: [h("p", text), h("p", list)] };
}

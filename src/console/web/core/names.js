/** Addresses and labels of the kinds of records. */

import { h, link } from "./base/elements.js";
import { drawing } from "./base/icons.js";
import { failureText, t } from "./base/language.js";
import { send } from "./base/sender.js";
import { once } from "./base/timing.js";

/** Addresses of the places, in the order of the side bar. */
export const PLACES = {
  home: "/",
  search: "/console/search",
  people: "/console/people",
  memories: "/console/memories",
  decisions: "/console/decisions",
  calendar: "/console/calendar",
  records: "/console/records",
  files: "/console/files",
  tags: "/console/tags",
  account: "/console/account",
};

/** @type {readonly PageEntry[]} */
let linked = [];

/** @param {readonly PageEntry[]} entries In the order of the account's page. */
export function setLinkedPages(entries) {
  linked = entries;
}

export function linkedPages() {
  return linked.flatMap(({ path, link }) => link === null ? [] : [{ ...link, path }]);
}

/** A link to a page of the account. @param {Sentence} name */
export function pageLink(name) {
  const found = linkedPages().find((page) => page.name === name);
  if (found === undefined) throw new Error(`Unknown page of the account: ${name}`);
  return link(found.path, t(name));
}

/**
 * The kinds of records by group, as in the catalog; a test compares the two.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const KINDS = {
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
};

/** The colour of a kind's group, from 0. @param {string} code */
export function toneOf(code) {
  return Math.max(0, Object.values(KINDS).findIndex((codes) => codes.includes(code)));
}

/** Kinds that one line adds, the most frequent first. */
export const ADDED_KINDS = [
  "action",
  "commitment",
  "routine",
  "health",
  "relationship",
  "memory",
  "capture",
  "timeline",
  "knowledge",
  "decision",
  "place",
  "community",
  "taxonomy",
];

/** @type {Texts} */
const OWN_PAGES = {
  memory: "/console/memories",
  relationship: "/console/people",
  decision: "/console/decisions",
  identity: "/console/profile",
  resource: "/console/resources",
  taxonomy: "/console/tags",
};

export const CAPTURES_API = "/api/v2/records/capture";

export const MEMORIES_API = "/api/v2/memory/texts";

/** @param {string} code */
export function modulePath(code) {
  return OWN_PAGES[code] ?? generalPath(code);
}

/** @param {string} code @param {string} recordId */
export function recordPath(code, recordId) {
  const path = modulePath(code);
  // There is one profile.
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

/** English names that differ from their words. @type {Texts} */
const EXACT = {
  relationship: "People",
  "relationship.one": "Person",
  identity: "Profile",
  "constitution.one": "Principle",
  "health.one": "Measurement",
  "ai-agent": "AI sessions",
  "ai-agent.one": "AI session",
  "personal-model.one": "Insight",
  memory: "Memories",
  "memory.one": "Memory",
  "timeline.one": "Life event",
  "knowledge.one": "Source",
  "media.one": "Media item",
  "legacy.one": "Legacy plan",
  taxonomy: "Tags",
  "taxonomy.one": "Tag",
  community: "Communities",
  "community.one": "Community",
  additional: "Middle names",
  aiDraft: "AI draft",
  ai_draft: "AI draft",
  attachmentIds: "Files",
  box: "PO box",
  completedAt: "Completed on",
  contextRefs: "Context",
  counterEvidenceIds: "Counter-evidence",
  deduplicationKey: "Key against duplicates",
  desiredContactIntervalDays: "Days between contacts",
  durationSeconds: "Length",
  evidenceIds: "Evidence",
  experimentId: "Experiment",
  extra: "Address line 2",
  fileId: "File",
  intervalDays: "Days between",
  lastCompletedAt: "Last done",
  mappingConfig: "Mapping",
  memberIds: "Members",
  occurredAt: "When",
  parentId: "Part of",
  phonetic: "Pronunciation",
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
  URL: "Page",
};

let labels = EXACT;

/** @param {Texts | null} table Null for English, which derives labels from names. */
export function setLabels(table) {
  labels = table ?? EXACT;
}

/** Modules whose English name is that of one record. */
const COUNTABLE = new Set(
  [
    "commitment",
    "resource",
    "decision",
    "action",
    "routine",
    "review",
    "interview",
    "capture",
    "integration",
    "place",
    "publication",
  ],
);

/** In English `commitmentType` is "Commitment type", `dueAt` "Due". @param {string} name */
export function label(name) {
  const exact = exactLabel(name);
  if (exact !== undefined) return exact;
  // Group names are words already.
  if (name.includes(" ")) return name;
  const words = name.replace(/([a-z])At$/, "$1").replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_]/g, " ").toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return COUNTABLE.has(name) ? `${text}s` : text;
}

/** The name of one record of a module. @param {string} code */
export function labelOfOne(code) {
  const exact = exactLabel(`${code}.one`);
  return exact ?? (COUNTABLE.has(code) ? label(code).slice(0, -1) : label(code));
}

/** @param {string} name */
function exactLabel(name) {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

/** Options with their labels. @param {readonly string[]} values @returns {Choices} */
export function labelled(values, name = label) {
  return values.map((value) => ({ value, label: name(value) }));
}

/** @type {() => Promise<readonly CatalogModule[]>} */
export const readCatalog = once(async () => (await send("GET", "/api/v2/catalog")).data.modules);

/** @param {string | undefined} code */
export async function readModule(code) {
  const modules = await readCatalog();
  return modules.find((module) => module.code === code) ?? null;
}

/** @param {string} code */
export async function readFields(code) {
  return (await readModule(code))?.fields ?? [];
}

export async function loadLabels() {
  const { lang } = document.documentElement;
  setLabels(lang === "en" ? null : (await import(`../lang/${lang}/labels.js`)).default);
}

/** @returns {Content} */
export function notFound() {
  return {
    title: t("notFound"),
    heading: [drawing("lost"), t("notFound")],
    body: [h("p", t("notFoundText")), h("p.bar", link("/", t("home"), "main"))],
  };
}

/** For an object that the service does not have. @param {string} path @param {string} code */
export function missing(path, code) {
  const module = moduleOfPath(path);
  if (module === null || code === "RECORD_MODULE_NOT_FOUND") return notFound();
  const list = link(modulePath(module), t("listOf", { name: label(module) }), "main");
  const [title, text] = code === "RECORD_ERASED"
    ? [t("erased"), failureText(code)]
    : [t("notThere"), t("notThereText")];
  return { title, heading: [drawing("lost"), title], body: [h("p", text), h("p.bar", list)] };
}

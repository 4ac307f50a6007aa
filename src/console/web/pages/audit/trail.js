/** The audit trail, and who came in. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t, textOf } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { label, labelOfOne, recordPath } from "../../core/names.js";
import { pageLink } from "../../core/names.js";
import { viewsOf } from "../../fields/controls/choices.js";
import { row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import {
  clientText,
  clockText,
  dayHeading,
  daysBetween,
  timeText,
} from "../../fields/shown/times.js";
import { ago } from "../../fields/shown/files.js";
import { listPage } from "../parts/lists.js";
import { NEWEST } from "../parts/order.js";

/** The last words of operations, by their label. */
const VERBS = {
  ACCEPTED: ["accept", "adopt", "confirm"],
  ARCHIVED: ["archive", "delete"],
  CHANGED: ["modify", "revise", "set", "map", "refresh"],
  CREATED: ["create"],
  DECLINED: ["reject"],
  DEACTIVATED: ["deactivate"],
  EXPIRED: ["expire", "stale"],
  EXPORTED: ["export"],
  IMPORTED: ["import", "item", "original", "catalog", "demo"],
  MERGED: ["merge"],
  MOVED: ["move"],
  READY: ["ready"],
  PUBLISHED: ["publish"],
  REACTIVATED: ["reactivate"],
  REMOVED: ["remove", "discard"],
  RENAMED: ["rename"],
  RESTORED: ["restore", "recover"],
  CORRECTED: ["control"],
  SAVED: ["keep", "save", "commit"],
  STARTED: ["run", "feature"],
  STOPPED: ["stop"],
  WITHDRAWN: ["withdraw", "revoke"],
};

/** Things whose name is already that of a field. @type {Texts} */
const THINGS = {
  attachment: "file",
  evidence: "evidence_item",
  import: "import_run",
  seed: "starting_data",
};

/**
 * The labels of an operation and of its object; null for an operation newer than this page.
 * @param {AuditOperation} entry
 */
export function auditParts({ operation, moduleCode }) {
  const [verb = "", place = "", family] = operation.split(".").reverse();
  const [done] = Object.entries(VERBS).find(([, verbs]) => verbs.includes(verb)) ?? [];
  if (done === undefined) return null;
  const isRecord = place === "record" || verb === "item" || [place, family].includes("legacy");
  return { done, thing: isRecord && moduleCode !== null ? moduleCode : THINGS[place] ?? place };
}

/** True if the subject has a page of its own. @param {string} operation */
function isOfRecord(operation) {
  return /^(record|memory|decision|resource)\.[a-z]+$|^(relationship\.person|taxonomy\.(tag|category))\./
    .test(operation);
}

export const API = "/api/v2/audit";

/** @type {Page} */
export async function audit({ query }) {
  const kind = query.get("kind") === "access" ? "access" : "audit";
  const { items: [newest] } = await get(`${API}/seals?kind=${kind}&limit=1`);
  const views = viewsOf({ audit: t("recordEvents"), access: t("accessEvents") });
  return listPage(query, {
    title: t("audit"),
    api: API,
    filter: { name: "kind", views },
    alsoAsked: kind === "audit" ? { titles: "true" } : {},
    beside: [pageLink("changesTitle")],
    above: () => sealText(newest),
    orders: [byDay()],
    line: kind === "access" ? accessLine : auditLine,
  });
}

/** The newest first, under the headings of their days. @returns {ListOrder} */
export function byDay() {
  const headingOf = (/** @type {any} */ { createdAt }) => {
    const day = new Date(createdAt);
    return dayHeading(day, daysBetween(new Date(), day));
  };
  const placeOf = (/** @type {any} */ { createdAt }) => -Date.parse(createdAt);
  return { value: NEWEST, text: "", asked: {}, headings: { headingOf, placeOf } };
}

/** @type {Readonly<Record<string, Setting["symbol"]>>} */
const SYMBOLS = {
  ARCHIVED: "archive",
  CREATED: "add",
  EXPORTED: "download",
  IMPORTED: "upload",
  REMOVED: "close",
  RESTORED: "undo",
};

/** The symbol of an operation. @param {AuditOperation} entry */
export function operationSymbol(entry) {
  const symbol = SYMBOLS[auditParts(entry)?.done ?? ""] ?? "edit";
  return entry.moduleCode === null
    ? h("span.anchor.symbol", icon(symbol))
    : kindSymbol(entry.moduleCode, symbol);
}

/**
 * The symbols of events, by parts of their names.
 * @type {readonly (readonly [RegExp, Setting["symbol"]])[]}
 */
const EVENT_SYMBOLS = [
  [/FAILED|LOCKED|COUNTER/, "close"],
  [/PASSKEY/, "key"],
  [/FACTOR|RECOVERY/, "shield"],
  [/ASSISTANT/, "spoke"],
  [/TOKEN|FEED/, "program"],
  [/PASSWORD|STEP_UP|SECRET/, "lock"],
];

/** @param {Seal} seal */
function sealText(seal) {
  if (seal === undefined) return h("p.quiet.small", t("notSealed"));
  const { number, createdAt, digest } = seal;
  return h(
    "details.quiet.small",
    h("summary", t("trailSealed", { number, time: timeText(createdAt) })),
    h("p", t("trailSealText")),
    h("p.exact", digest),
  );
}

/** @param {AuditOperation} entry */
export function auditText(entry) {
  const parts = auditParts(entry);
  if (parts === null) return entry.operation;
  return `${labelOfOne(parts.thing)} ${label(parts.done).toLowerCase()}`;
}

/** @param {{ event: string }} entry */
export function eventText({ event }) {
  return textOf(event, label(event));
}

/**
 * Only a name if the subject has no page.
 * @param {any} entry
 * @param {string | readonly Child[]} name
 * @param {"words"} [look]
 */
export function recordLink({ operation, moduleCode, subjectId, title }, name, look) {
  if (moduleCode === null || !isOfRecord(operation)) return name;
  // The end of the identifier makes links distinct.
  const end = title === null && [" ", h("code", subjectId.slice(-6))];
  return h("a", { href: recordPath(moduleCode, subjectId), class: look }, name, end);
}

/** @param {any} entry */
function auditLine(entry) {
  const { auditId, operation, moduleCode, revision, credentialKind, title } = entry;
  const sentence = auditText(entry);
  const name = title === null ? sentence : `${sentence}: ${title}`;
  return row({
    anchor: operationSymbol(entry),
    name: recordLink(entry, title ?? sentence, "words"),
    facts: [
      title !== null && sentence,
      // A record's sentence has its module already.
      moduleCode !== null && !operation.startsWith("record.") && label(moduleCode),
      revision !== null && t("ofRevision", { revision }),
      t("by", { credential: label(credentialKind) }),
      entry.viaAssistant !== undefined && t("viaAssistant"),
      ago(entry.createdAt, clockText),
    ],
    acts: [proofLink(auditId, name, "")],
  });
}

/** @param {string} id @param {string} name @param {string} query */
function proofLink(id, name, query) {
  const label = `${t("proof")}: ${name}, ${id.slice(-6)}`;
  const about = { href: `/console/audit/${id}${query}`, "aria-label": label, title: t("proof") };
  return h("a.act", about, icon("shield"));
}

/** @param {any} event */
function accessLine({ event, client, credentialKind, addressDigest, createdAt, ...call }) {
  const { eventId, tool, moduleCode, records, count } = call;
  const name = eventText({ event });
  const [, symbol = "account"] = EVENT_SYMBOLS.find(([form]) => form.test(event)) ?? [];
  return row({
    anchor: h("span.anchor.symbol", icon(symbol)),
    name,
    facts: [
      client !== null && clientText(client),
      credentialKind !== null && label(credentialKind),
      tool !== undefined && h("span.exact", tool),
      tool !== undefined && moduleCode !== null && label(moduleCode),
      tool !== undefined && t("assistantRecords", { count: records }),
      count !== undefined && t("refusedCalls", { count }),
      addressDigest !== null && h("span", label("address"), " ", h("code", addressDigest)),
      ago(createdAt, clockText),
    ],
    acts: [proofLink(eventId, name, "?kind=access")],
  });
}

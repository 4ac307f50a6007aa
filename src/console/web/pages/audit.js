/** Entries of the audit trail, changes, executions. */

import { actButton } from "../core/acts.js";
import { get, h, link, numberText, session, t, textOf } from "../core/base.js";
import { isIncluded } from "../core/trail_check.js";
import { line, viewsOf } from "../fields/controls.js";
import {
  ago,
  clientText,
  clockText,
  dayHeading,
  daysBetween,
  pair,
  roundedFigure,
  timeTag,
  timeText,
} from "../fields/shown.js";
import {
  generalPath,
  label,
  labelOfOne,
  modulePath,
  notFound,
  pageLink,
  readModule,
  recordPath,
} from "../core/names.js";
import { listPage } from "./parts.js";

/** The last words of operations, by their label. */
const VERBS = /** @type {const} */ ([
  ["ACCEPTED", "accept adopt confirm"],
  ["ARCHIVED", "archive delete"],
  ["CHANGED", "modify revise set map refresh"],
  ["CREATED", "create"],
  ["DECLINED", "reject"],
  ["DEACTIVATED", "deactivate"],
  ["EXPIRED", "expire stale"],
  ["EXPORTED", "export"],
  ["IMPORTED", "import item original catalog demo"],
  ["MERGED", "merge"],
  ["MOVED", "move"],
  ["READY", "ready"],
  ["PUBLISHED", "publish"],
  ["REACTIVATED", "reactivate"],
  ["REMOVED", "remove discard"],
  ["RENAMED", "rename"],
  ["RESTORED", "restore recover"],
  ["CORRECTED", "control"],
  ["SAVED", "keep save commit"],
  ["STARTED", "run feature"],
  ["STOPPED", "stop"],
  ["WITHDRAWN", "withdraw revoke"],
]);
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
  const [done] = VERBS.find(([, verbs]) => verbs.split(" ").includes(verb)) ?? [];
  if (done === undefined) return null;
  const isRecord = place === "record" || verb === "item" || [place, family].includes("legacy");
  return { done, thing: isRecord && moduleCode !== null ? moduleCode : THINGS[place] ?? place };
}

/** True if the subject has a page of its own. @param {string} operation */
function isOfRecord(operation) {
  return /^(record|memory|decision|resource)\.[a-z]+$|^(relationship\.person|taxonomy\.(tag|category))\./
    .test(operation);
}

const API = "/api/v2/audit";

/** @type {Page} */
export async function audit({ query }) {
  const kind = query.get("kind") === "access" ? "access" : "audit";
  const { items: [newest] } = await get(`${API}/seals?kind=${kind}&limit=1`);
  const views = viewsOf({ audit: t("recordEvents"), access: t("accessEvents") });
  return listPage(query, {
    title: t("audit"),
    api: API,
    filter: { name: "kind", views, areTabs: true },
    alsoAsked: kind === "audit" ? { titles: "true" } : {},
    beside: [pageLink("changesTitle")],
    above: () => sealText(newest),
    line: kind === "access" ? accessLine : auditLine,
  });
}

/** @param {any} seal */
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
function auditText(entry) {
  const parts = auditParts(entry);
  if (parts === null) return entry.operation;
  return `${labelOfOne(parts.thing)} ${label(parts.done).toLowerCase()}`;
}

/** @param {{ event: string }} entry */
function eventText({ event }) {
  return textOf(event, label(event));
}

/**
 * Only a name if the subject has no page.
 * @param {any} entry
 * @param {string | readonly Child[]} name
 * @param {"words"} [look]
 */
function recordLink({ operation, moduleCode, subjectId, title }, name, look) {
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
  const shown = [`${sentence}: `, h("span.words", title)];
  return line(recordLink(entry, title === null ? sentence : shown), [
    timeTag(entry.createdAt),
    // A record's sentence has its module already.
    moduleCode !== null && !operation.startsWith("record.") && label(moduleCode),
    revision !== null && t("ofRevision", { revision }),
    t("by", { credential: label(credentialKind) }),
    entry.viaAssistant !== undefined && t("viaAssistant"),
    proofLink(auditId, name, ""),
  ]);
}

/** @param {string} id @param {string} name @param {string} query */
function proofLink(id, name, query) {
  const label = `${t("proof")}: ${name}, ${id.slice(-6)}`;
  return h("a", { href: `/console/audit/${id}${query}`, "aria-label": label }, t("proof"));
}

/** @param {any} event */
function accessLine({ event, client, credentialKind, addressDigest, createdAt, ...call }) {
  const { eventId, tool, moduleCode, records, count } = call;
  const name = eventText({ event });
  return line(name, [
    timeTag(createdAt),
    client !== null && clientText(client),
    credentialKind !== null && label(credentialKind),
    tool !== undefined && h("span.exact", tool),
    tool !== undefined && moduleCode !== null && label(moduleCode),
    tool !== undefined && t("assistantRecords", { count: records }),
    count !== undefined && t("refusedCalls", { count }),
    addressDigest !== null && h("span", label("address"), " ", h("code", addressDigest)),
    proofLink(eventId, name, "?kind=access"),
  ]);
}

/** @type {Page} */
export async function auditProof({ params, query }) {
  const kind = query.get("kind") === "access" ? "access" : "audit";
  /** @type {AuditProof} */
  const proof = await get(`${API}/${params.id}/proof?kind=${kind}`);
  const { entry, inclusion } = proof;
  const isAudit = "operation" in entry;
  return {
    title: t("proof"),
    body: [
      h("p.lead", isAudit ? auditText(entry) : eventText(entry), " · ", timeTag(entry.createdAt)),
      await verdict(session().account.accountId, proof),
      h(
        "dl.values",
        isAudit && exactPair(t("entryOperation"), entry.operation),
        isAudit && exactPair(t("entryRequest"), entry.requestId),
        inclusion !== null && [
          ...exactPair(t("sealed"), inclusion.seal.digest),
          ...exactPair(t("proofRoot"), inclusion.seal.root),
          ...(inclusion.path.length > 0 ? exactPair(t("proofPath"), ...inclusion.path) : []),
        ],
      ),
      h("p", link(`/console/audit?kind=${kind}`, t("audit"))),
    ],
  };
}

/** @param {string} name @param {...string} lines */
function exactPair(name, ...lines) {
  return pair(name, h("div.exact", lines.map((line) => h("div", line))));
}

/** @param {string} accountId @param {AuditProof} proof */
async function verdict(accountId, { entry, inclusion }) {
  if (inclusion === null) return h("p.note", t("notSealed"));
  const { seal, leafIndex } = inclusion;
  const isChecked = crypto.subtle !== undefined;
  if (isChecked && !await isIncluded(accountId, entry, inclusion)) {
    return h("p.summary", { role: "alert" }, t("proofFails"));
  }
  const place = { place: numberText(leafIndex + 1), count: numberText(seal.entries) };
  return h(
    "div.note",
    h("p", t(isChecked ? "proofHolds" : "notSecure")),
    h(
      "p.quiet.small",
      t("trailSealed", { number: numberText(seal.number), time: timeText(seal.createdAt) }),
      " · ",
      t("proofPlace", place),
    ),
  );
}

/** @type {Page} */
export function changes({ query }) {
  return listPage(query, {
    title: t("changesTitle"),
    api: API,
    alsoAsked: { titles: "true" },
    fits: ({ moduleCode, revision }) => moduleCode !== null && revision !== null,
    beside: [pageLink("audit")],
    above: () => h("p", t("changesText")),
    line: underDays(changeLine),
  });
}

/**
 * Lines with the heading of their day above each day's first.
 * @param {(entry: any) => Element} line
 * @returns {(entry: any) => Element}
 */
function underDays(line) {
  let last = "";
  return (entry) => {
    const day = new Date(entry.createdAt);
    const heading = dayHeading(day, daysBetween(new Date(), day));
    const shown = line(entry);
    if (heading !== last) shown.firstElementChild?.prepend(h("h2", heading));
    last = heading;
    return shown;
  };
}

/** @param {any} entry */
function changeLine(entry) {
  const { moduleCode, subjectId, revision, title, createdAt } = entry;
  const isGeneral = modulePath(moduleCode) === generalPath(moduleCode);
  const sentence = auditText(entry);
  const what = t("whatChanged");
  const attributes = {
    href: `${generalPath(moduleCode, subjectId)}/history?from=${revision - 1}&to=${revision}`,
    "aria-label": `${what}: ${title ?? sentence}, ${t("ofRevision", { revision })}`,
  };
  return line(recordLink(entry, title ?? sentence, "words"), [
    title !== null && sentence,
    ago(createdAt, clockText),
    isGeneral && revision > 1 && h("a", attributes, what),
  ]);
}

/** @type {Page} */
export async function executions({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const record = generalPath(module.code, params.id);
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const named = await featureTitles(module);
  const feature = (/** @type {CatalogFeature} */ { id, status, plannedVersion }) => {
    const title = named.get(id) ?? id;
    const isReady = status === "implemented_local";
    const run = isReady && actButton({
      path: `${api}/features/${id}`,
      body: {},
      name: t("runFeature"),
      label: t("runFeatureOf", { name: title }),
      done: t("done"),
    });
    return line(capital(title), [
      label(isReady ? "READY" : "PLANNED"),
      h("span.exact", plannedVersion),
    ], run);
  };
  return listPage(query, {
    title: t("executions"),
    api: `${api}/executions`,
    none: t("noExecutions"),
    beside: [link(record, labelOfOne(module.code))],
    above: () =>
      h(
        "div",
        h("p", t("featuresText")),
        h("ul.lines", module.features.map(feature)),
        h("h2", t("executionRuns")),
      ),
    isLong: true,
    line: ({ featureId, status, revision, output, createdAt, redacted }) =>
      line(capital(named.get(featureId) ?? featureId), [
        timeTag(createdAt),
        label(status),
        revision !== null && t("ofRevision", { revision }),
      ], redacted ? h("p.quiet", t("hidden")) : outputPart(createdAt, output)),
  });
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** By id. The catalog's titles are English. @param {CatalogModule} module */
async function featureTitles({ code, features }) {
  const { lang } = document.documentElement;
  /** @type {string} */
  const all = lang === "en" ? "" : (await import(`../lang/${lang}/features.js`)).default;
  const own = all.split("\n").find((line) => line.startsWith(`${code}: `))
    ?.slice(code.length + 2).split("; ");
  return new Map(features.map(({ id, title }, index) => [id, own?.[index] ?? title]));
}

/** @param {string} time @param {unknown} output */
function outputPart(time, output) {
  return h(
    "details",
    h("summary.quiet.small", `${t("executionOutput")}: ${timeText(time)}`),
    h("pre.exact", JSON.stringify(output, roundedFigure, 2)),
  );
}

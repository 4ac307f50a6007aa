/** Entries of the audit trail, changes, executions. */

import { actButton } from "../core/acts.js";
import { get, h, numberText, send, session, t, textOf, timeTag, timeText } from "../core/base.js";
import { isIncluded } from "../core/trail_check.js";
import { line, viewsOf } from "../fields/controls.js";
import { ago, clientText, roundedFigure } from "../fields/shown.js";
import {
  generalPath,
  label,
  labelOfOne,
  modulePath,
  notFound,
  readModule,
  recordPath,
} from "../core/names.js";
import { listPage } from "./parts.js";

/** The last words of operations by their sentence. */
const VERBS = /** @type {const} */ ([
  ["wasAccepted", "accept adopt confirm"],
  ["wasArchived", "archive delete"],
  ["wasChanged", "modify revise set map refresh"],
  ["wasCreated", "create"],
  ["wasDeclined", "reject"],
  ["wasEnded", "deactivate"],
  ["wasExpired", "expire stale"],
  ["wasExported", "export"],
  ["wasImported", "import item original catalog demo"],
  ["wasMerged", "merge"],
  ["wasMoved", "move"],
  ["wasPrepared", "ready"],
  ["wasPublished", "publish"],
  ["wasReactivated", "reactivate"],
  ["wasRemoved", "remove discard"],
  ["wasRenamed", "rename"],
  ["wasRestored", "restore recover"],
  ["wasCorrected", "control"],
  ["wasSaved", "keep save commit"],
  ["wasStarted", "run feature"],
  ["wasStopped", "stop"],
  ["wasWithdrawn", "withdraw revoke"],
]);
/** Things whose name is already that of a field. */
const THINGS = /** @type {Readonly<Record<string, string>>} */ ({
  attachment: "file",
  evidence: "evidence_item",
  import: "import_run",
  seed: "starting_data",
});

/**
 * The sentence and the label of its thing; null for an operation newer than this page.
 * @param {AuditOperation} entry
 */
export function auditParts({ operation, moduleCode }) {
  const [verb = "", place = "", family] = operation.split(".").reverse();
  const [sentence] = VERBS.find(([, verbs]) => verbs.split(" ").includes(verb)) ?? [];
  if (sentence === undefined) return null;
  const isRecord = place === "record" || verb === "item" || [place, family].includes("legacy");
  return { sentence, thing: isRecord && moduleCode !== null ? moduleCode : THINGS[place] ?? place };
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
    page: "/console/audit",
    api: API,
    filter: { name: "kind", views, areTabs: true },
    alsoAsked: kind === "audit" ? { titles: "true" } : {},
    beside: [h("a", { href: "/console/changes" }, t("changesTitle"))],
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
  return parts === null ? entry.operation : t(parts.sentence, { thing: labelOfOne(parts.thing) });
}

/** Null for an entry about something without a page. @param {any} entry @param {...any} name */
function recordLink({ operation, moduleCode, subjectId, title }, ...name) {
  if (moduleCode === null || !isOfRecord(operation)) return null;
  // The end of the identifier tells links apart.
  const end = title === null && [" ", h("code", subjectId.slice(-6))];
  return h("a", { href: recordPath(moduleCode, subjectId) }, ...name, ...end || []);
}

/** @param {any} entry */
function auditLine(entry) {
  const { auditId, operation, moduleCode, revision, credentialKind, title } = entry;
  const sentence = auditText(entry);
  const name = title === null ? sentence : `${sentence}: ${title}`;
  const link = recordLink(
    entry,
    sentence,
    title !== null && [": ", h("span.words", title)],
  );
  return line(link ?? sentence, [
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
  const label = `${t("proofOf", { name })}, ${id.slice(-6)}`;
  return h("a", { href: `/console/audit/${id}${query}`, "aria-label": label }, t("proof"));
}

/** @param {any} event */
function accessLine({ event, client, credentialKind, addressDigest, createdAt, ...call }) {
  const { eventId, tool, moduleCode, records } = call;
  const name = textOf(event, label(event));
  return line(name, [
    timeTag(createdAt),
    client !== null && clientText(client),
    credentialKind !== null && label(credentialKind),
    tool !== undefined && h("span.exact", tool),
    tool !== undefined && moduleCode !== null && label(moduleCode),
    tool !== undefined && t("assistantRecords", { count: records }),
    addressDigest !== null && h("span", t("address"), " ", h("code", addressDigest)),
    proofLink(eventId, name, "?kind=access"),
  ]);
}

/** @type {Page} */
export async function auditProof({ params, query }) {
  const kind = query.get("kind") === "access" ? "access" : "audit";
  /** @type {{ data: AuditProof }} */
  const { data } = await send("GET", `/api/v2/audit/${params.id}/proof?kind=${kind}`);
  const { entry, inclusion } = data;
  const isAudit = "operation" in entry;
  return {
    title: t("proof"),
    body: [
      h(
        "p.lead",
        isAudit ? auditText(entry) : textOf(entry.event, label(entry.event)),
        " · ",
        timeTag(entry.createdAt),
      ),
      await verdict(session().account.accountId, data),
      h(
        "dl.values",
        ...(isAudit ? pair(t("entryOperation"), [entry.operation]) : []),
        ...(isAudit ? pair(t("entryRequest"), [entry.requestId]) : []),
        ...(inclusion === null ? [] : [
          ...pair(t("sealed"), [inclusion.seal.digest]),
          ...pair(t("proofRoot"), [inclusion.seal.root]),
          ...pair(t("proofPath"), inclusion.path),
        ]),
      ),
      h("p", h("a", { href: `/console/audit?kind=${kind}` }, t("audit"))),
    ],
  };
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
    h("p", t(isChecked ? "proofHolds" : "proofUnchecked")),
    h(
      "p.quiet.small",
      t("trailSealed", { number: numberText(seal.number), time: timeText(seal.createdAt) }),
      " · ",
      t("proofPlace", place),
    ),
  );
}

/** @param {string} name @param {readonly string[]} lines */
function pair(name, lines) {
  return lines.length === 0
    ? []
    : [h("dt", name), h("dd.exact", lines.map((line) => h("div", line)))];
}

/** @type {Page} */
export function changes({ query }) {
  return listPage(query, {
    title: t("changesTitle"),
    page: "/console/changes",
    api: "/api/v2/audit",
    alsoAsked: { titles: "true" },
    fits: ({ moduleCode, revision }) => moduleCode !== null && revision !== null,
    beside: [h("a", { href: "/console/audit" }, t("audit"))],
    above: () => h("p", t("changesText")),
    line: changeLine,
  });
}

/** @param {any} entry */
function changeLine(entry) {
  const { moduleCode, subjectId, revision, title, createdAt } = entry;
  const isGeneral = modulePath(moduleCode) === generalPath(moduleCode);
  const compared = new URLSearchParams({ from: String(revision - 1), to: revision });
  const sentence = auditText(entry);
  const link = recordLink(entry, title ?? sentence);
  link?.classList.add("words");
  return line(
    link ?? sentence,
    [
      title !== null && sentence,
      ago(createdAt),
      isGeneral && revision > 1 && h("a", {
        href: `${generalPath(moduleCode, subjectId)}/history?${compared}`,
        "aria-label": `${t("whatChanged")}: ${title ?? sentence}, ${t("ofRevision", { revision })}`,
      }, t("whatChanged")),
    ],
  );
}

/** @type {Page} */
export async function executions({ params, query }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const record = generalPath(module.code, params.id);
  const page = `${record}/executions`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const named = new Map(await featureTitles(module));
  const feature = (/** @type {CatalogFeature} */ { id, ...rest }) => {
    const { status, plannedVersion } = rest;
    const title = named.get(id) ?? id;
    const isReady = status === "implemented_local";
    const run = isReady && actButton({
      path: `${api}/features/${id}`,
      body: {},
      name: t("runFeature"),
      label: t("runFeatureOf", { name: title }),
      done: t("done"),
      page,
    });
    return line(capital(title), [
      t(isReady ? "featureReady" : "featurePlanned"),
      h("span.exact", plannedVersion),
    ], run);
  };
  return await listPage(query, {
    title: t("executions"),
    page,
    api: `${api}/executions`,
    none: t("noExecutions"),
    beside: [h("a", { href: record }, labelOfOne(module.code))],
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
        h("time", { datetime: createdAt }, timeText(createdAt)),
        label(status),
        revision !== null && t("ofRevision", { revision }),
      ], redacted ? h("p.quiet", t("hidden")) : outputPart(createdAt, output)),
  });
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * The catalog's titles are English.
 * @param {CatalogModule} module
 * @returns {Promise<[id: string, title: string][]>}
 */
async function featureTitles({ code, features }) {
  const { lang } = document.documentElement;
  /** @type {string} */
  const all = lang === "en" ? "" : (await import(`../lang/${lang}/features.js`)).default;
  const own = all.split("\n").find((line) => line.startsWith(`${code}: `))
    ?.slice(code.length + 2).split("; ");
  return features.map(({ id, title }, index) => {
    return [id, own?.[index] ?? title];
  });
}

/** @param {string} time @param {unknown} output */
function outputPart(time, output) {
  return h(
    "details",
    h("summary.quiet.small", `${t("executionOutput")}: ${timeText(time)}`),
    h("pre.exact", JSON.stringify(output, roundedFigure, 2)),
  );
}

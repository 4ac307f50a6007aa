import { h, send, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { accessEvent } from "../logic/access_events.js";
import { label, labelOfOne, recordPath } from "../core/names.js";
import { auditParts, isOfRecord } from "../logic/audit_sentences.js";
import { clientText } from "./client_text.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/audit";

/** @type {Page} */
export default async function audit({ query }) {
  const kind = query.get("kind") === "access" ? "access" : "audit";
  const { data: { items: [newest] } } = await send("GET", `${API}/seals?kind=${kind}&limit=1`);
  const views = [
    { value: "audit", text: t("recordEvents") },
    { value: "access", text: t("accessEvents") },
  ];
  return listPage(query, {
    title: t("audit"),
    page: "/console/audit",
    api: API,
    none: t("noneYet"),
    filter: { name: "kind", views },
    beside: [h("a", { href: "/console/changes" }, t("changesTitle"))],
    above: () => sealText(newest),
    line: kind === "access" ? accessLine : auditLine,
  });
}

/** @param {any} seal The newest; undefined before the first. */
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

/** @param {{ operation: string, moduleCode: string | null }} entry */
export function auditText(entry) {
  const parts = auditParts(entry);
  return parts === null ? entry.operation : t(parts.sentence, { thing: labelOfOne(parts.thing) });
}

/** @param {any} entry */
function auditLine(entry) {
  const { auditId, operation, moduleCode, subjectId, revision, credentialKind } = entry;
  const name = auditText(entry);
  // The end of the identifier tells links apart.
  const link = moduleCode !== null && isOfRecord(operation) &&
    h("a", { href: recordPath(moduleCode, subjectId) }, name, " ", h("code", subjectId.slice(-6)));
  return line(link || name, [
    time(entry.createdAt),
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
  const name = accessText(event);
  return line(name, [
    time(createdAt),
    client !== null && clientText(client),
    credentialKind !== null && label(credentialKind),
    tool !== undefined && h("span.exact", tool),
    tool !== undefined && moduleCode !== null && label(moduleCode),
    tool !== undefined && t("assistantRecords", { count: records }),
    addressDigest !== null && h("span", t("address"), " ", h("code", addressDigest)),
    proofLink(eventId, name, "?kind=access"),
  ]);
}

/** @param {string} event */
export function accessText(event) {
  const name = accessEvent(event);
  return name === null ? label(event) : t(name);
}

/** @param {string} moment */
function time(moment) {
  return h("time", { datetime: moment }, timeText(moment));
}

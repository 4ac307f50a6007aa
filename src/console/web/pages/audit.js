import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { line } from "../fields/line.js";
import { accessEvent } from "../logic/access_events.js";
import { label } from "../logic/labels.js";
import { clientText } from "./client_text.js";
import { listPage } from "./list_page.js";

const API = "/api/v2/audit";

/** @type {import("../pages.js").Page} */
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
    above: () => sealText(newest),
    line: kind === "access" ? accessLine : auditLine,
  });
}

/** @param {any} seal The newest; undefined before the first. */
function sealText(seal) {
  if (seal === undefined) return h("p", { class: "quiet small" }, t("notSealed"));
  const { number, createdAt, digest } = seal;
  return h(
    "details",
    { class: "quiet small" },
    h("summary", {}, t("trailSealed", { number, time: timeText(createdAt) })),
    h("p", {}, t("trailSealText")),
    h("p", { class: "exact" }, digest),
  );
}

/** @param {any} entry */
function auditLine({ operation, moduleCode, subjectId, revision, credentialKind, ...rest }) {
  const { createdAt, viaAssistant } = rest;
  const isRecord = moduleCode !== null && operation.startsWith("record.");
  const exact = h("span", { class: "exact" }, operation);
  const name = moduleCode === null ? exact : label(moduleCode);
  const record = `/console/records/${moduleCode}/${subjectId}`;
  // The end of the identifier tells links apart.
  const link = isRecord && h("a", { href: record }, name, " ", h("code", {}, subjectId.slice(-6)));
  return line(link || name, [
    time(createdAt),
    moduleCode !== null && exact,
    revision !== null && t("ofRevision", { revision }),
    t("by", { credential: label(credentialKind) }),
    viaAssistant !== undefined && t("viaAssistant"),
  ]);
}

/** @param {any} event */
function accessLine({ event, client, credentialKind, addressDigest, createdAt, ...call }) {
  const { tool, moduleCode, records } = call;
  const name = accessEvent(event);
  return line(name === null ? label(event) : t(name), [
    time(createdAt),
    client !== null && clientText(client),
    credentialKind !== null && label(credentialKind),
    tool !== undefined && h("span", { class: "exact" }, tool),
    tool !== undefined && moduleCode !== null && label(moduleCode),
    tool !== undefined && t("assistantRecords", { count: records }),
    addressDigest !== null && h("span", {}, t("address"), " ", h("code", {}, addressDigest)),
  ]);
}

/** @param {string} moment */
function time(moment) {
  return h("time", { datetime: moment }, timeText(moment));
}

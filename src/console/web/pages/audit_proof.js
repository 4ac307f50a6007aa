/** One entry of the audit trail, and the proof that its seal covers it. */

import { h, numberText, send, t, timeText } from "../core/base.js";
import { isIncluded } from "../logic/trail_check.js";
import { accessText, auditText } from "./audit.js";

/** @type {Page} */
export default async function auditProof({ params, query, session }) {
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
        isAudit ? auditText(entry) : accessText(entry.event),
        " · ",
        h("time", { datetime: entry.createdAt }, timeText(entry.createdAt)),
      ),
      await verdict(session.account.accountId, data),
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

/** @param {string} name @param {readonly string[]} lines For machines. */
function pair(name, lines) {
  return lines.length === 0
    ? []
    : [h("dt", name), h("dd.exact", lines.map((line) => h("div", line)))];
}

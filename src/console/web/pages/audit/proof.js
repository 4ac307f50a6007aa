/** A proof of one entry. */

import { h, link } from "../../core/base/elements.js";
import { numberText, t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { session } from "../../core/base/session.js";
import { isIncluded } from "../../core/trail_check.js";
import { timeTag, timeText } from "../../fields/shown/times.js";
import { pair } from "../../fields/shown/values.js";
import { API, auditText, eventText } from "./trail.js";

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

/** The proposals of assistants, field by field, with buttons to accept or reject them. */

import { actButton } from "../core/acts/buttons.js";
import { h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { generalPath, label, readFields, recordPath } from "../core/names.js";
import { optional } from "../fields/shown/texts.js";
import { timeText } from "../fields/shown/times.js";
import { instantOf } from "../logic/local_time.js";
import { comparedField, differences } from "./history/comparison.js";
import { unlessOff } from "./credentials/assistants.js";

const API = "/api/v2/proposals";
const PATH = "/console/proposals";
const PAGE = "20";

const OWN = [optional("title", "text"), optional("summary", "textarea")];

/** @type {Page} */
export function proposals({ query }) {
  return unlessOff(async () => {
    const cursor = query.get("cursor");
    const asked = new URLSearchParams({ limit: PAGE, ...(cursor !== null && { cursor }) });
    const { items, nextCursor } = await get(`${API}?${asked}`);
    const entries = await Promise.all(items.map(entry));
    const older = new URLSearchParams({ cursor: nextCursor });
    return {
      title: t("proposals"),
      body: [
        h("p", t("assistantsText")),
        items.length === 0 ? h("p.quiet", t("noProposals")) : h("ul.lines.entries", entries),
        nextCursor !== null && h("p", link(`${PATH}?${older}`, t("older"))),
      ],
    };
  });
}

/** @param {any} proposal */
async function entry(proposal) {
  const { proposalId, kind, moduleCode, target, createdAt, expiresAt } = proposal;
  const isText = kind === "MEMORY_TEXT";
  const name = isText
    ? t("proposedText")
    : t(kind === "RECORD" ? "newOf" : "proposedChange", { name: label(moduleCode) });
  const { title, shown } = isText ? await memoryText(proposal) : await recordFields(proposal);
  // The end of the identifier makes buttons distinct.
  const about = `${name}, ${proposalId.slice(-6)}`;
  /** @type {(how: "accept" | "reject", name: string, done: string) => Element} */
  const button = (how, name, done) =>
    actButton({ path: `${API}/${proposalId}/${how}`, name, label: `${name}: ${about}`, done });
  const href = isText ? recordPath("memory", target) : generalPath(moduleCode, target);
  const open = t("proposedRecordLink");
  return h(
    "li",
    h("strong", name),
    title !== null && h("p.words", title),
    h(
      "p.quiet.small",
      t("assistantProposedAt", { time: timeText(createdAt) }),
      " · ",
      t("proposalEnds", { time: timeText(expiresAt) }),
    ),
    shown,
    target !== null && h("p", h("a", { href, "aria-label": `${open}: ${about}` }, open)),
    h(
      "div.bar",
      button("accept", t("acceptProposal"), t("proposalAccepted")),
      button("reject", t("reject"), t("proposalRejected")),
    ),
  );
}

/** @param {any} proposal */
async function recordFields({ proposalId, moduleCode, target, expectedRevision, body }) {
  const module = await readFields(moduleCode);
  const fields = [
    ...OWN.map((field) => comparedField(field, (state) => state[field.name])),
    ...module.map((field) => comparedField(field, (state) => state.payload[field.name])),
  ];
  const before = target === null
    ? null
    : await get(`/api/v2/records/${moduleCode}/${target}?revision=${expectedRevision}`);
  const { payload = {}, payloadRemove = [], ...own } = body;
  const merged = { ...before?.payload, ...payload };
  for (const name of payloadRemove) delete merged[name];
  for (const { name, edit } of module) {
    // The same instant in `Z` leaves the clock as it is.
    const [former, sent] = [before?.payload[name], String(payload[name])];
    const isSame = edit === "datetime" && /z$/i.test(sent) && instantOf(sent) === instantOf(former);
    if (isSame) merged[name] = former;
  }
  const after = { summary: "", ...before, ...own, payload: merged };
  const shown = differences(fields, before, after, undefined, proposalId.slice(-6));
  return { title: before?.title ?? null, shown };
}

/** @param {any} proposal */
async function memoryText({ proposalId, target, body }) {
  const memory = await get(`/api/v2/memory/texts/${target}`);
  const field = {
    name: "aiDraft",
    byModel: true,
    sensitive: true,
    text: (/** @type {any} */ state) => state.aiDraft ?? "",
  };
  const shown = differences([field], memory, body, undefined, proposalId.slice(-6));
  return { title: memory.title, shown };
}

/** The proposals of assistants, field by field, with buttons to accept or reject them. */

import { actButton } from "../core/acts.js";
import { get, h, hasCode, t, timeText } from "../core/base.js";
import { label, readModule } from "../core/names.js";
import { comparedField, differences } from "./history.js";
import { assistantsOff } from "./credentials.js";

const API = "/api/v2/proposals";
const PATH = "/console/proposals";
const PAGE = "20";

const OWN = /** @type {const} */ ([
  { name: "title", edit: "text", sensitive: false },
  { name: "summary", edit: "textarea", sensitive: false },
]);

/** @type {Page} */
export async function proposals({ query }) {
  try {
    const asked = new URLSearchParams({ limit: PAGE });
    const cursor = query.get("cursor");
    if (cursor !== null) asked.set("cursor", cursor);
    const { items, nextCursor } = await get(`${API}?${asked}`);
    const entries = await Promise.all(items.map((item) => entry(item)));
    const older = new URLSearchParams({ cursor: nextCursor });
    return {
      title: t("proposals"),
      body: [
        h("p", t("assistantsText")),
        items.length === 0 ? h("p.quiet", t("noProposals")) : h("ul.lines.entries", entries),
        nextCursor !== null && h("p", h("a", { href: `${PATH}?${older}` }, t("older"))),
      ],
    };
  } catch (error) {
    if (hasCode(error, "HTTP_404")) return assistantsOff();
    throw error;
  }
}

/** @param {any} proposal */
async function entry(proposal) {
  const { proposalId, kind, moduleCode, target, createdAt, expiresAt } = proposal;
  const names = /** @type {const} */ ({
    RECORD: "proposedRecord",
    CHANGE: "proposedChange",
    MEMORY_TEXT: "proposedText",
  });
  const name = t(names[/** @type {keyof typeof names} */ (kind)], { module: label(moduleCode) });
  const { title, shown } = kind === "MEMORY_TEXT"
    ? await memoryText(proposal)
    : await recordFields(proposal);
  const path = kind === "MEMORY_TEXT"
    ? `/console/memories/${target}`
    : `/console/records/${moduleCode}/${target}`;
  // The end of the identifier distinguishes buttons of equal names.
  const told = `${name}, ${proposalId.slice(-6)}`;
  const button = (/** @type {"accept" | "reject"} */ how) =>
    actButton({
      path: `${API}/${proposalId}/${how}`,
      page: PATH,
      name: t(how === "accept" ? "acceptProposal" : "reject"),
      label: t(how === "accept" ? "acceptOf" : "rejectOf", { name: told }),
      done: t(how === "accept" ? "proposalAccepted" : "proposalRejected"),
    });
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
    target !== null &&
      h(
        "p",
        h(
          "a",
          { href: path, "aria-label": `${t("proposedRecordLink")}: ${told}` },
          t("proposedRecordLink"),
        ),
      ),
    h("div.bar", button("accept"), button("reject")),
  );
}

/** @param {any} proposal */
async function recordFields({ proposalId, moduleCode, target, expectedRevision, body }) {
  const module = await readModule(moduleCode);
  const isOwn = (/** @type {string} */ name) => OWN.some((field) => field.name === name);
  const fields = [...OWN, ...module?.fields ?? []].map((field) =>
    comparedField(field, (state) => (isOwn(field.name) ? state : state.payload)[field.name])
  );
  const before = target === null
    ? null
    : await get(`/api/v2/records/${moduleCode}/${target}?revision=${expectedRevision}`);
  const { payload = {}, payloadRemove = [], ...own } = body;
  const merged = { ...before?.payload, ...payload };
  for (const name of payloadRemove) delete merged[name];
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

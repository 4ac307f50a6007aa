/** Proposals of assistants, and drafts. */

import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get, readOrNull } from "../../core/base/reads.js";
import { hasAssistants, may } from "../../core/base/session.js";
import { listUnsynced } from "../../core/browser_outbox/sending.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { atLeastText, counted } from "../../fields/shown/figures.js";
import { linesSection } from "./sections.js";

const LIMIT = "100";
const NONE = { items: [], nextCursor: null };

export async function waitingForYou() {
  // Without assistants the service has no such address.
  const [proposals, drafts] = await Promise.all([
    hasAssistants() && may("record.read") ? proposalLines() : [],
    draftLines(),
  ]);
  return linesSection(t("waitingForYou"), [...proposals, ...drafts]);
}

async function proposalLines() {
  const { items, nextCursor } = await get(`/api/v2/proposals?limit=${LIMIT}`);
  if (items.length === 0) return [];
  const known = may("token.manage") &&
    await readOrNull(`/api/v2/auth/assistants?limit=${LIMIT}`);
  /** @type {readonly any[]} */
  const assistants = known ? known.items : [];
  const names = new Map(assistants.map(({ assistantId, name }) => [assistantId, name]));
  return [...Map.groupBy(items, ({ assistantId }) => assistantId)].map(
    ([assistantId, { length }]) => {
      const name = names.get(assistantId) ?? t("someAssistant");
      const n = atLeastText(length, nextCursor !== null);
      return waitingLine(
        "ai-agent",
        "/console/proposals",
        counted(length, "proposesChanges", { name, n }),
      );
    },
  );
}

/** Those of the service and of this browser, as the page of drafts lists them. */
async function draftLines() {
  const [{ items, nextCursor }, { drafts }] = await Promise.all([
    may("memory.read") ? get(`/api/v2/memory/drafts?limit=${LIMIT}`) : NONE,
    listUnsynced(),
  ]);
  const length = items.length + drafts.length;
  const n = atLeastText(length, nextCursor !== null);
  return length === 0
    ? []
    : [waitingLine("memory", "/console/drafts", counted(length, "draftCount", { n }), "drafts")];
}

/**
 * @param {string} code @param {string} href @param {string} text
 * @param {Parameters<typeof kindSymbol>[1]} [symbol]
 */
function waitingLine(code, href, text, symbol) {
  return h("li", kindSymbol(code, symbol), link(href, text));
}

/** Records with the name of a person. */

import { withSession } from "../../core/acts/password.js";
import { announceFailure, hasCode } from "../../core/base/api.js";
import { fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { send } from "../../core/base/sender.js";
import { may } from "../../core/base/session.js";
import { notLoaded } from "../../core/base/visits.js";
import { label, labelOfOne, recordPath } from "../../core/names.js";
import { loaded, row } from "../../fields/controls/forms.js";
import { kindSymbol } from "../../fields/shown/anchors.js";
import { lazyDetails } from "../../fields/shown/files.js";

/** The modules of the parts, and the permission that each needs. @type {Texts} */
const MODULES = { commitment: "record.read", memory: "memory.read", decision: "decision.read" };

/** Per part; "View all" shows the others. */
const MAX_SHOWN = 4;

const MAX_READ = 100;

/** @param {any} person */
export function togetherRegion({ personId, personName }) {
  const codes = Object.keys(MODULES).filter((code) => may(MODULES[code] ?? ""));
  return h(
    "section.together",
    { "aria-label": t("together") },
    h("h2", t("together")),
    loaded(async () => {
      const found = await naming(personName, codes);
      const items = Map.groupBy(found.items, ({ moduleCode }) => moduleCode);
      if (found.items.length === 0) return [h("p.quiet", t("noneYet"))];
      return codes.map((code) =>
        recordsPart(personName, code, items.get(code) ?? [], found.nextCursor !== null)
      );
    }),
    lazyDetails(h("summary", t("refersHere")), async () => {
      const { referringTo } = await import("../refers.js").catch(notLoaded);
      return await referringTo("relationship", personId);
    }),
  );
}

/**
 * Records that have a name, newest first. It is sent in a body, because no address may contain it.
 * @param {string} name @param {readonly string[]} modules @param {string} [cursor]
 * @returns {Promise<Omit<FoundRecords, "query">>}
 */
async function naming(name, modules, cursor) {
  if (modules.length === 0) return { items: [], nextCursor: null };
  const body = { q: name, modules, limit: MAX_READ, cursor };
  try {
    return (await send("POST", "/api/v2/search", { body })).data;
  } catch (error) {
    // A name without a word, or of too many.
    if (!hasCode(error, "PAYLOAD_INVALID")) throw error;
    return { items: [], nextCursor: null };
  }
}

/**
 * @param {string} name
 * @param {string} code
 * @param {readonly SearchResult[]} items
 * @param {boolean} hasMore
 */
function recordsPart(name, code, items, hasMore) {
  if (items.length === 0 && !hasMore) return null;
  const list = h("ul.lines", { tabindex: -1 }, items.slice(0, MAX_SHOWN).map(recordLine));
  /** @type {string | undefined} */
  let cursor;
  const showAll = async () => {
    const before = cursor === undefined ? MAX_SHOWN : list.childElementCount;
    const found = await withSession(() => naming(name, [code], cursor));
    const lines = found.items.map(recordLine);
    if (cursor === undefined) fill(list, lines.length > 0 ? lines : h("li.quiet", t("noneYet")));
    else list.append(...lines);
    (list.children[before]?.querySelector("a") ?? list).focus();
    cursor = found.nextCursor ?? undefined;
    more.textContent = t("older");
    more.hidden = cursor === undefined;
  };
  const onclick = () => void showAll().catch(announceFailure);
  const more = h("button.plain", { onclick }, t("allOf", { name: label(code) }));
  more.hidden = items.length <= MAX_SHOWN && !hasMore;
  return h("div", h("h3", label(code)), list, more);
}

/** @param {SearchResult} found */
function recordLine({ moduleCode, recordId, title }) {
  const text = title || labelOfOne(moduleCode);
  const name = link(recordPath(moduleCode, recordId), text, "words");
  return row({ anchor: kindSymbol(moduleCode), name, facts: [] });
}

/** Named states that can be restored. */

import { actButton, repeatable, watchFields, withSession } from "../../core/acts.js";
import { announce, h, send, t, thisVisit, visit } from "../../core/base.js";
import { TEXTS } from "../drafts.js";
import { differences } from "../../fields/differences.js";
import { form, lineField } from "../../fields/controls.js";
import { slicedFields } from "../../fields/memory_compared.js";
import { shownTime, wholeTimeText } from "../../fields/memory_fields.js";
import { ago } from "../../fields/shown.js";
import { backTo, changing, guarded, mayChange } from "./head.js";

const PAGE = 50;

/** @type {Page} */
export default async function memorySlices({ params: { id }, query, session }) {
  const api = `${TEXTS}/${id}`;
  const page = `/console/memories/${id}/slices`;
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  const [{ data: memory }, { data: { items, nextCursor } }] = await Promise.all([
    send("GET", api),
    send("GET", `${api}/slices?${asked}`),
  ]);
  const older = new URLSearchParams({ cursor: nextCursor });
  const slices = items.toReversed().map((/** @type {any} */ slice) => card(session, memory, slice));
  return {
    title: t("slices"),
    body: [
      backTo(memory),
      h("p", t("slicesText")),
      mayChange(session, memory) && addForm(session, api, page),
      nextCursor !== null && h("p", h("a", { href: `${page}?${older}` }, t("older"))),
      slices.length === 0 ? h("p.quiet", t("noneYet")) : h(
        "ol.groups.cards",
        slices,
        cursor === null && !memory.redacted && presentCard(memory),
      ),
    ],
  };
}

/** @param {Session} session @param {string} api @param {string} page */
function addForm(session, api, page) {
  const name = lineField({
    name: "label",
    label: t("sliceLabel"),
    hint: t("sliceLabelHint"),
    required: true,
    words: true,
  });
  const sendSlice = repeatable();
  const sent = watchFields([name]);
  const element = form([name], t("addSlice"), async () => {
    const here = thisVisit();
    const body = { label: name.text() };
    await withSession(session.account.email, () => sendSlice("POST", `${api}/slices`, { body }));
    sent();
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
}

/** @param {Session} session @param {any} memory @param {any} slice */
function card(session, memory, slice) {
  const { sliceId, memoryRevision, redacted, createdAt, label } = slice;
  const recovering = {
    ...changing(memory, `slices/${sliceId}/recover`, { name: t("recover"), done: t("recovered") }),
    label: `${t("recover")}: ${label}`,
  };
  // Slices have no time range.
  const [then, now] = [slice, memory].map((state) => ({ ...state, timeRange: null }));
  const since = t("changesSince");
  return h(
    "li",
    h("h2.words", redacted ? t("hidden") : label),
    ...stateParts(memory, slice, { revision: memoryRevision, at: createdAt, name: label }),
    !redacted && [
      wholeTimeText(then) !== "" && h("p.quiet.small", shownTime(then)),
      h(
        "details",
        h("summary", { "aria-label": `${since}: ${label}` }, since),
        differences(slicedFields(memory), then, now, undefined, label),
      ),
    ],
    mayChange(session, memory) && actButton(session, recovering),
  );
}

/** The state after the newest slice. @param {any} memory */
function presentCard(memory) {
  const { revision, updatedAt: at } = memory;
  const name = t("present");
  return h("li.chosen", h("h2", name), ...stateParts(memory, memory, { revision, at, name }));
}

/**
 * @param {any} memory
 * @param {{ currentContent: string, redacted?: boolean }} state
 * @param {{ revision: number, at: string, name: string }} about
 */
function stateParts(memory, { currentContent, redacted }, { revision, at, name }) {
  return [
    h("p.quiet.small", `${t("revisionOf", { revision })} · `, ago(at)),
    !redacted &&
    guarded(
      memory,
      `${t("theWords")}, ${name}`,
      () => h("p.words.reading", currentContent),
    ),
  ];
}

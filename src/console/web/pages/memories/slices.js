/** Named states that can be restored. */

import { actButton } from "../../core/act.js";
import { send } from "../../core/api.js";
import { announce, h } from "../../core/dom.js";
import { TEXTS } from "../../core/memory_drafts.js";
import { repeatable } from "../../core/repeatable.js";
import { withSession } from "../../core/sign_in_again.js";
import { t, timeText } from "../../core/text.js";
import { watchFields } from "../../core/unsaved_forms.js";
import { thisVisit, visit } from "../../core/visit.js";
import { differences } from "../../fields/differences.js";
import { form } from "../../fields/form.js";
import { slicedFields } from "../../fields/memory_compared.js";
import { shownTime, wholeTimeText } from "../../fields/shown_time.js";
import { lineField } from "../../fields/text.js";
import { listPage } from "../list_page.js";
import { backTo, changing, guarded, mayChange } from "./head.js";

/** @typedef {import("../../core/session.js").Session} Session */

/** @type {import("../../pages.js").Page} */
export default async function memorySlices({ params: { id }, query, session }) {
  const api = `${TEXTS}/${id}`;
  const page = `/console/memories/${id}/slices`;
  const { data: memory } = await send("GET", api);
  const { title, body } = await listPage(query, {
    title: t("slices"),
    page,
    api: `${api}/slices`,
    none: t("noneYet"),
    isLong: true,
    line: (slice) => line(session, memory, slice),
  });
  const adding = mayChange(session, memory) && addForm(session, api, page);
  return { title, body: [backTo(memory), h("p", {}, t("slicesText")), adding, ...body] };
}

/**
 * @param {Session} session
 * @param {string} api
 * @param {string} page
 */
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
  return form([name], t("addSlice"), async () => {
    const here = thisVisit();
    const body = { label: name.text() };
    await withSession(session.account.email, () => sendSlice("POST", `${api}/slices`, { body }));
    sent();
    announce(t("kept"));
    await visit(page, here);
  });
}

/**
 * @param {Session} session
 * @param {any} memory
 * @param {any} slice
 */
function line(session, memory, slice) {
  const { sliceId, memoryRevision, redacted, createdAt, currentContent } = slice;
  const recovering = {
    ...changing(memory, `slices/${sliceId}/recover`, { name: t("recover"), done: t("recovered") }),
    label: `${t("recover")}: ${slice.label}`,
  };
  // Slices have no time range.
  const [then, now] = [slice, memory].map((state) => ({ ...state, timeRange: null }));
  return h(
    "li",
    {},
    h(
      "details",
      {},
      h(
        "summary",
        {},
        h("span", { class: "words" }, redacted ? t("hidden") : slice.label),
        ` · ${t("revisionOf", { revision: memoryRevision })} · `,
        h("time", { datetime: createdAt }, timeText(createdAt)),
      ),
      !redacted && [
        guarded(
          memory,
          `${t("theWords")}, ${slice.label}`,
          () => h("p", { class: "words" }, currentContent),
        ),
        wholeTimeText(then) !== "" && h("p", { class: "quiet small" }, shownTime(then)),
        h("p", { class: "quiet small" }, t("changesSince")),
        differences(slicedFields(memory), then, now, undefined, slice.label),
      ],
      mayChange(session, memory) &&
        actButton(session, recovering),
    ),
  );
}

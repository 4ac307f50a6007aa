/** The slices of a memory: states that were given a name, and that one can go back to. */

import { newKey, send } from "../core/api.js";
import { announce } from "../core/announce.js";
import { h } from "../core/dom.js";
import { TEXTS } from "../core/memory_drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { differences } from "../fields/differences.js";
import { slicedFields } from "../fields/memory_compared.js";
import { form } from "../fields/form.js";
import { shownTime } from "../fields/shown_time.js";
import { lineField } from "../fields/text.js";
import { backTo, changing, mayChange } from "./memory_head.js";

/** @typedef {import("../core/session.js").Session} Session */

const PAGE = "50";

/** @type {import("../pages.js").Page} */
export default async function memorySlices({ params: { id }, query, session }) {
  const cursor = query.get("cursor");
  const asked = new URLSearchParams({ limit: PAGE, ...(cursor !== null && { cursor }) });
  const api = `${TEXTS}/${id}`;
  const [{ data: memory }, { data: slices }] = await Promise.all([
    send("GET", api),
    send("GET", `${api}/slices?${asked}`),
  ]);
  const page = `/console/memories/${id}/slices`;
  return {
    title: t("slices"),
    body: [
      backTo(memory),
      h("p", {}, t("slicesText")),
      mayChange(session, memory) && addForm(session, api, page),
      slices.items.length === 0 ? h("p", { class: "quiet" }, t("noneYet")) : h(
        "ul",
        { class: "lines history" },
        slices.items.map((/** @type {any} */ slice) => line(session, memory, slice)),
      ),
      slices.nextCursor !== null &&
      h("p", {}, h("a", { href: `${page}?cursor=${slices.nextCursor}` }, t("older"))),
    ],
  };
}

/**
 * @param {Session} session
 * @param {string} api
 * @param {string} page
 */
function addForm(session, api, page) {
  const name = lineField({
    ...{ name: "label", label: t("sliceLabel"), hint: t("sliceLabelHint") },
    ...{ required: true, words: true },
  });
  const key = newKey();
  return form([name], t("addSlice"), async () => {
    const body = { label: name.text() };
    await withSession(session.account.email, () => send("POST", `${api}/slices`, { body, key }));
    announce(t("kept"));
    await visit(page);
  });
}

/**
 * @param {Session} session
 * @param {any} memory
 * @param {any} slice
 */
function line(session, memory, slice) {
  const { sliceId, memoryRevision, redacted, createdAt, currentContent } = slice;
  const recover = changing(session, memory, `slices/${sliceId}/recover`, { done: t("recovered") });
  // A slice does not have the range of its time.
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
        h("p", { class: "words" }, currentContent),
        h("p", { class: "quiet small" }, shownTime(then)),
        h("h3", {}, t("sinceThen")),
        differences(slicedFields(), then, now),
      ],
      mayChange(session, memory) &&
        h("button", { type: "button", onclick: recover }, t("recover")),
    ),
  );
}

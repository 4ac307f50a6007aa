/** Due items by day, requested after the page is shown. */

import { actButton } from "../core/act.js";
import { ApiError, send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { clockText, daysText } from "../core/numbers.js";
import { failureText, t } from "../core/text.js";
import { line } from "../fields/line.js";
import { recordPath } from "../logic/addresses.js";
import { byDay, completion, daysUntil, dueList } from "../logic/due_days.js";
import { label } from "../logic/labels.js";

/** @typedef {import("../core/session.js").Session} Session */

/** @param {Session} session */
export function dueSection(session) {
  const content = h("div", {}, h("p", { class: "quiet" }, t("loadingDue")));
  void show(content, session);
  return h("section", {}, h("h2", {}, t("due")), content);
}

/** @param {HTMLElement} content @param {Session} session */
async function show(content, session) {
  try {
    const now = new Date();
    const { data: { items, nextCursor } } = await send("GET", dueList(now));
    if (items.length === 0) return fill(content, h("p", { class: "quiet" }, t("nothingDue")));
    fill(
      content,
      ...byDay(items, now).flatMap(({ days, items }) => [
        h("h3", {}, days === null ? t("overdue") : daysText(days)),
        h("ul", { class: "lines" }, items.map((item) => dueLine(item, now, session))),
      ]),
      nextCursor !== null && h("p", { class: "quiet" }, t("moreDue", { count: items.length })),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    fill(content, h("p", { class: "quiet" }, failureText(error.code)));
  }
}

/**
 * @param {import("../logic/due_days.js").Due} item
 * @param {Date} now
 * @param {Session} session
 */
function dueLine(item, now, session) {
  const { kind, moduleCode, recordId, title, what, at, date, overdue } = item;
  const when = overdue ? daysText(daysUntil(item, now)) : at !== null && clockText(at);
  const payload = session.permissions.includes("record.write") ? completion(kind, now) : null;
  return line(
    h("a", { href: recordPath(moduleCode, recordId), class: "words" }, title),
    [label(what ?? kind), when && h("time", { datetime: at ?? date }, when)],
    payload !== null && actButton(session, {
      method: "PATCH",
      path: `/api/v2/records/${moduleCode}/${recordId}`,
      body: { payload },
      name: t("complete"),
      label: t("completeThing", { title }),
      shortcut: "x",
      done: t("completed", { title }),
      page: "/",
    }),
  );
}

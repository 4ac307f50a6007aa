/** Writes per day of the last week. */

import { ApiError, send } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { locale, t } from "../core/text.js";
import { countByDay, weekStart } from "../logic/week.js";

/** Not drawn if there are more. */
const MAX_PAGES = 20;

export function weekSection() {
  const section = h("section", { hidden: true });
  void show(section);
  return section;
}

/** @param {HTMLElement} section */
async function show(section) {
  try {
    const now = new Date();
    const moments = await readMoments(weekStart(now));
    if (moments === null || moments.length === 0) return;
    const { barPicture } = await import("../core/charts.js");
    const weekday = new Intl.DateTimeFormat(locale(), { weekday: "short" });
    const bars = countByDay(moments, now).map(({ day, count }) => ({
      name: weekday.format(day),
      value: count,
    }));
    const columns = /** @type {const} */ ([t("weekDay"), t("weekCount")]);
    fill(
      section,
      h("h2", {}, t("week")),
      barPicture(t("weekWritten"), bars, { columns, upright: true }),
    );
    section.hidden = false;
  } catch (error) {
    // The page works without it.
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Null if there are too many to list.
 *
 * @param {Date} start
 * @returns {Promise<string[] | null>}
 */
async function readMoments(start) {
  const moments = [];
  let path = "/api/v2/audit?limit=100";
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data } = await send("GET", path);
    const recent = data.items.filter((/** @type {any} */ { createdAt }) =>
      new Date(createdAt) >= start
    );
    moments.push(...recent.filter((/** @type {any} */ { revision }) => revision !== null));
    const isLast = recent.length < data.items.length || data.nextCursor === null;
    if (isLast) return moments.map(({ createdAt }) => createdAt);
    path = `/api/v2/audit?limit=100&cursor=${encodeURIComponent(data.nextCursor)}`;
  }
  return null;
}

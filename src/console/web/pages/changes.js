/** The feed of changes of all records. */

import { h, send, t, timeText } from "../core/base.js";
import { line } from "../fields/controls.js";
import { generalPath, labelOfOne, recordPath } from "../core/names.js";

const PAGE = "/console/changes";
const MAX_SHOWN = 50;

const CHANGES = /** @type {const} */ ({
  CREATED: "created",
  MODIFIED: "modified",
  ARCHIVED: "archivedChange",
  RESTORED: "restoredChange",
});

/** @type {Page} */
export default async function changes({ query }) {
  const after = query.get("after");
  const asked = new URLSearchParams({
    limit: String(MAX_SHOWN),
    ...(after !== null && { after }),
  });
  const { data } = await send("GET", `/api/v2/changes?${asked}`);
  const next = new URLSearchParams({ after: data.nextCursor });
  return {
    title: t("changesTitle"),
    body: [
      h("p", t("changesText")),
      data.items.length === 0
        ? h("p.quiet", t("noneYet"))
        : h("ul.lines", data.items.map(changeLine)),
      h(
        "div.bar",
        data.hasMore && h("a.main", { href: `${PAGE}?${next}` }, t("nextChanges")),
        after !== null && h("a", { href: PAGE }, t("firstChanges")),
      ),
    ],
  };
}

/** @param {RecordChange} change */
function changeLine({ moduleCode, recordId, revision, change, at }) {
  const href = moduleCode === "identity"
    ? generalPath(moduleCode, recordId)
    : recordPath(moduleCode, recordId);
  // The end of the identifier tells links apart.
  const name = h("a", { href }, labelOfOne(moduleCode), " ", h("code", recordId.slice(-6)));
  return line(name, [
    t(CHANGES[change]),
    t("ofRevision", { revision }),
    h("time", { datetime: at }, timeText(at)),
  ]);
}

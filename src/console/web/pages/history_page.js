/** All revisions with their changes, newest first; or two compared. */

import { actButton } from "../core/act.js";
import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { t, timeText } from "../core/text.js";
import { differences } from "../fields/differences.js";
import { compareForm } from "./compare_form.js";

/** @typedef {import("../pages.js").Visit} Visit */

/**
 * @typedef {object} Act Restores a field.
 * @property {"POST" | "PATCH"} method
 * @property {string} path
 * @property {Record<string, unknown>} body Without the base revision.
 */

/**
 * @typedef {object} Historied How to read and show an object's revisions.
 * @property {string} page In the console.
 * @property {string} api In the API.
 * @property {(revision: number) => string} earlier
 * @property {readonly import("../fields/differences.js").ComparedField[]} fields
 * @property {(state: any) => string} [nameOf] If not the title; empty if hidden.
 * @property {(change: string) => string} changeName
 * @property {(name: string, former: any) => Act | null} undo Null if not restorable.
 */

const PAGE = 50;

/**
 * @param {Visit} visited
 * @param {Historied} thing
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function historyPage({ query, session }, thing) {
  const [from, to] = ["from", "to"].map((name) => Number(query.get(name)));
  if (!from) return await revisions(query, thing);
  return await comparison({ from, to: to || null }, session, thing);
}

/**
 * @param {{ from: number, to: number | null }} compared Null for the current state.
 * @param {import("../core/session.js").Session} session
 * @param {Historied} thing
 */
async function comparison({ from, to }, session, { page, api, earlier, fields, undo }) {
  const [{ data: before }, { data: after }] = await Promise.all([
    send("GET", earlier(from)),
    send("GET", to === null ? api : earlier(to)),
  ]);
  const undoButton = (/** @type {string} */ name, /** @type {string} */ label) => {
    const act = to !== null || before.redacted || after.redacted ? null : undo(name, before);
    if (act === null) return null;
    const body = { ...act.body, expectedRevision: after.revision };
    return actButton(session, {
      ...act,
      body,
      page,
      name: t("revert"),
      label: `${t("revert")}: ${label}`,
      done: t("reverted"),
    });
  };
  return {
    title: t(to === null ? "comparison" : "comparisonOf", { from, to: after.revision }),
    body: [
      h("p", {}, h("a", { href: `${page}/history` }, t("history"))),
      after.redacted && h("p", { class: "note" }, t("hidden")),
      differences(fields, before, after, undoButton),
    ],
  };
}

/**
 * @param {URLSearchParams} query
 * @param {Historied} thing
 */
async function revisions(query, { page, api, nameOf = ({ title }) => title, fields, changeName }) {
  const asked = new URLSearchParams({ limit: String(PAGE) });
  const cursor = query.get("cursor");
  if (cursor !== null) asked.set("cursor", cursor);
  const { data: { items: shown, nextCursor } } = await send("GET", `${api}/revisions?${asked}`);
  const older = nextCursor === null ? null : new URLSearchParams({ cursor: nextCursor });
  // The page's last item is compared with the revision before it.
  const next = older && await send("GET", `${api}/revisions?limit=1&${older}`);
  const items = [...shown, ...next?.data.items ?? []];
  const lines = shown.map((/** @type {any} */ item, /** @type {number} */ index) => {
    // A root's revision has the root's times; a record's its own.
    const at = item.updatedAt ?? item.createdAt;
    return h(
      "li",
      {},
      h(
        "details",
        { open: index === 0 },
        h(
          "summary",
          {},
          `${item.revision} · ${changeName(item.change)} · `,
          h("time", { datetime: at }, timeText(at)),
        ),
        differences(fields, items[index + 1] ?? null, item, undefined, String(item.revision)),
        h("p", {}, compareLink(page, item.revision)),
      ),
    );
  });
  return {
    title: t("history"),
    body: [
      h("p", {}, h("a", { href: page }, nameOf(shown[0]) || t("hidden"))),
      shown.length > 2 &&
      compareForm(
        `${page}/history`,
        shown.map((/** @type {any} */ item) => item.revision),
      ),
      h("ol", { class: "lines history", reversed: true }, lines),
      older !== null && h("p", {}, h("a", { href: `${page}/history?${older}` }, t("older"))),
    ],
  };
}

/**
 * @param {string} page
 * @param {number} revision
 */
function compareLink(page, revision) {
  const label = t("compareOfNow", { revision });
  return h(
    "a",
    { href: `${page}/history?from=${revision}`, "aria-label": label },
    t("compareNow"),
  );
}

/** @param {string} change */
export function changeName(change) {
  const names = /** @type {const} */ ({
    CREATED: "created",
    ARCHIVED: "archivedChange",
    RESTORED: "restoredChange",
  });
  return t(names[/** @type {keyof typeof names} */ (change)] ?? "modified");
}

/** Every revision of a record, newest first, with what each changed; or two of them compared. */

import { newKey, send } from "../core/api.js";
import { announce } from "../core/announce.js";
import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { changedText } from "../fields/changed_text.js";
import { toText } from "../logic/form_values.js";
import { label } from "../logic/labels.js";

const PAGE = 50;

/** @type {import("../pages.js").Page} */
export default async function history({ params, query, session }) {
  const module = await readModule(params.module);
  if (module === null) return { title: t("notFound"), body: [h("p", {}, t("notFoundText"))] };
  const page = `/console/records/${module.code}/${params.id}`;
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const from = Number(query.get("from"));
  if (from > 0) {
    const [before, after] = await Promise.all([
      send("GET", `${api}?revision=${from}`),
      send("GET", api),
    ]);
    const bringBack = async (/** @type {Record<string, unknown>} */ change) => {
      const body = { ...change, expectedRevision: after.data.revision };
      const key = newKey();
      await withSession(session.account.email, () => send("PATCH", api, { body, key }));
      announce(t("broughtBack"));
      await visit(page);
    };
    const isWritable = module.entry === "GENERIC";
    return {
      title: t("comparison", { from, to: after.data.revision }),
      body: differences(module.fields, before.data, after.data, isWritable ? bringBack : null),
    };
  }
  const asked = new URLSearchParams({ limit: String(PAGE + 1) });
  const cursor = query.get("cursor");
  if (cursor !== null) asked.set("cursor", cursor);
  const { data } = await send("GET", `${api}/revisions?${asked}`);
  // One more than is shown: what the last of them changed is seen beside the one before it.
  const shown = data.items.slice(0, PAGE);
  const lines = shown.map((/** @type {any} */ item, /** @type {number} */ index) =>
    h(
      "li",
      {},
      h(
        "details",
        { open: index === 0 },
        h(
          "summary",
          {},
          `${item.revision} · ${t(changeName(item.change))} · `,
          h("time", { datetime: item.createdAt }, timeText(item.createdAt)),
        ),
        differences(module.fields, data.items[index + 1] ?? null, item, null),
        h("p", {}, h("a", { href: `${page}/history?from=${item.revision}` }, t("compareNow"))),
      ),
    )
  );
  const older = data.items.length > PAGE ? shown.at(-1)?.revisionId : null;
  return {
    title: t("history"),
    body: [
      h("ol", { class: "lines history", reversed: true }, lines),
      older !== null && h("p", {}, h("a", { href: `${page}/history?cursor=${older}` }, t("older"))),
    ],
  };
}

/** @param {string} change */
function changeName(change) {
  const names = /** @type {const} */ ({
    CREATED: "created",
    ARCHIVED: "archivedChange",
    RESTORED: "restoredChange",
  });
  return names[/** @type {keyof typeof names} */ (change)] ?? "modified";
}

/**
 * @param {readonly import("../core/catalog.js").CatalogField[]} fields
 * @param {any} before Null before the first revision.
 * @param {any} after
 * @param {((change: Record<string, unknown>) => Promise<void>) | null} bringBack
 */
function differences(fields, before, after, bringBack) {
  const all = /** @type {const} */ ([
    { name: "title", edit: "text" },
    { name: "summary", edit: "textarea" },
    ...fields,
  ]);
  const isOwn = (/** @type {string} */ name) => name === "title" || name === "summary";
  const valueOf = (/** @type {any} */ state, /** @type {string} */ name) =>
    isOwn(name) ? state?.[name] : state?.payload[name];
  const changed = all.flatMap((field) => {
    const former = valueOf(before, field.name);
    const texts = [former, valueOf(after, field.name)].map((value) => toText(field, value));
    if (texts[0] === texts[1]) return [];
    const change = isOwn(field.name)
      ? { [field.name]: former }
      : former === undefined
      ? { payloadRemove: [field.name] }
      : { payload: { [field.name]: former } };
    return [
      h("dt", {}, label(field.name)),
      h(
        "dd",
        {},
        changedText(texts[0] ?? "", texts[1] ?? ""),
        bringBack !== null &&
          h("button", { type: "button", onclick: () => bringBack(change) }, t("bringBack")),
      ),
    ];
  });
  return changed.length === 0
    ? [h("p", { class: "quiet" }, t("nothingChanged"))]
    : [h("dl", { class: "values" }, changed)];
}

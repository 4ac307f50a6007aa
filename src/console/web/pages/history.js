/** The history of a record. */

import { readModule } from "../core/catalog.js";
import { toComparedText } from "../logic/form_values.js";
import { changeName, historyPage } from "./history_page.js";
import { notFound } from "./not_found.js";

const OWN = /** @type {const} */ ([
  { name: "title", edit: "text" },
  { name: "summary", edit: "textarea" },
]);

/** @type {import("../pages.js").Page} */
export default async function history(visit) {
  const { params } = visit;
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const api = `/api/v2/records/${module.code}/${params.id}`;
  const isOwn = (/** @type {string} */ name) => OWN.some((field) => field.name === name);
  const change = (/** @type {string} */ name, /** @type {any} */ former) => {
    if (isOwn(name)) return { [name]: former[name] };
    const value = former.payload[name];
    return value === undefined ? { payloadRemove: [name] } : { payload: { [name]: value } };
  };
  return await historyPage(visit, {
    page: `/console/records/${module.code}/${params.id}`,
    api,
    earlier: (revision) => `${api}?revision=${revision}`,
    fields: [...OWN, ...module.fields].map((field) => ({
      ...{ name: field.name, sensitive: "sensitive" in field && field.sensitive },
      text: (state) =>
        toComparedText(field, (isOwn(field.name) ? state : state.payload)[field.name]),
    })),
    changeName,
    undo: (name, former) =>
      module.entry === "GENERIC"
        ? { method: "PATCH", path: api, body: change(name, former) }
        : null,
  });
}

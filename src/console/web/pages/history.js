import { readModule } from "../core/catalog.js";
import { comparedField } from "../fields/compared_field.js";
import { changeName, historyPage } from "./history_page.js";
import { notFound } from "./not_found.js";

const OWN = /** @type {const} */ ([
  { name: "title", edit: "text", sensitive: false },
  { name: "summary", edit: "textarea", sensitive: false },
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
    fields: [...OWN, ...module.fields].map((field) =>
      comparedField(field, (state) => (isOwn(field.name) ? state : state.payload)[field.name])
    ),
    changeName,
    undo: (name, former) =>
      module.entry === "GENERIC"
        ? { method: "PATCH", path: api, body: change(name, former) }
        : null,
  });
}

import { notFound, readModule } from "../core/names.js";
import { comparedField } from "../fields/differences.js";
import { changeName, historyPage } from "./root_parts.js";

const OWN = /** @type {const} */ ([
  { name: "title", edit: "text", sensitive: false },
  { name: "summary", edit: "textarea", sensitive: false },
]);

/** @type {Page} */
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

/** Forms of records. */

import { notLoaded } from "../../core/base/visits.js";
import { generalPath, labelOfOne, notFound, readModule } from "../../core/names.js";
import { firstTexts, needed, optional } from "../../fields/shown/texts.js";
import { thisMinute } from "../../fields/shown/times.js";
import { viewOf } from "../parts/views.js";
import { draftForm, placesOf } from "./form.js";
import { arrangeMeasure, measureField } from "./measures.js";

/** @type {(module: CatalogModule, recordId: string | undefined, first: Texts) => Editable} */
function editableRecord({ code, fields }, recordId, first) {
  const list = `/api/v2/records/${code}`;
  const isMeasure = code === "health";
  return {
    fields: [
      needed("title", "text", { maximumLength: 200 }),
      optional("summary", "textarea", { maximumLength: 1_000 }),
      ...isMeasure ? withMeasure(fields) : fields,
    ],
    ...(isMeasure && { arrange: arrangeMeasure }),
    list,
    one: recordId === undefined ? null : `${list}/${recordId}`,
    first,
    matters: viewOf(code).facts,
    valuesOf: ({ title, summary, payload }) => ({ ...payload, title, summary }),
    idOf: ({ recordId }) => recordId,
    creation: ({ set: { title, summary, ...payload } }) => ({ title, summary, payload }),
    patch({ set: { title, summary, ...payload }, remove }) {
      const removed = remove.filter((name) => name !== "summary");
      return {
        title,
        summary: remove.includes("summary") ? "" : summary,
        ...(Object.keys(payload).length > 0 && { payload }),
        ...(removed.length > 0 && { payloadRemove: removed }),
      };
    },
  };
}

/** @param {readonly CatalogField[]} fields */
function withMeasure(fields) {
  return fields.map((field) => field.name === "value" ? { ...field, make: measureField } : field);
}

/** @type {Page} */
export async function recordForm({ params, query }) {
  const module = await readModule(params.module);
  if (module?.entry !== "GENERIC") return notFound();
  const { code, fields } = module;
  const name = (/** @type {any} */ stored) => stored?.title ?? labelOfOne(code);
  const places = placesOf(generalPath(code), params.id, name);
  const first = params.id === undefined ? firstTexts(fields, thisMinute()) : {};
  const editable = editableRecord(module, params.id, first);
  const capture = query.get("capture");
  if (params.id === undefined && capture !== null) {
    const { routing, textsFromCapture } = await import("../drafts/captures.js");
    Object.assign(first, await textsFromCapture(code, capture));
    editable.next = routing(capture, code);
    // A draft of its own, which finds its capture again.
    places.page += `?capture=${encodeURIComponent(capture)}`;
  }
  if (code !== "review" || params.id !== undefined || capture !== null) {
    return await draftForm(editable, { ...places, code });
  }
  const { askAboutWeek } = await import("../review_week/form.js").catch(notLoaded);
  const week = await askAboutWeek(editable);
  const { title, body } = await draftForm(editable, { ...places, code });
  return { title, body: [week, ...body] };
}

import { fill, h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { notLoaded } from "../../core/base/visits.js";
import { generalPath, label, modulePath, notFound, readModule } from "../../core/names.js";
import { loaded } from "../../fields/controls/forms.js";
import { keyValues, shownValue, valuesList } from "../../fields/shown/values.js";
import { doneButton, isOpen } from "../parts/due.js";
import {
  archiveButton,
  archivedNote,
  loadDrawing,
  refersHere,
  rootFacts,
} from "../parts/objects.js";
import { snoozeButtons } from "../parts/snooze.js";
import { tagsSection } from "../parts/tags.js";
import { viewOf } from "../parts/views.js";

/** @type {Page} */
export async function recordPage({ params }) {
  const module = await readModule(params.module);
  if (module === null) return notFound();
  const { code, entry } = module;
  const path = generalPath(code, params.id);
  const api = `/api/v2/records/${code}/${params.id}`;
  const [data, { writtenValue }] = await Promise.all([get(api), loadDrawing()]);
  const title = data.redacted ? t("hidden") : data.title;
  // A module's own title repeats the record's.
  const fields = module.fields.filter(({ name, edit }) =>
    edit !== "text" || data.payload[name] !== data.title
  );
  const { line, rest } = keyValues(fields, data.payload);
  const head = h("div", line);
  const foot = h("div", rootFacts(data));
  const { recordId, redacted, archivedAt } = data;
  const mayWrite = may("record.write");
  const canBeDone = !redacted && archivedAt === null && isOpen(viewOf(code), data.payload);
  const show = (/** @type {any} */ changed) => {
    Object.assign(data, changed);
    fill(head, keyValues(fields, data.payload).line);
    fill(foot, rootFacts(data));
  };
  const record = { moduleCode: code, recordId, title };
  const isDue = canBeDone && data.payload[viewOf(code).time ?? ""] !== undefined;
  return {
    title,
    body: [
      h("p.small.on-screen", link(modulePath(code), label(code))),
      head,
      archivedNote(data),
      data.summary !== "" && h("p.words.lead", data.summary),
      valuesList(rest, data.payload, (field, value) => shownValue(field, value, writtenValue)),
      entry === "GENERIC" && h(
        "div.bar",
        canBeDone && doneButton(record, show),
        isDue && snoozeButtons(record, (_, changed) => show(changed)),
        mayWrite && link(`${path}/edit`, t("edit"), "main"),
        link(`${path}/history`, t("history")),
        mayWrite && archiveButton(data, { api }),
        code === "place" && mapLink(data.payload, title),
      ),
      code === "action" && h("section", loaded(() => partsOfAction(recordId))),
      tagsSection(code, recordId),
      refersHere(code, recordId),
      foot,
      h("p.small.on-screen", link(`${path}/executions`, t("executions"))),
    ],
  };
}

/** Opens the map of the device. @param {Values} payload @param {string} place */
function mapLink(payload, place) {
  const shown = h("span");
  import("../../fields/reach.js").then(({ mapHref }) => {
    const href = mapHref(payload);
    if (href !== null) fill(shown, link(href, t("mapOf", { place })));
  }, () => {});
  return shown;
}

/** @param {string} id */
async function partsOfAction(id) {
  const { partsOf } = await import("../refers.js").catch(notLoaded);
  return await partsOf(id);
}

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
  objectActs,
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
  const kind = link(modulePath(code), label(code));
  const head = h("div.kind", kind, line);
  const foot = h("div", rootFacts(data));
  const { recordId, redacted, archivedAt } = data;
  const mayWrite = may("record.write");
  const canBeDone = !redacted && archivedAt === null && isOpen(viewOf(code), data.payload);
  const show = (/** @type {any} */ changed) => {
    Object.assign(data, changed);
    fill(head, kind, keyValues(fields, data.payload).line);
    fill(foot, rootFacts(data));
  };
  const record = { moduleCode: code, recordId, title };
  const isGeneric = entry === "GENERIC";
  const runs = link(`${path}/executions`, t("executions"));
  const isDue = canBeDone && data.payload[viewOf(code).time ?? ""] !== undefined;
  return {
    title,
    body: [
      h(
        "div.pair",
        canBeDone && doneButton(record, show),
        head,
        isDue && snoozeButtons(record, (_, changed) => show(changed)),
      ),
      archivedNote(data),
      data.summary !== "" && h("p.words.lead", data.summary),
      valuesList(rest, data.payload, (field, value) => shownValue(field, value, writtenValue)),
      code === "place" && mapLink(data.payload, title),
      isGeneric && objectActs({
        title,
        edit: mayWrite && `${path}/edit`,
        more: [
          link(`${path}/history`, t("history")),
          runs,
          mayWrite && archiveButton(data, { api }),
        ],
      }),
      code === "action" && h("section", loaded(() => partsOfAction(recordId))),
      tagsSection(code, recordId),
      refersHere(code, recordId),
      foot,
      !isGeneric && h("div.bar", runs),
    ],
  };
}

/** Opens the map of the device. @param {Values} payload @param {string} place */
function mapLink(payload, place) {
  const shown = h("div.bar");
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

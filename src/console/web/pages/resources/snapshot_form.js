import { readModule } from "../../core/names.js";
import { t } from "../../core/base.js";
import { editableThing } from "../root_parts.js";
import { draftForm } from "../draft_form.js";
import { pathsOf, snapshotFields } from "./resource_paths.js";

/** @type {Page} */
export default async function snapshotForm({ params, session }) {
  const { page, api } = pathsOf(params.id);
  const fields = snapshotFields((await readModule("resource"))?.fields ?? []);
  const place = { list: `${api}/snapshots`, one: null, idName: "snapshotId" };
  return await draftForm(session, editableThing(fields, place), {
    page: `${page}/snapshots/new`,
    kept: () => page,
    left: page,
    name: () => t("resourceSnapshot"),
    about: t("snapshotText"),
  });
}

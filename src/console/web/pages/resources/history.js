import { readModule } from "../../core/names.js";
import { thingHistory } from "../root_parts.js";
import { pathsOf } from "./resource_paths.js";

/** @type {Page} */
export default async function resourceHistory(visit) {
  const fields = (await readModule("resource"))?.fields ?? [];
  return await thingHistory(visit, {
    ...pathsOf(visit.params.id),
    fields,
    nameOf: ({ name }) => name,
  });
}

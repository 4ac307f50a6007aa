import { editableThing } from "../root_parts.js";
import { notFound } from "../../core/names.js";
import { draftForm } from "../draft_form.js";
import { ledgers } from "./ledger_kinds.js";
import { pathsOf } from "./person_paths.js";

/** @type {Page} */
export default async function entryForm({ params, session }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const place = { list: `${api}/${name}`, one: null, idName: ledger.idName };
  return await draftForm(session, editableThing(ledger.fields, place, ledger.first()), {
    page: `${page}/ledger/${name}/new`,
    kept: () => page,
    left: page,
    name: () => ledger.one,
  });
}

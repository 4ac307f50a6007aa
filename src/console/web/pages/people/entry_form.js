/** A new contact, experience or piece of evidence. */

import { writtenThing } from "../../core/written.js";
import { notFound } from "../not_found.js";
import { writingForm } from "../writing_form.js";
import { ledgers } from "./ledgers.js";
import { pathsOf } from "./person_paths.js";

/** @type {import("../../pages.js").Page} */
export default async function entryForm({ params, session }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {import("./ledgers.js").LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const place = { list: `${api}/${name}`, one: null, idName: ledger.idName };
  return await writingForm(session, writtenThing(ledger.fields, place, ledger.first()), {
    page: `${page}/ledger/${name}/new`,
    kept: () => page,
    left: page,
    name: () => ledger.one,
  });
}

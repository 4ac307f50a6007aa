import { h, send, t } from "../../core/base.js";
import { listPage } from "../list_page.js";
import { notFound } from "../../core/names.js";
import { entryLine } from "./entries.js";
import { ledgers } from "./ledger_kinds.js";
import { isOpen, pathsOf } from "./person_paths.js";

/** @type {Page} */
export default async function ledgerPage({ params, query, session }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const { data: person } = await send("GET", api);
  const here = `${page}/ledger/${name}`;
  const place = { name, api: `${api}/${name}`, page: here, isOpen: isOpen(person) };
  return await listPage(query, {
    title: ledger.title,
    page: here,
    api: place.api,
    none: t("noneYet"),
    beside: [
      place.isOpen && h("a.main", { href: `${here}/new` }, ledger.add),
      h("a.words", { href: page }, person.personName),
    ],
    isLong: true,
    line: (entry, index) => entryLine(session, ledger, entry, place, index),
  });
}

/** Forms about a person, and the history. */

import { h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { label, notFound, readFields } from "../core/names.js";
import { firstTexts, needed } from "../fields/shown/texts.js";
import { timeTag } from "../fields/shown/times.js";
import { draftForm, placesOf } from "./draft_form/form.js";
import { thingHistory } from "./history/revisions.js";
import { editableThing } from "./parts/objects.js";
import { HAPPENED } from "./people_entries/entries.js";
import { isOpen, ledgers, pathsOf, PEOPLE, PEOPLE_API } from "./people_entries/ledgers.js";

/** @type {Page} */
export async function personForm({ params: { id } }) {
  const one = id === undefined ? null : pathsOf(id).api;
  const all = await readFields("relationship");
  // Only contacts change the time of the last one.
  const fields = one === null ? all : all.filter(({ name }) => name !== "lastContactAt");
  const first = one === null ? firstTexts(fields, "") : {};
  const editable = editableThing(fields, { list: PEOPLE_API, one, idName: "personId" }, first);
  return await draftForm(editable, placesOf(PEOPLE, id, () => t("person")));
}

/** @type {Page} */
export async function entryForm({ params }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const place = { list: `${api}/${name}`, one: null, idName: ledger.idName };
  return await draftForm(editableThing(ledger.fields, place, ledger.first), {
    page: `${page}/ledger/${name}/new`,
    kept: () => page,
    left: page,
    name: () => ledger.one,
  });
}

const MAX_MOVES = 100;

/** Fields by revision, and the status with its reasons. @type {Page} */
export async function personHistory(visit) {
  const paths = pathsOf(visit.params.id);
  const [fields, person, moves] = await Promise.all([
    readFields("relationship"),
    get(paths.api),
    get(`${paths.api}/status/history?limit=${MAX_MOVES}`),
  ]);
  const content = await thingHistory(visit, {
    ...paths,
    fields: [...fields, needed("status", "select")],
    nameOf: ({ personName }) => personName,
    changes: HAPPENED,
    isFixed: !isOpen(person),
    fixed: ["lastContactAt", "status"],
  });
  const isComparison = visit.query.has("from");
  const reasons = moves.items.length > 0 && h(
    "section",
    h("h2", label("status")),
    h(
      "ul.lines",
      moves.items.map(({ createdAt, toStatus, reason }) =>
        h(
          "li",
          h("span.quiet.small", timeTag(createdAt)),
          h("span", label(toStatus)),
          reason !== null && h("span.words", reason),
        )
      ),
    ),
  );
  return { ...content, body: [...content.body, !isComparison && reasons] };
}

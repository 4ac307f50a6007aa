/** Forms about a person, and the history. */

import { get, h, t, timeText } from "../core/base.js";
import { label, notFound, readModule } from "../core/names.js";
import { needed } from "../fields/shown.js";
import { draftForm } from "./draft_form.js";
import { changeName, thingHistory } from "./history.js";
import { editableThing } from "./parts.js";
import { isOpen, kindText, ledgers, pathsOf, PEOPLE, PEOPLE_API } from "./people_entries.js";

/** @type {Page} */
export async function personForm({ params }) {
  const isNew = params.id === undefined;
  const { page, api } = pathsOf(params.id);
  const all = (await readModule("relationship"))?.fields ?? [];
  // Only contacts change the time of the last one.
  const fields = isNew ? all : all.filter(({ name }) => name !== "lastContactAt");
  const place = { list: PEOPLE_API, one: isNew ? null : api, idName: "personId" };
  return await draftForm(editableThing(fields, place), {
    page: isNew ? `${PEOPLE}/new` : `${page}/edit`,
    kept: (id) => pathsOf(id).page,
    left: isNew ? PEOPLE : page,
    name: () => t("person"),
  });
}

/** @type {Page} */
export async function entryForm({ params }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const place = { list: `${api}/${name}`, one: null, idName: ledger.idName };
  return await draftForm(editableThing(ledger.fields, place, ledger.first()), {
    page: `${page}/ledger/${name}/new`,
    kept: () => page,
    left: page,
    name: () => ledger.one,
  });
}

/** Fields by revision, and the status with its reasons. */

const MAX_MOVES = 100;

/** @type {Page} */
export async function personHistory(visit) {
  const paths = pathsOf(visit.params.id);
  const [module, person, moves] = await Promise.all([
    readModule("relationship"),
    get(paths.api),
    get(`${paths.api}/status/history?limit=${MAX_MOVES}`),
  ]);
  const fields = [...module?.fields ?? [], needed("status", "select")];
  const content = await thingHistory(visit, {
    ...paths,
    fields,
    nameOf: ({ personName }) => personName,
    nameOfChange: personChange,
    isFixed: !isOpen(person),
    fixed: ["lastContactAt", "status"],
  });
  const isComparison = visit.query.has("from");
  const reasons = moves.items.length > 0 && h(
    "section",
    h("h2", label("status")),
    h("ul.lines", moves.items.map(moveLine)),
  );
  return { ...content, body: [...content.body, !isComparison && reasons] };
}

/** @param {any} move */
function moveLine({ createdAt, toStatus, reason }) {
  return h(
    "li",
    h("time.quiet.small", { datetime: createdAt }, timeText(createdAt)),
    h("span", label(toStatus)),
    reason !== null && h("span.words", reason),
  );
}

/** @param {string} change */
function personChange(change) {
  const isOfTimeline = change.startsWith("CONTACT_") || change === "STATUS_CHANGED" ||
    change === "EVALUATION_CONFIRMED";
  return isOfTimeline ? kindText(change) : changeName(change);
}

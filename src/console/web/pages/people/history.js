/** Fields by revision, and the status with its reasons. */

import { h, send, timeText } from "../../core/base.js";
import { label, readModule } from "../../core/names.js";
import { needed } from "../../fields/shown.js";
import { changeName, thingHistory } from "../root_parts.js";
import { isOpen, pathsOf } from "./person_paths.js";
import { kindText } from "./entries.js";

const MAX_MOVES = 100;

/** @type {Page} */
export default async function personHistory(visit) {
  const paths = pathsOf(visit.params.id);
  const [module, { data: person }, { data: moves }] = await Promise.all([
    readModule("relationship"),
    send("GET", paths.api),
    send("GET", `${paths.api}/status/history?limit=${MAX_MOVES}`),
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

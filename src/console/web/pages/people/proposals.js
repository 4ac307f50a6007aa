/** The evaluations that were proposed for a person, and the steps of each. */

import { ApiError, failureText, fill, h, send, t, timeText } from "../../core/base.js";
import { label } from "../../core/names.js";
import { listPage } from "../list_page.js";
import { pathsOf } from "./person_paths.js";

/** @type {Page} */
export default async function proposals({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const { data: person } = await send("GET", api);
  return await listPage(query, {
    title: t("personProposals"),
    page: `${page}/proposals`,
    api: `${api}/proposals`,
    none: t("noneYet"),
    beside: [h("a.words", { href: page }, person.personName)],
    isLong: true,
    line: (proposal, index) => proposalLine(proposal, `${api}/proposals`, index === 0),
  });
}

/** @param {PersonProposal} proposal @param {string} api @param {boolean} open */
function proposalLine(
  { proposalId, state, createdAt, candidate, provider, model, redacted },
  api,
  open,
) {
  const steps = h("ol");
  const read = async () => {
    if (steps.childElementCount > 0) return;
    try {
      const { data } = await send("GET", `${api}/${proposalId}/events`);
      fill(steps, data.items.toReversed().map(step));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fill(steps, h("li", failureText(error.code)));
    }
  };
  const made = [provider, model].filter((name) => name !== null).join(", ");
  return h(
    "li",
    h(
      "div",
      label(state),
      h(
        "div.quiet.small",
        h("time", { datetime: createdAt }, timeText(createdAt)),
        made !== "" && [" · ", h("span.exact", made)],
      ),
    ),
    redacted ? h("p.quiet", t("hidden")) : candidate !== null && h("p.note.words", candidate),
    h(
      "details",
      { open, ontoggle: read },
      h("summary.quiet.small", t("proposalSteps", { time: timeText(createdAt) })),
      steps,
    ),
  );
}

/** @param {PersonProposalEvent} event */
function step({ toState, reason, createdAt }) {
  return h(
    "li",
    `${label(toState)} · `,
    h("time", { datetime: createdAt }, timeText(createdAt)),
    reason !== null && h("p.words", reason),
  );
}

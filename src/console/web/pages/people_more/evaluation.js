/** Evaluations of a person. */

import { askButton, proofButton } from "../../core/acts/buttons.js";
import { h, link } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { may } from "../../core/base/session.js";
import { label, notFound } from "../../core/names.js";
import { choiceField, choicesOf } from "../../fields/controls/choices.js";
import { lineField } from "../../fields/controls/lines.js";
import { lazyDetails } from "../../fields/shown/files.js";
import { timeTag, timeText } from "../../fields/shown/times.js";
import { listPage } from "../parts/lists.js";
import { entryDate, entryLine } from "../people_entries/entries.js";
import { isOpen, ledgers, pathsOf } from "../people_entries/ledgers.js";
import { listOf } from "./list.js";

/**
 * @param {any} person
 * @param {Paths} paths
 * @param {any} proposal Undefined for none.
 * @param {any} evaluation Undefined for none.
 */
export function evaluationSection(person, paths, proposal, evaluation) {
  const isUndecided = ["REQUESTED", "READY", "STALE", "EXPIRED"].includes(proposal?.state);
  return h(
    "section",
    h("h2", t("evaluation")),
    evaluation && modelWords(evaluation.text, t("confirmedAt", factsOf(evaluation))),
    isUndecided && proposalPart(person, paths, proposal),
    !evaluation && !isUndecided && h("p.quiet", t("noEvaluation")),
    isOpen(person) && proposal?.state !== "READY" && h("div.bar", requestButton(paths)),
    proposal && h("p", link(`${paths.page}/proposals`, t("allProposals"))),
  );
}

/** @param {any} made */
function factsOf({ provider, model, createdAt }) {
  return {
    provider: model === null ? provider : `${provider} (${model})`,
    time: timeText(createdAt),
  };
}

/**
 * A model's text must look unlike the owner's: another background and voice.
 * @param {string | null} text Null if this account may not read it.
 * @param {string} facts
 */
function modelWords(text, facts) {
  return h("div.note", h("p.words", text ?? t("hidden")), h("p.quiet.small", facts));
}

/** @param {any} person @param {Paths} paths @param {any} proposal */
function proposalPart(person, { api }, proposal) {
  const { proposalId, state } = proposal;
  if (state === "REQUESTED") {
    return h("p.quiet", t("proposalRequested", { time: timeText(proposal.createdAt) }));
  }
  if (state !== "READY") return h("p.quiet", t("proposalEnded", { state: label(state) }));
  const path = `${api}/proposals/${proposalId}`;
  const confirm = {
    path: `${path}/confirm`,
    name: t("confirmProposal"),
    done: t("confirmed"),
    body: { expectedRevision: person.revision },
  };
  const decline = {
    path: `${path}/reject`,
    name: t("decline"),
    title: t("declineQuestion"),
    done: t("declined"),
  };
  return h(
    "div",
    modelWords(proposal.candidate, t("proposedAt", factsOf(proposal))),
    isOpen(person) && h(
      "div.bar",
      may("relationship.evaluation.confirm") &&
        proofButton(confirm, {
          purpose: "RELATIONSHIP_EVALUATION_CONFIRM",
          what: t("confirmProposal"),
          thing: person.personName,
          targetId: proposalId,
        }),
      askButton(decline, reasonFields, ({ reason }) => reason ? { reason } : {}),
    ),
  );
}

/** @param {Paths} paths */
function requestButton({ api }) {
  const request = {
    path: `${api}/proposals`,
    name: t("requestEvaluation"),
    title: t("requestEvaluation"),
    text: t("requestText"),
    done: t("requested"),
  };
  const name = "providerConsent";
  const consent = { name, label: label(name), hint: t("consentHint"), required: true };
  return askButton(
    request,
    () => [choiceField(consent, choicesOf({ true: t("yes"), false: t("no") }))],
    (texts) => ({ [name]: texts[name] === "true" }),
  );
}

/** @type {Page} */
export async function ledgerPage({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const name = /** @type {LedgerName} */ (params.ledger);
  const ledger = ledgers()[name];
  if (ledger === undefined) return notFound();
  const person = await get(api);
  const here = `${page}/ledger/${name}`;
  const place = { api: `${api}/${name}`, isOpen: isOpen(person) };
  return await listPage(query, {
    title: ledger.title,
    api: place.api,
    beside: [
      place.isOpen && link(`${here}/new`, ledger.add, "main"),
      link(page, person.personName, "words"),
    ],
    line: (entry, index) => entryLine(ledger, entry, place, index),
  });
}

/** @type {Page} */
export function proposals({ params, query }) {
  const paths = pathsOf(params.id);
  return listOf(query, paths, "proposals", {
    title: t("proposals"),
    line: (proposal, index) => proposalLine(proposal, `${paths.api}/proposals`, index === 0),
  });
}

/** @param {PersonProposal} proposal @param {string} api @param {boolean} open */
function proposalLine(proposal, api, open) {
  const { proposalId, state, createdAt, candidate, provider, model, redacted } = proposal;
  const readSteps = async () => {
    const { items } = await get(`${api}/${proposalId}/events`);
    const lines = items.toReversed().map(({ toState, reason, createdAt: at }) =>
      h("li", `${label(toState)} · `, timeTag(at), reason !== null && h("p.words", reason))
    );
    return [h("ol", lines)];
  };
  const steps = t("proposalSteps", { time: timeText(createdAt) });
  const made = [provider, model].filter((name) => name !== null).join(", ");
  return h(
    "li.top",
    entryDate(createdAt),
    h(
      "div",
      label(state),
      h("div.quiet.small", timeTag(createdAt), made !== "" && [" · ", h("span.exact", made)]),
      redacted ? h("p.quiet", t("hidden")) : candidate !== null && h("p.note.words", candidate),
      lazyDetails(h("summary.quiet.small", steps), readSteps, open),
    ),
  );
}

export function reasonFields() {
  return [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })];
}

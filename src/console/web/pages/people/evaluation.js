/** A model's proposed evaluation, and the evaluations that the owner confirmed. */

import { askButton, proofButton } from "../../core/acts.js";
import { h, send, t, timeText } from "../../core/base.js";
import { choiceField, lineField } from "../../fields/controls.js";
import { label } from "../../core/names.js";
import { isOpen } from "./person_paths.js";

/** The newest of each; null without one. @param {string} api */
export async function readEvaluation(api) {
  const [proposals, evaluations] = await Promise.all([
    send("GET", `${api}/proposals?limit=1`),
    send("GET", `${api}/evaluations?limit=1`),
  ]);
  return {
    proposal: proposals.data.items[0] ?? null,
    evaluation: evaluations.data.items[0] ?? null,
  };
}

/**
 * @param {Session} session
 * @param {any} person
 * @param {Paths} paths
 * @param {{ proposal: any, evaluation: any }} found
 */
export function evaluationSection(session, person, paths, { proposal, evaluation }) {
  const isPending = proposal?.state === "REQUESTED" || proposal?.state === "READY";
  const isUndecided = isPending || proposal?.state === "STALE" || proposal?.state === "EXPIRED";
  return h(
    "section",
    h("h2", t("evaluation")),
    evaluation !== null && modelWords(evaluation.text, t("confirmedAt", factsOf(evaluation))),
    isUndecided && proposalPart(session, person, paths, proposal),
    evaluation === null && !isUndecided && h("p.quiet", t("noEvaluation")),
    isOpen(person) && proposal?.state !== "READY" &&
      h("div.bar", requestButton(session, paths)),
    proposal !== null && h("p", h("a", { href: `${paths.page}/proposals` }, t("allProposals"))),
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

/** @param {Session} session @param {any} person @param {Paths} paths @param {any} proposal */
function proposalPart(session, person, { page, api }, proposal) {
  const { proposalId, state } = proposal;
  if (state === "REQUESTED") {
    return h("p.quiet", t("proposalRequested", { time: timeText(proposal.createdAt) }));
  }
  if (state !== "READY") {
    return h("p.quiet", t("proposalEnded", { state: label(state) }));
  }
  const path = `${api}/proposals/${proposalId}`;
  const confirm = {
    path: `${path}/confirm`,
    name: t("confirmProposal"),
    done: t("confirmed"),
    page,
    body: { expectedRevision: person.revision },
  };
  const decline = {
    path: `${path}/reject`,
    name: t("decline"),
    title: t("declineQuestion"),
    done: t("declined"),
    page,
  };
  return h(
    "div",
    modelWords(proposal.candidate, t("proposedAt", factsOf(proposal))),
    isOpen(person) && h(
      "div.bar",
      session.permissions.includes("relationship.evaluation.confirm") &&
        proofButton(session, confirm, {
          purpose: "RELATIONSHIP_EVALUATION_CONFIRM",
          what: t("confirmProposal"),
          thing: person.personName,
          targetId: proposalId,
        }),
      askButton(
        session,
        decline,
        () => [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })],
        ({ reason }) => reason ? { reason } : {},
      ),
    ),
  );
}

/** @param {Session} session @param {Paths} paths */
function requestButton(session, { page, api }) {
  const request = {
    path: `${api}/proposals`,
    name: t("requestEvaluation"),
    title: t("requestEvaluation"),
    text: t("requestText"),
    done: t("requested"),
    page,
  };
  const choices = [{ value: "true", label: t("yes") }, { value: "false", label: t("no") }];
  const consent = { name: "providerConsent", label: label("providerConsent") };
  return askButton(
    session,
    request,
    () => [choiceField({ ...consent, hint: t("consentHint"), required: true }, choices)],
    ({ providerConsent }) => ({ providerConsent: providerConsent === "true" }),
  );
}

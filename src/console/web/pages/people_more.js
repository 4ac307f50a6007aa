/** Lists of people and of their entries, and the further parts of a person. */

import { askButton, proofButton } from "../core/acts.js";
import { get, h, link, may, t } from "../core/base.js";
import { label, notFound } from "../core/names.js";
import { choiceField, choicesOf, lineField } from "../fields/controls.js";
import { lazyDetails, timeTag, timeText } from "../fields/shown.js";
import { listPage, listSection, rootFacts, tagsSection } from "./parts.js";
import {
  contactParts,
  disc,
  entryLine,
  isOpen,
  ledgers,
  pathsOf,
  PEOPLE,
  PEOPLE_API,
  timelineLine,
} from "./people_entries.js";

/** @type {readonly Move[]} */
const MOVES = [
  {
    from: ["ACTIVE"],
    status: "PAUSED",
    name: "pause",
    title: "pauseQuestion",
    text: "pauseText",
    done: "paused",
  },
  {
    from: ["PAUSED"],
    status: "ACTIVE",
    name: "resume",
    title: "resumeQuestion",
    text: "resumeText",
    done: "resumed",
  },
  {
    from: ["ACTIVE", "PAUSED"],
    name: "archive",
    title: "archiveQuestion",
    text: "archiveText",
    done: "archived",
  },
  {
    from: ["ARCHIVED"],
    name: "restore",
    title: "restoreQuestion",
    text: "restoreText",
    done: "restored",
  },
  {
    from: ["ACTIVE", "PAUSED", "ARCHIVED"],
    status: "SEALED",
    name: "seal",
    title: "sealQuestion",
    text: "sealPersonText",
    done: "personSealed",
  },
];

/**
 * The moves that the status and the account allow. Each asks, also for the reason.
 * @param {any} person
 * @param {Paths} paths
 */
function moveButtons({ status: present, revision }, { api }) {
  if (!may("relationship.status.control")) return [];
  return MOVES.filter(({ from }) => from.includes(present)).map(({ status, ...words }) => {
    const act = {
      path: `${api}/${status === undefined ? words.name : "status"}`,
      isGrave: status === "SEALED",
      name: t(words.name),
      title: t(words.title),
      text: t(words.text),
      done: t(words.done),
    };
    return askButton(
      act,
      reasonFields,
      ({ reason }) => ({ status, ...(reason && { reason }), expectedRevision: revision }),
    );
  });
}

function reasonFields() {
  return [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })];
}

const MAX_EVIDENCE = 5;

/** @param {any} person @param {Paths} paths */
export async function readFurther(person, paths) {
  const { page, api } = paths;
  const { evidence } = ledgers();
  const place = { api: `${api}/evidence`, isOpen: isOpen(person) };
  const [proposals, evaluations, found] = await Promise.all([
    get(`${api}/proposals?limit=1`),
    get(`${api}/evaluations?limit=1`),
    get(`${place.api}?limit=${MAX_EVIDENCE}`),
  ]);
  return [
    evaluationSection(person, paths, proposals.items[0], evaluations.items[0]),
    listSection(evidence.title, found, `${page}/ledger/evidence`, {
      add: place.isOpen && link(`${page}/ledger/evidence/new`, evidence.add),
      isLong: true,
      line: (entry, index) => entryLine(evidence, entry, place, index),
    }),
    h("div.bar", moveButtons(person, paths)),
    tagsSection("relationship", person.personId),
    rootFacts(person),
  ];
}

/** @type {Page} */
export function people({ query }) {
  const views = ["", "ACTIVE", "PAUSED", "ARCHIVED", "SEALED"].map((value) => ({
    value,
    text: value === "" ? t("everyone") : label(value),
  }));
  return listPage(query, {
    title: t("people"),
    api: PEOPLE_API,
    filter: { name: "status", views },
    beside: [link(`${PEOPLE}/new`, t("newPerson"), "main")],
    after: [link("/console/print/relationship", t("printView"))],
    line: personLine,
  });
}

/** @param {any} person */
function personLine(person) {
  const { personId, personName, relationshipType, status } = person;
  return h(
    "li",
    disc(person),
    h(
      "div",
      link(`${PEOPLE}/${personId}`, personName, "words"),
      h(
        "div.quiet.small",
        [label(relationshipType), status !== "ACTIVE" && label(status)].filter(Boolean).join(" · "),
        " · ",
        ...contactParts(person),
      ),
    ),
  );
}

/** @type {Page} */
export function timeline({ params, query }) {
  return listOf(query, pathsOf(params.id), "timeline", {
    title: t("timeline"),
    line: timelineLine,
  });
}

/**
 * A list of a person's entries.
 * @param {URLSearchParams} query
 * @param {Paths} paths
 * @param {string} name The end of its paths.
 * @param {Pick<Listed, "title" | "line">} listed
 */
async function listOf(query, { page, api }, name, listed) {
  const { personName } = await get(api);
  return await listPage(query, {
    api: `${api}/${name}`,
    isLong: true,
    beside: [link(page, personName, "words")],
    ...listed,
  });
}

/**
 * @param {any} person
 * @param {Paths} paths
 * @param {any} proposal Undefined for none.
 * @param {any} evaluation Undefined for none.
 */
function evaluationSection(person, paths, proposal, evaluation) {
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
    isLong: true,
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
    "li",
    h(
      "div",
      label(state),
      h("div.quiet.small", timeTag(createdAt), made !== "" && [" · ", h("span.exact", made)]),
    ),
    redacted ? h("p.quiet", t("hidden")) : candidate !== null && h("p.note.words", candidate),
    lazyDetails(h("summary.quiet.small", steps), readSteps, open),
  );
}

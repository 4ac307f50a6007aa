/** Lists of people and of their entries, and the further parts of a person: evaluation, evidence, status, tags. */

import { askButton, proofButton } from "../core/acts.js";
import {
  ApiError,
  failureText,
  fill,
  get,
  h,
  may,
  send,
  t,
  timeTag,
  timeText,
} from "../core/base.js";
import { label, notFound } from "../core/names.js";
import { choiceField, choicesOf, lineField } from "../fields/controls.js";
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
    path: "status",
    status: "PAUSED",
    name: "pause",
    title: "pauseQuestion",
    text: "pauseText",
    done: "paused",
  },
  {
    from: ["PAUSED"],
    path: "status",
    status: "ACTIVE",
    name: "resume",
    title: "resumeQuestion",
    text: "resumeText",
    done: "resumed",
  },
  {
    from: ["ACTIVE", "PAUSED"],
    path: "archive",
    name: "archive",
    title: "archiveQuestion",
    text: "archiveText",
    done: "archived",
  },
  {
    from: ["ARCHIVED"],
    path: "restore",
    name: "restore",
    title: "restoreQuestion",
    text: "restoreText",
    done: "restored",
  },
  {
    from: ["ACTIVE", "PAUSED", "ARCHIVED"],
    path: "status",
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
function moveButtons({ status: present, revision }, { page, api }) {
  if (!may("relationship.status.control")) return [];
  return MOVES.filter(({ from }) => from.includes(present)).map(({ path, status, ...words }) => {
    const act = {
      path: `${api}/${path}`,
      page,
      isGrave: status === "SEALED",
      name: t(words.name),
      title: t(words.title),
      text: t(words.text),
      done: t(words.done),
    };
    return askButton(
      act,
      () => [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })],
      ({ reason }) => ({
        ...(status !== undefined && { status }),
        ...(reason && { reason }),
        expectedRevision: revision,
      }),
    );
  });
}

const MAX_EVIDENCE = 5;

/** @param {any} person @param {Paths} paths */
export async function readFurther(person, paths) {
  const { page, api } = paths;
  const { evidence } = ledgers();
  const place = {
    name: /** @type {const} */ ("evidence"),
    api: `${api}/evidence`,
    page,
    isOpen: isOpen(person),
  };
  const [found, data] = await Promise.all([
    readEvaluation(api),
    get(`${place.api}?limit=${MAX_EVIDENCE}`),
  ]);
  return [
    evaluationSection(person, paths, found),
    listSection(evidence.title, data, `${page}/ledger/evidence`, {
      add: place.isOpen && h("a", { href: `${page}/ledger/evidence/new` }, evidence.add),
      isLong: true,
      line: (entry, index) => entryLine(evidence, entry, place, index),
    }),
    h("div.bar", moveButtons(person, paths)),
    tagsSection("relationship", person.personId, page),
    rootFacts(person),
  ];
}

/** @type {Page} */
export async function people({ query }) {
  const views = [
    { value: "", text: t("everyone") },
    ...["ACTIVE", "PAUSED", "ARCHIVED", "SEALED"].map((value) => ({ value, text: label(value) })),
  ];
  return await listPage(query, {
    title: t("people"),
    page: PEOPLE,
    api: PEOPLE_API,
    filter: { name: "status", views },
    beside: [
      h("a.main", { href: `${PEOPLE}/new` }, t("newPerson")),
    ],
    after: [h("a", { href: "/console/print/relationship" }, t("printView"))],
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
      h("a.words", { href: `${PEOPLE}/${personId}` }, personName),
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
export async function timeline({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const person = await get(api);
  return await listPage(query, {
    title: t("timeline"),
    page: `${page}/timeline`,
    api: `${api}/timeline`,
    isLong: true,
    beside: [h("a.words", { href: page }, person.personName)],
    line: timelineLine,
  });
}

/** @param {string} api */
async function readEvaluation(api) {
  const [proposals, evaluations] = await Promise.all([
    send("GET", `${api}/proposals?limit=1`),
    send("GET", `${api}/evaluations?limit=1`),
  ]);
  return {
    proposal: proposals.data.items[0] ?? null,
    evaluation: evaluations.data.items[0] ?? null,
  };
}

/** @param {any} person @param {Paths} paths @param {{ proposal: any, evaluation: any }} found */
function evaluationSection(person, paths, { proposal, evaluation }) {
  const isPending = proposal?.state === "REQUESTED" || proposal?.state === "READY";
  const isUndecided = isPending || proposal?.state === "STALE" || proposal?.state === "EXPIRED";
  return h(
    "section",
    h("h2", t("evaluation")),
    evaluation !== null && modelWords(evaluation.text, t("confirmedAt", factsOf(evaluation))),
    isUndecided && proposalPart(person, paths, proposal),
    evaluation === null && !isUndecided && h("p.quiet", t("noEvaluation")),
    isOpen(person) && proposal?.state !== "READY" &&
      h("div.bar", requestButton(paths)),
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

/** @param {any} person @param {Paths} paths @param {any} proposal */
function proposalPart(person, { page, api }, proposal) {
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
      may("relationship.evaluation.confirm") &&
        proofButton(confirm, {
          purpose: "RELATIONSHIP_EVALUATION_CONFIRM",
          what: t("confirmProposal"),
          thing: person.personName,
          targetId: proposalId,
        }),
      askButton(
        decline,
        () => [lineField({ name: "reason", label: t("reason"), sensitive: true, words: true })],
        ({ reason }) => reason ? { reason } : {},
      ),
    ),
  );
}

/** @param {Paths} paths */
function requestButton({ page, api }) {
  const request = {
    path: `${api}/proposals`,
    name: t("requestEvaluation"),
    title: t("requestEvaluation"),
    text: t("requestText"),
    done: t("requested"),
    page,
  };
  const choices = choicesOf({ true: t("yes"), false: t("no") });
  const consent = { name: "providerConsent", label: label("providerConsent") };
  return askButton(
    request,
    () => [choiceField({ ...consent, hint: t("consentHint"), required: true }, choices)],
    ({ providerConsent }) => ({ providerConsent: providerConsent === "true" }),
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
  const place = { name, api: `${api}/${name}`, page: here, isOpen: isOpen(person) };
  return await listPage(query, {
    title: ledger.title,
    page: here,
    api: place.api,
    beside: [
      place.isOpen && h("a.main", { href: `${here}/new` }, ledger.add),
      h("a.words", { href: page }, person.personName),
    ],
    isLong: true,
    line: (entry, index) => entryLine(ledger, entry, place, index),
  });
}

/** @type {Page} */
export async function proposals({ params, query }) {
  const { page, api } = pathsOf(params.id);
  const person = await get(api);
  return await listPage(query, {
    title: t("proposals"),
    page: `${page}/proposals`,
    api: `${api}/proposals`,
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
      const data = await get(`${api}/${proposalId}/events`);
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
      h("div.quiet.small", timeTag(createdAt), made !== "" && [" · ", h("span.exact", made)]),
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
    timeTag(createdAt),
    reason !== null && h("p.words", reason),
  );
}
